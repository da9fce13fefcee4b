"""The themes of a whole collection."""
