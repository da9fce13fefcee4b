"""The number of groups by the gap statistic."""

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import Float64Array, FloatArray
from subclust.grouping.clustering.average_link import Tree, average_link, nodes_at
from subclust.grouping.clustering.cluster_count import ClusterCount


class GapCount(ClusterCount):
    """The smallest number of groups whose compactness, against data without groups, levels off.

    The scores are read as inner products: their principal axes place the passages as points, and
    the reference data are uniform over the box that these span. For cosines of embeddings this is
    the statistic of the embeddings themselves. One group can be chosen.

    Source: Tibshirani, Walther and Hastie, Journal of the Royal Statistical Society B 63, 2001,
    section 4, reference (b).

    Parameters
    ----------
    max_k : int
        Largest number of groups tried.
    n_references : int
        Reference data sets drawn.
    random_state : int
    """

    name = "gap"

    def __init__(self, max_k: int = 20, *, n_references: int = 10, random_state: int = 0) -> None:
        self.max_k = max_k
        self.n_references = n_references
        self.random_state = random_state

    def _check(self) -> None:
        if self.max_k < 1 or self.n_references < 1:
            raise InputError(
                "max_k and n_references must be at least 1, but are {max_k!r} and "
                "{n_references!r}.",
                max_k=self.max_k,
                n_references=self.n_references,
            )

    def _choose(self, tree: Tree, scores: FloatArray) -> int:
        points = principal_points(scores)
        # With one group for each passage nothing is spread any more and the logarithm ends.
        largest = min(self.max_k, len(scores) - 1)
        if largest < 2 or not points.shape[1]:
            return 1
        spread = log_dispersions(tree, squared_distances(points), largest)
        low, high = points.min(axis=0), points.max(axis=0)
        random = np.random.default_rng(self.random_state)
        references = np.empty((self.n_references, largest))
        for reference in references:
            distances = squared_distances(random.uniform(low, high, size=points.shape))
            reference[:] = log_dispersions(average_link(-distances), distances, largest)
        gaps = references.mean(axis=0) - spread
        errors = references.std(axis=0) * np.sqrt(1 + 1 / self.n_references)
        # The rule of the source: the smallest k with Gap(k) >= Gap(k+1) - s(k+1).
        enough = np.flatnonzero(gaps[:-1] >= gaps[1:] - errors[1:])
        return int(enough[0]) + 1 if len(enough) else int(gaps.argmax()) + 1


def principal_points(scores: FloatArray) -> Float64Array:
    """Place passages as points whose inner products are the centred scores, as well as can be.

    Returns
    -------
    ndarray of shape (n_passages, n_axes)
        Along principal axes; no axes where all scores are alike.
    """
    kernel = np.asarray(scores, dtype=np.float64)
    kernel = kernel - kernel.mean(axis=0) - kernel.mean(axis=1, keepdims=True) + kernel.mean()
    values, vectors = np.linalg.eigh((kernel + kernel.T) / 2)
    size = max(float(np.abs(scores).max()), 1e-300)
    keep = values > 1e-6 * size
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]), dtype=np.float64)


def squared_distances(points: Float64Array) -> Float64Array:
    """Compute the squared Euclidean distances of all pairs of points."""
    squares = np.einsum("ij,ij->i", points, points)
    distances = np.maximum(squares[:, None] + squares[None, :] - 2 * points @ points.T, 0.0)
    np.fill_diagonal(distances, 0.0)
    return np.asarray((distances + distances.T) / 2, dtype=np.float64)


def log_dispersions(tree: Tree, distances: Float64Array, max_k: int) -> Float64Array:
    """Compute the logarithm of the pooled within-group dispersion of every cut.

    Returns
    -------
    ndarray of shape (max_k,)
        For 1, 2, ..., max_k groups; W_k of the source, equation 2.
    """
    n_passages = len(distances)
    nodes, own, counts = np.unique(nodes_at(tree, max_k), return_inverse=True, return_counts=True)
    column = {int(node): i for i, node in enumerate(nodes)}
    member = np.eye(len(nodes))[own]
    blocks = member.T @ distances @ member
    sizes = counts.astype(np.float64)
    within = np.diag(blocks) / (2 * sizes)
    result = np.empty(max_k)
    for n_clusters in range(max_k, 0, -1):
        result[n_clusters - 1] = within.sum()
        if n_clusters == 1:
            break
        merge = n_passages - n_clusters
        into, gone = (column.pop(int(node)) for node in tree[merge, :2])
        column[n_passages + merge] = into
        blocks[into] += blocks[gone]
        blocks[:, into] += blocks[:, gone]
        sizes[into] += sizes[gone]
        within[into] = blocks[into, into] / (2 * sizes[into])
        within[gone] = 0.0
    # Groups of identical passages have no dispersion; a floor keeps the logarithm finite.
    return np.log(np.maximum(result, 1e-12 * max(float(result[0]), 1e-300)))
