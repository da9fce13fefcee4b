"""Commands about libraries and what gets into them."""
