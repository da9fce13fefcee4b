"""What is in other groups in one column than in another."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Flow:
    """Passages that are in one group of a column and in one group of the next.

    Parameters
    ----------
    column : int
        Place of the column it leaves.
    source, target : int
        Groups.
    passages : tuple of str
        Ids, best hit first.
    """

    column: int
    source: int
    target: int
    passages: tuple[str, ...]


@dataclass(frozen=True)
class Moved:
    """A passage whose group is not the matched one.

    Parameters
    ----------
    id : str
    source, target : int
        Its groups.
    """

    id: str
    source: int
    target: int


def flows(groupings: Sequence[Mapping[str, int]], ids: Sequence[str]) -> list[Flow]:
    """Follow the passages from each grouping to the next.

    Parameters
    ----------
    groupings : sequence of mapping of str to int
        Matched: groups that belong together have the same number.
    ids : sequence of str
        Passages, best hit first; all are in every grouping.

    Returns
    -------
    list of Flow
        Column by column, within it the largest first.
    """
    made = []
    for column, (first, second) in enumerate(zip(groupings, groupings[1:], strict=False)):
        sizes = Counter((first[id_], second[id_]) for id_ in ids)
        for (source, target), _ in sorted(sizes.items(), key=lambda one: (-one[1], one[0])):
            passages = [id_ for id_ in ids if (first[id_], second[id_]) == (source, target)]
            made.append(Flow(column, source, target, tuple(passages)))
    return made


def moved(first: Mapping[str, int], second: Mapping[str, int], ids: Sequence[str]) -> list[Moved]:
    """List the passages that are not in matched groups, in the order of `ids`."""
    return [Moved(id_, first[id_], second[id_]) for id_ in ids if first[id_] != second[id_]]
