"""Hit sets among the passages of their whole task that are most like them."""

from collections.abc import Sequence

import numpy as np

from subclust.core.records import ClusteringInstance
from subclust.judging.bench import embed
from subclust.text.encoders import Encoder
from subclust.training.mixing import Rows, mixture

SUFFIX = "_neighbours"
"""Of the name of a task whose hit sets are mixed so."""


def with_neighbours(
    instances: Sequence[ClusteringInstance], encoder: Encoder
) -> list[ClusteringInstance]:
    """Put the nearest passages of other queries to each hit set, as many as it has itself.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
        All of a task.
    encoder : Encoder
        The base encoder; nearest is who has the highest cosine with the mean of the hit set. What
        the hit set says word for word is left out.

    Returns
    -------
    list of ClusteringInstance
        In the order of the task. The others' passages are one subtopic; see `mixture`.
    """
    vectors = np.concatenate(embed(instances, encoder))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [passage.text for instance in instances for passage in instance.passages]
    sizes = np.array([len(instance.passages) for instance in instances])
    owners = np.repeat(np.arange(len(instances)), sizes)
    firsts = np.cumsum(sizes) - sizes
    found = []
    for position, size in enumerate(sizes.tolist()):
        own = owners == position
        said = {texts[row] for row in np.flatnonzero(own)}
        others = np.array([text not in said for text in texts])
        scores = np.where(others, vectors @ vectors[own].mean(axis=0), -np.inf)
        nearest = np.argsort(-scores, kind="stable")[: min(size, int(others.sum()))]
        drawn: list[Rows] = [(position, np.arange(size))]
        for other in np.unique(owners[nearest]).tolist():
            rows = np.sort(nearest[owners[nearest] == other])
            drawn.append((other, rows - firsts[other]))
        found.append(mixture(instances, drawn))
    return found
