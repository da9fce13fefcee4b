"""Posts of 20 newsgroups in sets of 50, by newsgroup."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.tasks.documents import grouped, read_documents
from subclust.core.records import ClusteringInstance, TaskCard

SET_SIZE = 50
TRAINING_SHARE = 0.8
QUERY = "Newsgroup posts"

_BUILD = "benchmarks.tasks.newsgroups20:"
_TRAIN = TaskCard(
    name="newsgroups20_sets_train",
    label="20 Newsgroups in sets of 50, training",
    file="documents/newsgroups20_raw_train.jsonl.gz",
    sha256="794f4cf70ad44ec548c29ea2b648cb6ad6e2486a1cfc3dee1722bddb70ac322d",
    licence="Usenet posts of 1993, distributed for research; no licence stated",
    citation=(
        "Lang, NewsWeeder: Learning to Filter Netnews, ICML 1995; in sets as in Kashyapi and "
        "Dietz, Learn the Big Picture: Representation Learning for Clustering, section 4.1 and "
        "table 2."
    ),
    split="train",
    url="http://qwone.com/~jason/20Newsgroups/",
    construction=(
        "The posts of the training part (by date) are drawn by lot into sets of 50, and what is "
        "left over is in none; four fifths of the sets are for training, the others for "
        "validation. The paper has no query, so all sets have the same, 'Newsgroup posts'. Posts "
        "of which nothing is left without headers and quotations are not in the file: 218 and 142 "
        "sets come of its two parts, where the paper had 226 and 150."
    ),
    builder=_BUILD + "training",
    seed=0,
    shared_queries=True,
    n_queries=174,
    n_passages=8700,
    n_labels=18.4,
)

CARDS: tuple[TaskCard, ...] = (
    _TRAIN,
    replace(
        _TRAIN,
        name="newsgroups20_sets_validation",
        label="20 Newsgroups in sets of 50, validation",
        split="validation",
        builder=_BUILD + "validation",
        n_queries=44,
        n_passages=2200,
        n_labels=18.5,
    ),
    replace(
        _TRAIN,
        name="newsgroups20_sets_test",
        label="20 Newsgroups in sets of 50, test",
        file="documents/newsgroups20_raw_test.jsonl.gz",
        sha256="fa87859cdda378f4413deae3a78dc267e5fb05c3a32c78aada755155406ec5b0",
        split="test",
        construction=(
            "The posts of the test part (by date) are drawn by lot into sets of 50, and what is "
            "left over is in none. Otherwise as newsgroups20_sets_train."
        ),
        builder=_BUILD + "sets",
        n_queries=142,
        n_passages=7100,
        n_labels=18.4,
    ),
)


def sets(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw all posts of a file into sets."""
    return grouped(read_documents(files[0]), QUERY, SET_SIZE, card.seed or 0)


def training(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Take the first four fifths of the sets."""
    drawn = sets(card, files)
    return drawn[: int(TRAINING_SHARE * len(drawn))]


def validation(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Take the sets that `training` leaves."""
    drawn = sets(card, files)
    return drawn[int(TRAINING_SHARE * len(drawn)) :]
