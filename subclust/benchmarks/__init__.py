"""Tasks, recipes, published figures and results."""
