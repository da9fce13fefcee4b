"""SCL and FCL: a collection clustered without labels, or with a few."""
