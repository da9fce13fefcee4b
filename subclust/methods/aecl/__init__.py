"""AECL: one whole collection of short texts, clustered without labels."""
