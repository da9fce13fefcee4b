"""How far two groupings of the same passages agree."""

from collections.abc import Mapping
from dataclasses import dataclass

from subclust.evaluation.metrics import adjusted_mutual_information, adjusted_rand_index
from subclust.exceptions import InputError


@dataclass(frozen=True)
class Agreement:
    """Agreement of two groupings, neither of which is the right one.

    Parameters
    ----------
    ari, ami : float
        At most 1, which is full agreement; 0 is chance.
    n_passages : int
        Passages that are in both groupings; the others do not count.
    """

    ari: float
    ami: float
    n_passages: int


def agreement(first: Mapping[str, int], second: Mapping[str, int]) -> Agreement:
    """Compare two groupings by passage id.

    Parameters
    ----------
    first, second : mapping of str to int
        Group of each passage by its id; "other passages" (-1) count as one group.

    Raises
    ------
    InputError
        If the groupings have no passage in common.
    """
    shared = sorted(first.keys() & second.keys())
    if not shared:
        raise InputError("The two groupings have no passages in common.")
    labels = [first[id_] for id_ in shared], [second[id_] for id_ in shared]
    return Agreement(
        ari=adjusted_rand_index(*labels),
        ami=adjusted_mutual_information(*labels),
        n_passages=len(shared),
    )
