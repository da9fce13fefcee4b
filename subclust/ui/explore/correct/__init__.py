"""Groups changed by hand, kept, measured and learned from."""
