"""Places on the map."""
