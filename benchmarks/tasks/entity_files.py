"""Labelled documents as entities, with the family of their label, and their split into parts."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.tasks.documents import shuffled
from benchmarks.tasks.subsets import FAMILY_SEPARATOR, family_of
from subclust.core.records import Passage

Record = Mapping[str, Any]


def read_entities(
    path: Path, family: Callable[[Record], str], *, text: str = "text"
) -> list[Passage]:
    """Read documents as entities.

    Parameters
    ----------
    path : Path
        Compressed with gzip; its sum has been checked, so its form is known.
    family : callable
        Gives the family of a record's label.
    text : str
        The record's field that is the entity, such as ``title``.

    Returns
    -------
    list of Passage
        In the order of the file; the path is family and label.
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [
            Passage(
                id=record["id"],
                text=record[text],
                label=record["label"],
                path=f"{family(record)}{FAMILY_SEPARATOR}{record['label']}",
            )
            for record in map(json.loads, lines)
        ]


def parts(
    documents: Sequence[Passage], shares: Mapping[str, float], seed: int
) -> dict[str, list[Passage]]:
    """Divide documents by lot.

    Parameters
    ----------
    documents : sequence of Passage
        With ids that differ.
    shares : mapping of str to float
        Of the documents, by the name of the part; their sum is 1.

    Returns
    -------
    dict of str to list of Passage
        Each document is in one part.
    """
    order = shuffled(documents, seed, lambda document: document.id)
    return _cut(order, shares)


def parts_by_label(
    documents: Sequence[Passage], shares: Mapping[str, float], seed: int
) -> dict[str, list[Passage]]:
    """Divide documents by lot so that no two parts have a label in common.

    The labels of each family are divided as the shares say, so that all parts have about the same
    families.

    Parameters
    ----------
    documents : sequence of Passage
        With labels and families.
    shares : mapping of str to float
        Of the labels, by the name of the part; their sum is 1.

    Returns
    -------
    dict of str to list of Passage
    """
    families: dict[str, set[str]] = {}
    for document in documents:
        families.setdefault(family_of(document), set()).add(document.label or "")
    ordered = [
        label
        for family in sorted(families)
        for label in shuffled(families[family], seed, lambda label: label)
    ]
    # Dealt out one by one in step with the shares, family after family.
    dealt = dict.fromkeys(shares, 0)
    part_of = {}
    for n_dealt, label in enumerate(ordered, start=1):
        part = max(shares, key=lambda name: shares[name] * n_dealt - dealt[name])  # noqa: B023
        dealt[part] += 1
        part_of[label] = part
    divided: dict[str, list[Passage]] = {name: [] for name in shares}
    for document in documents:
        divided[part_of[document.label or ""]].append(document)
    return divided


def _cut(order: Sequence[Passage], shares: Mapping[str, float]) -> dict[str, list[Passage]]:
    divided, start, total = {}, 0, 0.0
    for name, share in shares.items():
        total += share
        stop = round(total * len(order))
        divided[name] = list(order[start:stop])
        start = stop
    return divided
