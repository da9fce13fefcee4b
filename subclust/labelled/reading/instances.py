"""Labelled sets as queries whose passages have gold subtopics, and unlabelled sequences."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from subclust.core.exceptions import FileFormatError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.reading.kinds import KINDS
from subclust.labelled.reading.labelled import LabelledPassage
from subclust.labelled.reading.opening import must_exist, open_labelled
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


def read_sequences(items: Path, sequences: Path) -> list[ClusteringInstance]:
    """Read what each user took as a subset without labels.

    Parameters
    ----------
    items : Path
        JSON Lines, compressed with gzip or not: ``id``, ``title`` and whatever else.
    sequences : Path
        JSON Lines, compressed with gzip or not: ``user`` and ``items``, ids of items.

    Returns
    -------
    list of ClusteringInstance
        One a user with two different titles or more, each title once; items without a title are
        left out.

    Raises
    ------
    FileFormatError
        If a file cannot be read, or an item is not in `items`.
    """
    titles = _titles(items)
    instances = []
    for number, record in _records(sequences, ("user", "items")):
        if not isinstance(record["items"], list):
            raise FileFormatError(
                "{sequences}, line {number}: 'items' must be a list of ids.",
                sequences=sequences,
                number=number,
            )
        chosen: dict[str, str] = {}
        for item in record["items"]:
            if str(item) not in titles:
                raise FileFormatError(
                    "{sequences}, line {number}: there is no item {item!r} in {items}; give the "
                    "items that belong to these sequences.",
                    sequences=sequences,
                    number=number,
                    item=item,
                    items=items,
                )
            title = titles[str(item)]
            if title and title not in chosen:
                chosen[title] = str(item)
        if len(chosen) > 1:
            passages = tuple(Passage(id, title) for title, id in chosen.items())
            instances.append(ClusteringInstance(Query(str(record["user"])), passages))
    return instances


def _titles(path: Path) -> dict[str, str]:
    return {
        str(record["id"]): " ".join(str(record["title"]).split())
        for _, record in _records(path, ("id", "title"))
    }


def _records(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        opened = gzip.open if path.name.endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                record = json.loads(line)
                missing = [name for name in needed if name not in record]
                if missing:
                    raise FileFormatError(
                        "{path}, line {number}: there is no {missing!r}; add it.",
                        path=path,
                        number=number,
                        missing=missing[0],
                    )
                yield number, record
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise FileFormatError(
            "{path} cannot be read as JSON Lines: {error}; give a file with one object a line.",
            path=path,
            error=error,
        ) from error
