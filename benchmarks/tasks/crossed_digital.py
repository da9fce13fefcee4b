"""Questions over abstracts of arXiv's digital libraries, each with a division made by hand."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.tasks.crossed import records
from benchmarks.tasks.crossed_demo import labelled
from subclust.core.records import ClusteringInstance, Passage, TaskCard

LABELS = Path(__file__).with_suffix(".json")
"""Searches, the ids of their abstracts, and for each question the label of each abstract."""

CARD = TaskCard(
    name="crossed_digital_test",
    label="Abstracts on digital libraries, two questions a search",
    file="documents/arxiv_cs_dl.jsonl.gz",
    sha256="c2f1a21ae565948b59b1990d6505a707200e1b566ed96ddf5464a7736be7e85e",
    licence="CC0 1.0 (arXiv metadata)",
    citation="Abstracts of arXiv's section on digital libraries (cs.DL), 1998 to 2019.",
    split="test",
    url="https://www.kaggle.com/Cornell-University/arxiv",
    construction=(
        "The 30 abstracts that BM25 ranks first for each of eight searches, and for each search "
        "two questions that divide them differently: by what is studied, and by kind of study, or, "
        "for one search, by country and by what is asked. Questions were written and abstracts "
        "labelled by one reader before any grouping of them was seen. The two divisions have an "
        "adjusted mutual information of .15 on average. They are hard to recover: where each "
        "abstract goes to the label whose other abstracts have the nearest mean vector, the "
        "adjusted Rand index is 0.23 and 0.14."
    ),
    builder="benchmarks.tasks.crossed_digital:questions",
    n_queries=16,
    n_passages=480,
    n_labels=6.1,
)


def questions(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Put the labels beside the abstracts, two questions in a row for each search."""
    passages = {
        one["id"]: Passage(one["id"], one["text"], title=one["title"]) for one in records(files[0])
    }
    return labelled(LABELS, passages)
