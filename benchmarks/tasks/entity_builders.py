"""How the subsets of each data set of entities are drawn."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.tasks.entity_files import Record, parts, parts_by_label, read_entities
from benchmarks.tasks.subsets import (
    SubsetShape,
    draw_in_context,
    draw_subsets,
    family_of,
)
from subclust.core.records import ClusteringInstance, Passage, TaskCard

N_SUBSETS = {"train": 6000, "validation": 400, "test": 600}
N_LARGE_SUBSETS = {"train": 1000, "validation": 100, "test": 200}
"""Where a subset has some fifty entities."""

SHARES = {"train": 0.5, "validation": 0.2, "test": 0.3}
HELD_OUT_SHARES = {"validation": 0.3, "test": 0.7}
DIVISION_SEED = 0
"""All splits of a set are cut from one division; a card's own seed draws its subsets."""

REQUESTS = "Requests to an assistant"
QUESTIONS = "Programming questions"
TITLES = "Titles of papers"

ARCHIVES: Mapping[str, str] = {
    "astro-ph": "Astrophysics",
    "cond-mat": "Condensed Matter",
    "cs": "Computer Science",
    "eess": "Electrical Engineering and Systems",
    "math": "Mathematics",
    "nlin": "Nonlinear Systems",
    "physics": "Physics",
    "q-bio": "Quantitative Biology",
    "q-fin": "Quantitative Finance",
    "stat": "Statistics",
}
"""Archives with four categories or more, and their titles."""


def clinc(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw utterances of related intents."""
    return draw_subsets(_clinc(files), _shape(card, (5, 8), 1.75), REQUESTS, _seed(card))


def clinc_unseen(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw utterances of related intents that no other split has."""
    documents = parts_by_label(_clinc(files), SHARES, DIVISION_SEED)[card.split]
    return draw_subsets(documents, _shape(card, (3, 4), 1.0), REQUESTS, _seed(card))


def clinc_context(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw utterances to be divided by domain or by intent, of intents that no other split has."""
    documents = parts_by_label(_clinc(files), SHARES, DIVISION_SEED)[card.split]
    return draw_in_context(documents, _shape(card, (3, 6), 1.2), REQUESTS, _seed(card))


def clinc_gifts(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw many utterances of related intents."""
    shape = SubsetShape(
        N_LARGE_SUBSETS[card.split], smallest=30, largest=80, mean=46, breadth=(4, 8), skew=1.0
    )
    return draw_subsets(_clinc(files), shape, REQUESTS, _seed(card))


def hwu64(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw utterances of related intents."""
    return draw_subsets(_hwu64(files), _shape(card, (5, 8), 1.75), REQUESTS, _seed(card))


def hwu64_unseen(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw utterances of related intents that no other split has."""
    documents = parts_by_label(_hwu64(files), SHARES, DIVISION_SEED)[card.split]
    return draw_subsets(documents, _shape(card, (3, 4), 1.0), REQUESTS, _seed(card))


def stackoverflow(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw titles of related tags."""
    documents = read_entities(files[0], lambda record: "stackoverflow")
    part = parts(documents, SHARES, DIVISION_SEED)[card.split]
    return draw_subsets(part, _shape(card, (5, 8), 1.75), QUESTIONS, _seed(card))


def arxiv(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw titles of related categories of one archive, whose title is the query."""
    return draw_subsets(
        _arxiv(card, files),
        _shape(card, (5, 8), 1.75),
        lambda archive: ARCHIVES[archive],
        _seed(card),
        within_families=True,
    )


def arxiv_context(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Draw titles to be divided by archive or by category."""
    return draw_in_context(_arxiv(card, files), _shape(card, (3, 6), 1.2), TITLES, _seed(card))


def _shape(card: TaskCard, breadth: tuple[int, int], skew: float) -> SubsetShape:
    """Return the shape of the Amazon sets of table 1, in number of entities."""
    return SubsetShape(
        N_SUBSETS[card.split], smallest=3, largest=20, mean=5.4, breadth=breadth, skew=skew
    )


def _seed(card: TaskCard) -> int:
    return card.seed or 0


def _clinc(files: Sequence[Path]) -> list[Passage]:
    def domain(record: Record) -> str:
        return str(record["domain"])

    return [document for file in files for document in read_entities(file, domain)]


def _hwu64(files: Sequence[Path]) -> list[Passage]:
    def scenario(record: Record) -> str:
        return str(record["label"]).partition("_")[0]

    return [document for file in files for document in read_entities(file, scenario)]


def _arxiv(card: TaskCard, files: Sequence[Path]) -> list[Passage]:
    def archive(record: Record) -> str:
        return str(record["archive"])

    documents = [
        document
        for document in read_entities(files[0], archive, text="title")
        if family_of(document) in ARCHIVES
    ]
    if card.split == "train":
        return documents
    return parts(documents, HELD_OUT_SHARES, DIVISION_SEED)[card.split]
