"""Plain methods: the bar that a trained similarity must beat. Only the topic model learns."""
