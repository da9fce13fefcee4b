"""How well each passage fits its group, and which passages fit nowhere."""

import math

import numpy as np

from subclust.core.records import OTHER_PASSAGES, Float64Array, FloatArray, IntArray
from subclust.grouping.clustering.average_link import score_distances


def silhouettes(sums: Float64Array, sizes: Float64Array, own: IntArray) -> Float64Array:
    """Compute silhouette widths from distances summed by group.

    Parameters
    ----------
    sums : ndarray of shape (n_passages, n_groups)
        Summed distance of each passage to the members of each group.
    sizes : ndarray of shape (n_groups,)
        0 marks a column that is no group.
    own : ndarray of shape (n_passages,)
        Column of each passage's own group. There are at least two groups.

    Returns
    -------
    ndarray of shape (n_passages,)
        -1 to 1; 0 for a passage alone in its group.
    """
    rows = np.arange(len(sums))
    means = np.full(sums.shape, np.inf)
    np.divide(sums, sizes, out=means, where=sizes > 0)
    means[rows, own] = np.inf
    nearest = means.min(axis=1)
    inside = sums[rows, own] / np.maximum(sizes[own] - 1, 1)
    widths = np.zeros(len(sums))
    larger = np.maximum(inside, nearest)
    np.divide(nearest - inside, larger, out=widths, where=(larger > 0) & (sizes[own] > 1))
    return widths


def passage_strengths(scores: FloatArray, labels: IntArray) -> FloatArray:
    """Return how well each passage fits its group: the silhouette width on the scores.

    With a the mean distance to the rest of its group and b that to the nearest other group, the
    strength is (b - a) / max(a, b). Where there is one group only, b is the mean distance of all
    pairs, so that central passages are above 0 and remote ones below. Scores may be on any scale:
    adding a constant to them or multiplying them by a positive one changes nothing.

    Source: Rousseeuw, Journal of Computational and Applied Mathematics 20, 1987.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
        Higher is closer.
    labels : ndarray of shape (n_passages,)

    Returns
    -------
    ndarray of shape (n_passages,)
        -1 (fits another group better) to 1; 0 for a passage alone in its group.
    """
    n_passages = len(labels)
    groups, own, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    distances = score_distances(scores)
    if n_passages < 2:
        return np.zeros(n_passages, dtype=np.float32)
    if len(groups) == 1:
        inside = distances.sum(axis=1) / (n_passages - 1)
        larger = np.maximum(inside, inside.mean())
        widths = np.zeros(n_passages)
        np.divide(inside.mean() - inside, larger, out=widths, where=larger > 0)
    else:
        sums = distances @ np.eye(len(groups))[own]
        widths = silhouettes(sums, sizes.astype(np.float64), own)
    return np.clip(widths, -1.0, 1.0).astype(np.float32)


def other_passages(
    scores: FloatArray, labels: IntArray, *, max_other: float, exact: bool
) -> IntArray:
    """Move the passages that fit nowhere to "other passages" (-1).

    First those alone in their group, the most isolated first (only where the number of groups is
    automatic, and not when every passage is alone); then those of negative strength, the weakest
    first. A group of two or more keeps its strongest passage.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
    labels : ndarray of shape (n_passages,)
    max_other : float
        Largest share of passages that may move, 0 to 1.
    exact : bool
        Whether the number of groups was asked for; then no group is emptied.

    Returns
    -------
    ndarray of shape (n_passages,)
        `labels` with at most ``floor(max_other * n_passages)`` of them -1.
    """
    n_passages = len(labels)
    allowed = min(math.floor(max_other * n_passages), n_passages - 1)
    if allowed < 1:
        return labels
    own, sizes = np.unique(labels, return_inverse=True, return_counts=True)[1:]
    alone = sizes[own] == 1
    strengths = passage_strengths(scores, labels)
    leaving: list[int] = []
    if not exact and not alone.all():
        nearest = -np.where(np.eye(n_passages, dtype=bool), np.inf, score_distances(scores)).min(1)
        leaving += [int(i) for i in np.argsort(nearest, kind="stable") if alone[i]]
    by_strength = np.argsort(strengths, kind="stable")
    # Ascending, so that of each group the last one, its strongest, stays in the dictionary.
    strongest = {int(own[i]): int(i) for i in by_strength}
    leaving += [
        int(i)
        for i in by_strength
        if strengths[i] < 0 and not alone[i] and strongest[int(own[i])] != i
    ]
    result = labels.copy()
    result[leaving[:allowed]] = OTHER_PASSAGES
    return result


def settle(
    scores: FloatArray, labels: IntArray, *, max_other: float, exact: bool
) -> tuple[IntArray, FloatArray]:
    """Set aside the passages that fit nowhere and measure the strength of all.

    Parameters
    ----------
    scores, labels, max_other, exact
        As for `other_passages`.

    Returns
    -------
    labels : ndarray of shape (n_passages,)
    strengths : ndarray of shape (n_passages,)
        Of the passages in groups, measured among themselves; of those set aside, as it was in the
        group that they left.
    """
    final = other_passages(scores, labels, max_other=max_other, exact=exact)
    strengths = passage_strengths(scores, labels)
    kept = np.flatnonzero(final != OTHER_PASSAGES)
    if len(kept) < len(final):
        strengths[kept] = passage_strengths(scores[np.ix_(kept, kept)], final[kept])
    return final, strengths
