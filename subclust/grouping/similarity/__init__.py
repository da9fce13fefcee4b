"""How alike two passages of a query are; higher is closer.

``base`` holds the interface. From vectors: ``cosine`` (plain, and centred over the hit set) and
``euclidean``. From words, without an encoder: ``tfidf`` and ``jaccard``. ``network`` puts a trained
network to work; ``centred_network`` is one that sees the query, ``relevance_gate`` the gate beside
it.
"""
