"""Which number of groups to look at: the finest that is about as stable as any."""

import numpy as np

from subclust.core.records import Grounds, StabilityCurve
from subclust.grouping.clustering.hierarchy import prune
from subclust.grouping.clustering.stability_count import stability_along

AS_STABLE = 0.05
"""Stability that a number of groups may lack of the best and still count as about as stable."""

LEAST_STABLE = 0.2
"""Below it, no number of groups comes back when passages are left out."""


def stability_curve(
    grounds: Grounds | None, *, max_k: int = 20, n_subsets: int = 20, random_state: int = 0
) -> StabilityCurve:
    """Group most of the passages again and again, and see which numbers of groups come back.

    Suggested is the largest number whose stability is within `AS_STABLE` of the highest, since few
    groups are stable without telling much; none where the highest is below `LEAST_STABLE`.

    Parameters
    ----------
    grounds : Grounds or None
        With a tree; otherwise the curve is empty.
    max_k : int
        Largest number tried.
    n_subsets : int
    random_state : int

    Returns
    -------
    StabilityCurve
    """
    if grounds is None or grounds.tree is None:
        return StabilityCurve((), (), None)
    kept = np.flatnonzero(~grounds.aside)
    scores = grounds.leaf_scores[np.ix_(kept, kept)]
    stability = stability_along(
        prune(grounds.tree, kept),
        scores,
        max_k=max_k,
        n_subsets=n_subsets,
        share=0.8,
        random_state=random_state,
    )
    numbers = tuple(range(2, 2 + len(stability)))
    suggested = None
    if len(stability) and stability.max() >= LEAST_STABLE:
        suggested = numbers[int(np.flatnonzero(stability >= stability.max() - AS_STABLE)[-1])]
    return StabilityCurve(numbers, tuple(float(value) for value in stability), suggested)
