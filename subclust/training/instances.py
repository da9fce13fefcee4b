"""Labelled sets: queries whose passages have gold subtopics."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from subclust.exceptions import FileFormatError, InputError
from subclust.records import ClusteringInstance, Passage, Query
from subclust.training.labelled import LabelledPassage, must_exist, open_labelled
from subclust.training.problem_kinds import KINDS
from subclust.training.problems import Problem


def read_instances(path: Path, *, labelled: bool = True) -> list[ClusteringInstance]:
    """Read a labelled set, and stop at the first place of which no passage can be made.

    `check_labelled_set` tells all such places at once, and what is to be doubted in the others.

    Parameters
    ----------
    path : Path
        JSON Lines (``.jsonl``, ``.jsonl.gz``), one query a line:
        ``{"query", "description", "passages": [{"id", "text", "label", "path"}]}``; or a table
        (``.csv``, ``.tsv``, ``.xlsx``), one passage a row, with the columns ``query, text, label``
        and optionally ``id, title, description, path``.
    labelled : bool
        Whether every passage must have a label; those without one get None where not.

    Returns
    -------
    list of ClusteringInstance
        In the order of the file; at least one.

    Raises
    ------
    FileFormatError
        If it cannot be read; the sentence names the file, the line or row, and what to do.
    """

    def stop(problem: Problem) -> None:
        if KINDS[problem.kind].unreadable:
            raise FileFormatError(problem.sentence)

    return gather(open_labelled(path, stop, labelled=labelled).passages)


def gather(passages: Iterable[LabelledPassage]) -> list[ClusteringInstance]:
    """Put the passages of each query together, in the order of their first ones."""
    groups: dict[int | str, list[Passage]] = {}
    queries: dict[int | str, str] = {}
    descriptions: dict[int | str, str] = {}
    for given in passages:
        groups.setdefault(given.group, []).append(given.passage)
        queries.setdefault(given.group, given.query)
        if given.description is not None:
            descriptions.setdefault(given.group, given.description)
    return [
        ClusteringInstance(Query(queries[key], descriptions.get(key)), tuple(members))
        for key, members in groups.items()
    ]


def file_digest(path: Path) -> str:
    """Compute the SHA-256 of a file, for cards and results; a FileFormatError if there is none."""
    must_exist(path)
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def split_queries(
    instances: Sequence[ClusteringInstance], share: float, seed: int
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    """Split a labelled set by query, never within one.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
    share : float
        Of the queries that go to the second part, 0 to 1; at least one does, and one stays.
    seed : int

    Returns
    -------
    tuple of two lists
        Training and held-out queries, each in the order of the set. Queries of the same text go
        to the same side.

    Raises
    ------
    InputError
        If there are fewer than two different queries.
    """
    texts = sorted({instance.query.text for instance in instances})
    if len(texts) < 2:
        raise InputError(
            "A labelled set of one query cannot be split into training and held-out queries; "
            "add queries, or give a validation file."
        )
    ordered = sorted(texts, key=lambda text: _digest(f"{seed}\n{text}"))
    n_held = min(max(1, math.floor(share * len(texts) + 0.5)), len(texts) - 1)
    held = set(ordered[:n_held])
    return (
        [instance for instance in instances if instance.query.text not in held],
        [instance for instance in instances if instance.query.text in held],
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
