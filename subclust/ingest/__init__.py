"""From sources through the encoder into a library."""
