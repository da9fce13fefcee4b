"""Labelled documents of a task's file, and drawing among them."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from subclust.core.records import ClusteringInstance, Passage, Query

T = TypeVar("T")


def read_documents(path: Path) -> list[Passage]:
    """Read documents, one JSON object a line: ``id``, ``text``, ``label``, perhaps ``title``.

    Parameters
    ----------
    path : Path
        Compressed with gzip; its sum has been checked, so its form is known.

    Returns
    -------
    list of Passage
        In the order of the file; the label is also the path.
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [
            Passage(
                id=record["id"],
                text=record["text"],
                title=record.get("title", ""),
                label=record["label"],
                path=record["label"],
            )
            for record in map(json.loads, lines)
        ]


def shuffled(items: Iterable[T], seed: int, key: Callable[[T], str]) -> list[T]:
    """Put items in an order drawn by lot.

    By the SHA-256 of seed and key, so that the order is the same on every machine and under every
    version of every library, and does not depend on the order in which the items came.

    Parameters
    ----------
    items : iterable
    key : callable
        Gives a text that no other item has.

    Returns
    -------
    list
    """
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}\n{key(item)}".encode()).digest())


def grouped(
    documents: Sequence[Passage], query: str, size: int, seed: int
) -> list[ClusteringInstance]:
    """Draw documents into sets of one size; what is left over is in none.

    Parameters
    ----------
    documents : sequence of Passage
        With ids that differ.
    query : str
        Of every set.
    size : int
        Passages a set.

    Returns
    -------
    list of ClusteringInstance
        ``len(documents) // size`` of them.
    """
    order = shuffled(documents, seed, lambda passage: passage.id)
    return [
        ClusteringInstance(Query(query), tuple(order[start : start + size]))
        for start in range(0, len(order) - size + 1, size)
    ]
