"""A query's way from its passages to named groups, and what a reader does with them."""
