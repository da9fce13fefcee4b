"""Groups of passages from pair scores, and how many groups there should be.

``base`` holds the interface. Clusterers: ``agglomerative`` (average link over any similarity),
``gated`` (the same, over the hits that are about the query), ``kmeans`` and ``spectral``. How many
groups: ``cluster_count`` holds the interface, the rules are ``silhouette_count``,
``threshold_count``, ``gap_count`` and ``stability_count``. ``average_link`` builds and cuts the
tree, ``strength`` says how well passages fit and which fit nowhere.
"""
