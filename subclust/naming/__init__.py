"""Names for groups of passages."""
