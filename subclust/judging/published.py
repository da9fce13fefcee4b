"""What the papers published beside what was measured here, as the Benchmarks page shows it."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from subclust.core.messages import Message

PUBLISHED = Path(__file__).with_name("published.json")
"""Written by ``python -m benchmarks report``."""


@cache
def read_published() -> list[dict[str, Any]]:
    """Read the papers, that of the default method first.

    Returns
    -------
    list of dict
        ``name``, ``label``, ``citation``, ``url``, ``difference`` and ``tables`` of each; of a
        table ``name``, ``label``, ``caption``, ``reference``, ``alpha``, ``main`` (the column that
        is read first), ``columns``, the paper's ``rows``, and those of our ``own`` methods. The
        cells of a row stand in the order of the columns, each with what there is of ``folder``,
        ``published``, ``ours``, ``missing``, ``gain`` and ``test``.
    """
    papers: list[dict[str, Any]] = json.loads(PUBLISHED.read_text(encoding="utf-8"))["papers"]
    for paper in papers:
        for table in paper["tables"]:
            for column in table["columns"]:
                column["sentences"] = [Message.from_dict(one) for one in column["sentences"]]
    return papers


def as_csv(paper: Mapping[str, Any]) -> str:
    """Write the tables of a paper as one, a line for each method and column."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    test = ("mark", "mean_difference", "low", "high", "p_corrected", "wins", "ties", "losses")
    ours = ("mean", "stderr", "spread", "n_queries")
    writer.writerow(
        ["table", "column", "data", "metric", "granularity", "method", "published"]
        + [f"published_{name}" for name in ("mark", "spread")]
        + [*ours, "missing", "gain_published", "gain_ours", "reference", *test]
    )
    for table in paper["tables"]:
        for row in (*table["rows"], *table["own"]):
            for column, cell in zip(table["columns"], row["cells"], strict=True):
                parts = {name: cell.get(name, {}) for name in ("published", "ours", "gain", "test")}
                writer.writerow(
                    [table["label"], column["label"], column["task_label"], column["metric"]]
                    + [column["granularity"], row["label"]]
                    + [parts["published"].get(name) for name in ("value", "mark", "spread")]
                    + [parts["ours"].get(name) for name in ours]
                    + [
                        cell.get("missing"),
                        parts["gain"].get("published"),
                        parts["gain"].get("ours"),
                    ]
                    + [table["reference"], *(parts["test"].get(name) for name in test)]
                )
    return text.getvalue()


def published_texts() -> Iterator[str]:
    """Yield what the papers' tables say in words, for the catalogues of the interface."""
    for paper in read_published():
        yield paper["difference"]
        for table in paper["tables"]:
            yield table["caption"]
            yield from (row["note"] for row in (*table["rows"], *table["own"]) if row["note"])
            for column in table["columns"]:
                yield column["difference"]
                for sentence in column["sentences"]:
                    yield from _templates(sentence)


def _templates(sentence: Message) -> Iterator[str]:
    if sentence.values:
        yield sentence.template
    for value in sentence.values.values():
        if isinstance(value, Message):
            yield from _templates(value)
