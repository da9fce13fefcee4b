"""Whether a trained model groups better than another, and what it is judged on."""
