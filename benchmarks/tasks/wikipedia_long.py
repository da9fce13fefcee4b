"""Training articles of Wikipedia 2014 of about so many passages, as the paper of COB takes them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.tasks.wikipedia import CARDS as WIKIPEDIA
from subclust.core.records import ClusteringInstance, TaskCard
from subclust.labelled.reading.instances import read_instances

SPANS = {
    "wiki2014_n30": (28, 32),
    "wiki2014_n35": (33, 37),
    "wiki2014_n40": (38, 42),
    "wiki2014_n30_40": (30, 40),
    "wiki2014_n20_50": (20, 50),
}
"""Fewest and most passages of an article."""

_SIZES = {
    "wiki2014_n30": (221, 6_571, 7.8),
    "wiki2014_n35": (136, 4_710, 8.1),
    "wiki2014_n40": (80, 3_215, 8.4),
    "wiki2014_n30_40": (305, 10_304, 8.1),
    "wiki2014_n20_50": (1_394, 37_463, 7.1),
}
_WHOLE = next(card for card in WIKIPEDIA if card.name == "wiki2014_train")


def _card(name: str) -> TaskCard:
    least, most = SPANS[name]
    n_queries, n_passages, n_labels = _SIZES[name]
    return replace(
        _WHOLE,
        name=name,
        label=f"Wikipedia 2014, training, {least} to {most} passages",
        construction=(
            f"The articles with {least} to {most} passages. The paper (Kashyapi and Dietz, Learn "
            "the Big Picture, section 4.4.2) takes articles with exactly 30, 35 or 40, of which "
            "there are too few here."
        ),
        builder=f"benchmarks.tasks.wikipedia_long:{name.removeprefix('wiki2014_')}",
        n_queries=n_queries,
        n_passages=n_passages,
        n_labels=n_labels,
    )


CARDS: tuple[TaskCard, ...] = tuple(_card(name) for name in SPANS)


def of_length(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Take the articles of the card's span."""
    least, most = SPANS[card.name]
    return [i for i in read_instances(files[0]) if least <= len(i.passages) <= most]


n30 = n35 = n40 = n30_40 = n20_50 = of_length
"""The builder by a name for each card, since a name says how a task is made."""
