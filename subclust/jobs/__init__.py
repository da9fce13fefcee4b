"""Background command lines and their state."""
