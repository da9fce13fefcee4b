"""Training losses that two or more papers share."""
