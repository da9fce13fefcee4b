"""A search for the values of a recipe with which a method does best."""
