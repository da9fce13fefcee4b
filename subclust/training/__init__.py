"""One training loop for all methods, its arguments and its labelled sets."""
