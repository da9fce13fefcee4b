"""Files to fill in: a header and a few rows that show what is meant."""

import gzip
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.sets.normal import write_normal
from subclust.labelled.sets.sheets import write_csv, write_workbook

TEMPLATES = ("csv", "tsv", "xlsx", "jsonl", "jsonl.gz")
"""Formats there are templates for."""

_HEADER = ("query", "text", "label", "id", "title", "description", "path")
_EXAMPLES = {
    ("causes of the American Revolution", "Why thirteen colonies broke with Britain."): (
        ("Stamp Act", "The Stamp Act taxed newspapers and deeds.", "Taxes", "Taxes / Stamp Act"),
        (
            "Tea Act",
            "The Tea Act let one company undersell all others.",
            "Taxes",
            "Taxes / Tea Act",
        ),
        ("Parliament", "The colonies had no seat in Parliament.", "Representation", ""),
        ("Petitions", "The king did not answer the petitions of 1774.", "Representation", ""),
    ),
    ("health effects of coffee", ""): (
        ("Sleep", "Coffee in the evening delays sleep by an hour.", "Sleep", ""),
        ("Naps", "A cup before a short nap makes one more alert.", "Sleep", ""),
        ("Blood pressure", "Caffeine raises blood pressure for some hours.", "Heart", ""),
        ("Heart rate", "In most people the pulse hardly changes.", "Heart", ""),
    ),
}


def template(format: str) -> bytes:
    """Return a file to fill in, with eight rows that show what is meant and pass the check.

    Parameters
    ----------
    format : str
        One of `TEMPLATES`.

    Returns
    -------
    bytes
        Of the file.

    Raises
    ------
    InputError
        If there is no such format.
    """
    if format not in TEMPLATES:
        raise InputError(
            "There is no template in the format {format!r}; take one of {names}.",
            format=format,
            names=", ".join(TEMPLATES),
        )
    with tempfile.TemporaryDirectory(prefix="subclust-") as folder:
        path = Path(folder) / f"template.{format}"
        match format:
            case "csv":
                write_csv(_rows(), path)
            case "tsv":
                write_csv(_rows(), path, "\t")
            case "xlsx":
                write_workbook(_rows(), path, widths=(32, 60, 20, 8, 20, 40, 28))
            case _:
                write_normal(_instances(), path)
        data = path.read_bytes()
    return gzip.GzipFile(fileobj=io.BytesIO(data)).read() if format == "jsonl" else data


def _rows() -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [_HEADER]
    for instance in _instances():
        for passage in instance.passages:
            path = passage.path if passage.path != passage.label else ""
            rows.append(
                (
                    instance.query.text,
                    passage.text,
                    passage.label or "",
                    passage.id,
                    passage.title,
                    instance.query.description or "",
                    path or "",
                )
            )
    return rows


def _instances() -> list[ClusteringInstance]:
    instances, number = [], 0
    for (query, description), examples in _EXAMPLES.items():
        passages = []
        for title, text, label, path in examples:
            number += 1
            passages.append(Passage(str(number), text, title, label=label, path=path or label))
        instances.append(ClusteringInstance(Query(query, description or None), tuple(passages)))
    return instances
