"""COB: training on the clustering result itself."""
