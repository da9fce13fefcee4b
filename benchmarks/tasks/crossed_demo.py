"""Fifty questions over hits of the demo library, each with a division made by hand."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from subclust.core.records import ClusteringInstance, Passage, Query, TaskCard
from subclust.judging.demo import CARDS as DEMO

LABELS = Path(__file__).with_suffix(".json")
"""Searches, the ids of their hits, and for each question the label of each hit."""

_DEMO = DEMO[0]

CARD = TaskCard(
    name="crossed_demo_test",
    label="Demo library, two questions a search",
    file=_DEMO.file,
    sha256=_DEMO.sha256,
    licence=_DEMO.licence,
    citation=_DEMO.citation,
    split="test",
    url=_DEMO.url,
    construction=(
        "The first 30 hits of 25 searches of the demo library, and for each search two questions "
        "that divide them differently, mostly by what the hits are about and by what they say of "
        "it. Questions were written and hits labelled by one reader, from the beginning of each "
        "passage, before any grouping of them was seen. Some searches stay within few articles. "
        "The two divisions have an adjusted mutual information of .23 on average, so they are less "
        "independent than those of the other crossed tasks. Where each passage goes to the label "
        "whose other passages have the nearest mean vector, the adjusted Rand index is 0.61 and "
        "0.42."
    ),
    builder="benchmarks.tasks.crossed_demo:questions",
    package=_DEMO.package,
    n_queries=50,
    n_passages=1500,
    n_labels=7.1,
)


def questions(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Put the labels beside the passages, two questions in a row for each search."""
    from subclust.text.sources.base import Document
    from subclust.text.sources.wikidump import WikipediaDump

    dump = WikipediaDump(files[0], licence=card.licence, sha256=card.sha256)
    passages = {
        passage.id: passage
        for document in dump
        if isinstance(document, Document)
        for passage in document.passages
    }
    return labelled(LABELS, passages)


def labelled(labels: Path, passages: Mapping[str, Passage]) -> list[ClusteringInstance]:
    """Read questions with a label for each hit; the two of a search stand in a row.

    Parameters
    ----------
    labels : Path
        Of a file as `LABELS`.
    passages : mapping of str to Passage
        By their ids.
    """
    return [
        ClusteringInstance(
            Query(one["question"]),
            tuple(
                replace(passages[id], label=label, path=label)
                for id, label in zip(search["passages"], one["labels"], strict=True)
            ),
        )
        for search in json.loads(labels.read_text(encoding="utf-8"))
        for one in search["questions"]
    ]
