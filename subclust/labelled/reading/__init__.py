"""A labelled set of any format, read and checked query by query."""
