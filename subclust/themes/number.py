"""How many themes a collection is shown as, where nobody says."""

import numpy as np
from sklearn.cluster import MiniBatchKMeans

from subclust.core.records import FloatArray
from subclust.grouping.clustering.centres import centre_strengths

TRIED = (5, 8, 12, 16, 20, 25, 30, 40)
"""Numbers that somebody can take in on a page."""

SAMPLE = 4000
"""Texts that are looked at."""

SOURCE, LABELS, PAIRS = "centre silhouette", "labels", "pairs"
"""Where a number comes from that nobody asked for: how well the texts fit, the different labels, or
the groups that pairs keep apart."""


def suggested_number(embeddings: FloatArray, seed: int) -> int:
    """Choose the number of groups whose texts lie best between their centre and the next one.

    Parameters
    ----------
    embeddings : ndarray of shape (n_texts, embedding_dim)
    seed : int

    Returns
    -------
    int
        One of `TRIED`, at most a tenth of the texts, except that 5 is always tried.
    """
    generator = np.random.default_rng(seed)
    rows = np.sort(generator.permutation(len(embeddings))[:SAMPLE])
    points = embeddings[rows].astype(np.float64)
    most = max(TRIED[0], min(len(points) // 10, TRIED[-1]))
    scores = {}
    for number in (number for number in TRIED if number <= most):
        model = MiniBatchKMeans(number, n_init=3, batch_size=1024, random_state=seed)
        labels = np.unique(model.fit_predict(points), return_inverse=True)[1].astype(np.int64)
        scores[number] = float(centre_strengths(points, labels).mean())
    return max(scores, key=lambda number: (scores[number], -number))
