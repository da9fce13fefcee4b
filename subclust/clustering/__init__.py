"""Groups of passages from pair scores, and how many groups there should be."""
