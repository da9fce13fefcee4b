"""How alike two passages of a query are; higher is closer.

``base`` holds the interface. From vectors: ``cosine``, which is plain, centred over the hit set or
Euclidean. From words, without an encoder: ``tfidf`` and ``topic_model``. ``network`` runs a trained
network; ``centred_network`` is one that sees the query, ``relevance_gate`` the gate beside
it.
"""
