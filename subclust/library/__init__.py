"""Passage libraries on disk: schema, adding, searching. They take vectors and never make them."""
