"""From passages to named groups on a map: similarity, clustering, naming, projection."""
