"""Labelled sets: queries whose passages have gold subtopics."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.reading.labelled import LabelledPassage
from subclust.labelled.reading.opening import must_exist, open_labelled
from subclust.labelled.reading.problem_kinds import KINDS
from subclust.labelled.reading.problems import Problem


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
    ordered = in_drawn_order(texts, seed)
    n_held = min(max(1, math.floor(share * len(texts) + 0.5)), len(texts) - 1)
    return _divide(instances, set(ordered[:n_held]))


def set_test_aside(
    instances: Sequence[ClusteringInstance], share: float, seed: int, *, n_to_stay: int = 2
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    """Set queries aside that a model is judged on and that take no part in training.

    They are the last of the order whose first ones `split_queries` holds out.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
    share : float
        Of the queries, 0 to 1; 0 for none, else at least one.
    seed : int
    n_to_stay : int
        Queries that must be left, at least 1.

    Returns
    -------
    tuple of two lists
        The others and the test queries, each in the order of the set. Queries of the same text go
        to the same side.

    Raises
    ------
    InputError
        If there are not enough different queries.
    """
    if not share:
        return list(instances), []
    texts = sorted({instance.query.text for instance in instances})
    if len(texts) <= n_to_stay:
        raise InputError(
            "A labelled set of {count} queries cannot be split into training, held-out and test "
            "queries; add queries, or set test_share to 0.",
            count=len(texts),
        )
    n_test = min(max(1, math.floor(share * len(texts) + 0.5)), len(texts) - n_to_stay)
    return _divide(instances, set(in_drawn_order(texts, seed)[-n_test:]))


def three_parts(
    instances: Sequence[ClusteringInstance], validation_share: float, test_share: float, seed: int
) -> tuple[list[ClusteringInstance], list[ClusteringInstance], list[ClusteringInstance]]:
    """Split a labelled set by query into training, validation and test queries.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
    validation_share, test_share : float
        Of all queries; with a `test_share` of 0 it is `split_queries`.
    seed : int

    Raises
    ------
    InputError
        If there are fewer than two different queries, or three where a test part is asked for.
    """
    rest, test = set_test_aside(instances, test_share, seed)
    n_all, n_rest = (len({instance.query.text for instance in part}) for part in (instances, rest))
    training, validation = split_queries(rest, validation_share * n_all / max(n_rest, 1), seed)
    return training, validation, test


def in_drawn_order(texts: Iterable[str], seed: int) -> list[str]:
    """Put the texts of queries in an order that follows from them and the seed alone."""
    return sorted(texts, key=lambda text: _digest(f"{seed}\n{text}"))


def _divide(
    instances: Sequence[ClusteringInstance], apart: set[str]
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    return (
        [instance for instance in instances if instance.query.text not in apart],
        [instance for instance in instances if instance.query.text in apart],
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
