"""Groups of passages from pair scores, and how many groups there should be.

``base`` holds the interface. Clusterers: ``agglomerative`` (average link over any similarity, also
of the relevant hits alone), ``kmeans`` and ``spectral``. How many groups: ``cluster_count`` holds
the interface and the silhouette; further rules are ``threshold_count``, ``gap_count`` and
``stability_count``. ``average_link`` builds and cuts the tree, ``strength`` measures how well
passages fit, ``grounds`` keeps what further cuts need.
"""
