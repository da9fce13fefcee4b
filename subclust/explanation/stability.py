"""Whether a group comes back when some of the hits are left out."""

from collections.abc import Callable, Mapping

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES, IntArray

Recluster = Callable[[IntArray], IntArray]
"""Groups some of the passages anew: positions to labels, both of shape (n_subset,)."""


def clusterwise_stability(
    labels: IntArray,
    recluster: Recluster,
    *,
    n_subsets: int = 20,
    share: float = 0.8,
    seed: int = 0,
) -> Mapping[int, float]:
    """Return each group's mean Jaccard coefficient with the group that is most like it.

    Passages are drawn without replacement and grouped again; each group (as far as it was drawn) is
    compared with all groups found. A group of which fewer than two members were drawn says nothing
    in that draw.

    Source: Hennig, Computational Statistics and Data Analysis 52, 2007, section 3 (the scheme of
    subsets). He calls groups below 0.6 not to be relied upon and those from 0.75 valid.

    Parameters
    ----------
    labels : ndarray of shape (n_passages,)
        -1, "other passages", is no group and is never drawn.
    n_subsets : int
        At least 1.
    share : float
        Part of the passages in a draw, above 0 and below 1.

    Returns
    -------
    mapping of int to float
        For each group of two or more passages, 0 to 1; higher comes back more surely.

    Raises
    ------
    InputError
        If a parameter is out of its range.
    """
    if n_subsets < 1 or not 0.0 < share < 1.0:
        raise InputError(
            "n_subsets must be at least 1 and share between 0 and 1, but they are {n_subsets!r} "
            "and {share!r}.",
            n_subsets=n_subsets,
            share=share,
        )
    labels = np.asarray(labels, dtype=np.int64)
    kept = np.flatnonzero(labels != OTHER_PASSAGES)
    groups, sizes = np.unique(labels[kept], return_counts=True)
    found: dict[int, list[float]] = {int(g): [] for g in groups[sizes >= 2]}
    size = max(round(share * len(kept)), 2)
    if not found or size >= len(kept):
        return {}
    random = np.random.default_rng(seed)
    for _ in range(n_subsets):
        subset = np.sort(random.choice(kept, size=size, replace=False))
        again = np.asarray(recluster(subset))
        for group, values in found.items():
            mine = labels[subset] == group
            if mine.sum() >= 2:
                values.append(max(_jaccard(mine, again == one) for one in np.unique(again)))
    return {group: float(np.mean(values)) for group, values in found.items() if values}


def _jaccard(first: IntArray, second: IntArray) -> float:
    return float((first & second).sum() / (first | second).sum())
