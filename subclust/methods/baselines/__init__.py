"""Methods that are not trained: the bar that a trained one must beat."""
