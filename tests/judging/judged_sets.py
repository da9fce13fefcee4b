"""Labelled queries whose subtopics a hashing encoder can tell apart."""

import numpy as np

from subclust.core.records import ClusteringInstance, Passage, Query


def labelled_queries(n_queries=8, n_passages=12, seed=0):
    """Make queries of three subtopics, each with a word of its own among many others."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(n_queries):
        passages = []
        for i in range(n_passages):
            words = [f"part{i % 3}"] * 2 + [f"w{random.integers(30)}" for _ in range(6)]
            passages.append(
                Passage(f"{number}-{i}", " ".join(words), label=f"part {i % 3}", path=f"{i % 6}")
            )
        made.append(ClusteringInstance(Query(f"query {number}"), tuple(passages)))
    return made
