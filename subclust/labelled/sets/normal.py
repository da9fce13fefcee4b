"""The form in which labelled sets are kept: JSON Lines, the same bytes for the same queries."""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from subclust.core.records import ClusteringInstance, Passage, Query


def write_normal(instances: Iterable[ClusteringInstance], path: Path) -> None:
    """Write queries as packed JSON Lines, one at a time.

    Parameters
    ----------
    instances : iterable of ClusteringInstance
        Labelled.
    path : Path
        Of the new file.
    """
    with (
        path.open("xb") as file,
        # Neither name nor time, so that the same queries give the same bytes.
        gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as stream,
    ):
        for instance in instances:
            line = json.dumps(_as_object(instance), ensure_ascii=False)
            # Half characters (lone surrogates) in an id or path, which nobody checks, cannot be
            # written.
            stream.write(line.encode("utf-8", "replace") + b"\n")


def read_normal(path: Path) -> Iterator[ClusteringInstance]:
    """Read what `write_normal` wrote, one query at a time.

    Raises
    ------
    OSError, EOFError, ValueError, KeyError
        If it is damaged.
    """
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        for line in stream:
            record = json.loads(line)
            yield ClusteringInstance(
                Query(record["query"], record.get("description")),
                tuple(
                    Passage(
                        id=passage["id"],
                        text=passage["text"],
                        title=passage.get("title", ""),
                        label=passage["label"],
                        path=passage.get("path", passage["label"]),
                    )
                    for passage in record["passages"]
                ),
            )


def _as_object(instance: ClusteringInstance) -> dict[str, Any]:
    query: dict[str, Any] = {"query": instance.query.text}
    if instance.query.description is not None:
        query["description"] = instance.query.description
    return query | {"passages": [_passage(passage) for passage in instance.passages]}


def _passage(passage: Passage) -> dict[str, str]:
    record = {"id": passage.id}
    if passage.title:
        record["title"] = passage.title
    record |= {"text": passage.text, "label": passage.label or ""}
    if passage.path and passage.path != passage.label:
        record["path"] = passage.path
    return record
