"""The Wikipedia tasks with passages of other articles among the hits: what the query is for."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.tasks.wikipedia import CARDS as WIKIPEDIA
from subclust.core.records import ClusteringInstance, TaskCard
from subclust.labelled.reading.instances import read_instances
from subclust.training.mixing import mix_all

SUFFIX = "_mixed"
_SEED = 0
_SIZES = {
    "wiki2014_validation": (18_825, 6.1),
    "wiki2021_test": (14_096, 6.0),
    "trec_car_a": (3_930, 6.5),
}

CARDS: tuple[TaskCard, ...] = tuple(
    replace(
        card,
        name=card.name + SUFFIX,
        label=f"{card.label}, mixed with other articles",
        construction=(
            "Each query's passages and those of one to eight other articles of the file, seven in "
            "ten of them drawn from the fifty that share most words with it, so that 10% to 75% of "
            "the hits are about something else; those are one subtopic. Asked for by another "
            "query, the same passages divide differently."
        ),
        builder="benchmarks.tasks.mixed:build",
        seed=_SEED,
        n_passages=_SIZES[card.name][0],
        n_labels=_SIZES[card.name][1],
    )
    for card in WIKIPEDIA
    if card.split in ("validation", "test")
)


def build(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Mix the queries of the file with each other."""
    return mix_all(read_instances(files[0]), seed=card.seed or 0)
