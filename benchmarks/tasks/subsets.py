"""Subsets of entities drawn from labelled documents, such as what one user asked or bought."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from benchmarks.tasks.lots import Lots
from benchmarks.tasks.related import nearest_labels
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query

FAMILY_SEPARATOR = " / "
"""Between a document's family and its label, in its path."""


@dataclass(frozen=True)
class SubsetShape:
    """What the subsets of a set are like.

    Parameters
    ----------
    smallest, largest : int
        Fewest and most entities; sizes fall off geometrically from the smallest.
    mean : float
        Of the sizes, before the largest are cut off.
    breadth : tuple of two int
        Fewest and most labels that the entities of one subset are drawn among.
    skew : float
        Exponent of Zipf's law: the chance of the r-th of these labels is as ``r ** -skew``.
    """

    n_subsets: int
    smallest: int
    largest: int
    mean: float
    breadth: tuple[int, int]
    skew: float


def family_of(document: Passage) -> str:
    """Return the family of a document's label, such as the domain of an intent."""
    return (document.path or "").partition(FAMILY_SEPARATOR)[0]


def by_label(documents: Sequence[Passage]) -> dict[str, list[Passage]]:
    """Sort documents by label, then id; of equal texts only the first is kept."""
    first: dict[str, Passage] = {}
    for document in sorted(documents, key=lambda document: document.id):
        first.setdefault(document.text, document)
    grouped: dict[str, list[Passage]] = {}
    for document in first.values():
        grouped.setdefault(document.label or "", []).append(document)
    return dict(sorted(grouped.items()))


def draw_subsets(
    documents: Sequence[Passage],
    shape: SubsetShape,
    query: str | Callable[[str], str],
    seed: int,
    *,
    within_families: bool = False,
) -> list[ClusteringInstance]:
    """Draw subsets whose labels are related, so that they are not easily told apart.

    A subset starts from a label drawn by lot and takes the labels nearest to it, in an order drawn
    by lot; each entity's label is drawn among them by Zipf's law. A subset has at least two labels
    and no entity twice.

    Parameters
    ----------
    documents : sequence of Passage
        With labels, and ids that differ.
    query : str or callable
        Of every subset; a callable is given the family of the label that the subset started from.
    within_families : bool
        Take the nearest labels of the same family only.

    Returns
    -------
    list of ClusteringInstance
        ``shape.n_subsets`` of them; the same whatever the order of the documents.

    Raises
    ------
    BenchmarkError
        If the documents have fewer than two labels.
    """
    grouped = _at_least_two(by_label(documents))
    families = {label: family_of(members[0]) for label, members in grouped.items()}
    near = nearest_labels({label: [d.text for d in found] for label, found in grouped.items()})
    if within_families:
        near = {
            label: [other for other in others if families[other] == families[label]]
            for label, others in near.items()
        }
    labels = [label for label in grouped if near[label]]
    subsets = []
    for number in range(shape.n_subsets):
        lots = Lots(seed, f"subset {number}")
        start = labels[lots.below(len(labels))]
        wide = lots.between(*shape.breadth)
        among = lots.some([start, *near[start][: wide - 1]], wide)
        entities = _draw_entities(grouped, among, shape, lots)
        text = query if isinstance(query, str) else query(families[start])
        subsets.append(ClusteringInstance(Query(text), tuple(entities)))
    return subsets


def draw_in_context(
    documents: Sequence[Passage], shape: SubsetShape, query: str, seed: int
) -> list[ClusteringInstance]:
    """Draw subsets that are divided as finely as what is in them asks for.

    Every other subset is of one family and is divided by label; the others are of two families or
    more and are divided by family. So two entities belong together in one subset and apart in
    another, and only the others tell which.

    Parameters
    ----------
    documents : sequence of Passage
        With labels and families, and ids that differ.
    query : str
        Of every subset.

    Returns
    -------
    list of ClusteringInstance
        The path of a passage is its family and its own label in each of them.

    Raises
    ------
    BenchmarkError
        If the documents have fewer than two families.
    """
    grouped = _at_least_two(by_label(documents))
    families: dict[str, list[str]] = {}
    for label, members in grouped.items():
        families.setdefault(family_of(members[0]), []).append(label)
    by_family = _at_least_two(
        {
            family: [replace(d, label=family) for label in labels for d in grouped[label]]
            for family, labels in sorted(families.items())
        }
    )
    divided = [family for family in by_family if len(families[family]) > 1]
    subsets = []
    for number in range(shape.n_subsets):
        lots = Lots(seed, f"subset {number}")
        wide = lots.between(*shape.breadth)
        if number % 2 == 0 and divided:
            among = lots.some(families[divided[lots.below(len(divided))]], wide)
            entities = _draw_entities(grouped, among, shape, lots)
        else:
            among = lots.some(list(by_family), wide)
            entities = _draw_entities(by_family, among, shape, lots)
        subsets.append(ClusteringInstance(Query(query), tuple(entities)))
    return subsets


def _at_least_two(groups: dict[str, list[Passage]]) -> dict[str, list[Passage]]:
    if len(groups) < 2:
        raise BenchmarkError(
            "Subsets are drawn from documents of at least two kinds; here are {count}.",
            count=len(groups),
        )
    return groups


def _size(shape: SubsetShape, lots: Lots) -> int:
    falling = 1 - 1 / (shape.mean - shape.smallest + 1)
    extra = int(math.log(1 - lots.share()) / math.log(falling)) if falling > 0 else 0
    return min(shape.smallest + extra, shape.largest)


def _draw_entities(
    pools: dict[str, list[Passage]], among: Sequence[str], shape: SubsetShape, lots: Lots
) -> list[Passage]:
    size = min(_size(shape, lots), sum(len(pools[name]) for name in among))
    weights = [rank**-shape.skew for rank in range(1, len(among) + 1)]
    while True:
        drawn: dict[str, Passage] = {}
        while len(drawn) < size:
            members = pools[among[lots.pick(weights)]]
            document = members[lots.below(len(members))]
            drawn[document.id] = document
        if len({document.label for document in drawn.values()}) > 1:
            return list(drawn.values())
