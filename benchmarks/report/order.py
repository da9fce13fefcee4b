"""Whether the methods come in the same order as in the paper."""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any


def compare_order(
    labels: Sequence[str], published: Sequence[float], ours: Sequence[float]
) -> dict[str, Any]:
    """Compare two orders of the same methods.

    Parameters
    ----------
    labels : sequence of str
        Of the methods.
    published, ours : sequence of float
        Their values on the two sides; higher is better.

    Returns
    -------
    dict
        ``tau``, Kendall's tau-b from -1 (reversed) to 1 (the same order), None where either side
        cannot tell its methods apart; ``n_methods``, ``n_pairs`` and ``n_same``, the pairs of
        methods that stand in the same order (or are equal) on both sides; ``published`` and
        ``ours``, the labels from best to worst; ``swapped``, the neighbours of the published order
        that stand the other way round in ours.
    """
    signs = [
        (_sign(published[i] - published[j]), _sign(ours[i] - ours[j]))
        for i, j in combinations(range(len(labels)), 2)
    ]
    ranked = _ranked(published)
    return {
        "tau": _tau_b(signs),
        "n_methods": len(labels),
        "n_pairs": len(signs),
        "n_same": sum(one == other for one, other in signs),
        "published": [labels[row] for row in ranked],
        "ours": [labels[row] for row in _ranked(ours)],
        "swapped": [
            [labels[better], labels[worse]]
            for better, worse in pairwise(ranked)
            if published[better] > published[worse] and ours[better] < ours[worse]
        ],
    }


def _ranked(values: Sequence[float]) -> list[int]:
    """Return the places of the values from best to worst; equal ones keep their order."""
    return sorted(range(len(values)), key=lambda row: -values[row])


def _tau_b(signs: Sequence[tuple[int, int]]) -> float | None:
    agreement = sum(one * other for one, other in signs)
    told_apart = [sum(pair[side] != 0 for pair in signs) for side in (0, 1)]
    if not all(told_apart):
        return None
    return agreement / math.sqrt(told_apart[0] * told_apart[1])


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
