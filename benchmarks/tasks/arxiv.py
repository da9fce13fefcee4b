"""Abstracts of seven arXiv archives, by category, in two folds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.tasks.documents import read_documents, shuffled
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query, TaskCard

N_ABSTRACTS = 500
"""Sampled in each archive."""

ARCHIVES: Mapping[str, str] = {
    "eess": "Electrical Engineering and Systems",
    "astro-ph": "Astrophysics",
    "cond-mat": "Condensed Matter",
    "nlin": "Nonlinear Systems",
    "q-bio": "Quantitative Biology",
    "q-fin": "Quantitative Finance",
    "stat": "Statistics",
}
"""Archives and their titles, which are the queries, as in table 3 of the paper."""

_FOLD = TaskCard(
    name="arxiv_fold1",
    label="arXiv abstracts, fold 1",
    file="documents/arxiv_train.jsonl.gz",
    sha256="88761574cc76c8c1ab30ca2ea052fb49a160bf52c25ef7bd88cd294751d0e7e7",
    licence="CC0 1.0 (arXiv metadata)",
    citation=(
        "Kashyapi and Dietz, Query-specific Subtopic Clustering, JCDL 2022, section 5 and table 3; "
        "abstracts of arXiv, 1993 to 2019."
    ),
    split="fold",
    url="https://www.kaggle.com/Cornell-University/arxiv",
    construction=(
        "The query is an archive's title, its subtopics are the archive's categories, a passage is "
        "an abstract. 500 abstracts an archive, as if drawn by lot from everything that the source "
        "has under its categories: the file holds at most 600 a category, so the draw is made over "
        "the counts of the source (available_in_source) and filled from the file, which brings "
        "back the uneven categories of the paper's table 3. Each category is divided evenly "
        "between two folds of 250. Categories that the source has only by cross-listing "
        "(cross_listed_only) are kept: they are all of astro-ph, 7 of the 9 of cond-mat, and "
        "stat.ML. Their papers are all listed under a second category too, so they are the more "
        "mixed ones, and their counts are lower than arXiv's. Of eess there are 4 categories; the "
        "paper had 3."
    ),
    builder="benchmarks.tasks.arxiv:fold1",
    seed=0,
    other_files={
        "documents/arxiv_categories.tsv": (
            "cd7a8305622e17fab94ad61810fda9b54c50df5a676b00a210e47d86acf93b44"
        )
    },
    shared_queries=True,
    n_queries=7,
    n_passages=1750,
    n_labels=6.9,
)

CARDS: tuple[TaskCard, ...] = (
    _FOLD,
    replace(
        _FOLD,
        name="arxiv_fold2",
        label="arXiv abstracts, fold 2",
        builder="benchmarks.tasks.arxiv:fold2",
    ),
    replace(
        _FOLD,
        name="arxiv_validation",
        label="arXiv abstracts, validation",
        file="documents/arxiv_test.jsonl.gz",
        sha256="942ae36191b105c280e56d46d739f6ae7f7156305b72b7d5924614f345f12aa1",
        construction=(
            "As the folds, but 250 other abstracts an archive, drawn by lot from a file that has "
            "about as many of each category: for choosing parameters, since the paper's two folds "
            "leave nothing to choose them on."
        ),
        builder="benchmarks.tasks.arxiv:validation",
        split="validation",
        other_files={},
    ),
)


def fold1(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Build the first fold."""
    return _build(card, files)[0]


def fold2(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Build the second fold."""
    return _build(card, files)[1]


def validation(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Build the queries that parameters are chosen on."""
    instances = []
    for name, passages in _by_archive(files[0]).items():
        counts = Counter(passage.label or "" for passage in passages)
        drawn = sample(passages, counts, N_ABSTRACTS // 2, card.seed or 0)
        instances.append(ClusteringInstance(Query(ARCHIVES[name]), tuple(drawn)))
    return instances


def archive(category: str) -> str:
    """Return the archive of a category: ``"q-bio.NC"`` is of ``"q-bio"``."""
    return category.partition(".")[0]


def sample(
    documents: Sequence[Passage], available: Mapping[str, int], n: int, seed: int
) -> list[Passage]:
    """Draw documents as if by lot from everything that the source has.

    Source: Kashyapi and Dietz, JCDL 2022, section 5 ("randomly sample 500 paper abstracts for each
    subject").

    Parameters
    ----------
    documents : sequence of Passage
        Of one archive; of each category a random part of what the source has.
    available : mapping of str to int
        Documents that the source has by category.
    n : int
        Documents to draw.

    Returns
    -------
    list of Passage
        In an order drawn by lot that does not depend on that of `documents`.

    Raises
    ------
    BenchmarkError
        If a category has fewer documents here than were drawn of it.
    """
    slots = [(label, k) for label, count in available.items() for k in range(count)]
    drawn = shuffled(slots, seed, lambda slot: f"{slot[0]}#{slot[1]}")[:n]
    wanted = dict.fromkeys(available, 0)
    for label, _ in drawn:
        wanted[label] += 1
    chosen = []
    for passage in shuffled(documents, seed, lambda passage: passage.id):
        if wanted.get(passage.label or "", 0) > 0:
            wanted[passage.label or ""] -= 1
            chosen.append(passage)
    missing = sum(wanted.values()) + n - len(drawn)
    if missing:
        raise BenchmarkError(
            "{missing} of the {n} documents that were drawn are not in the file; draw fewer, or "
            "take a larger file.",
            missing=missing,
            n=n,
        )
    return chosen


def stratified_folds(passages: Sequence[Passage]) -> tuple[list[Passage], list[Passage]]:
    """Divide passages in two, each label evenly.

    Parameters
    ----------
    passages : sequence of Passage
        In random order.

    Returns
    -------
    tuple of two lists
        Their sizes, and the numbers that they have of one label, differ by at most 1.
    """
    by_label = sorted(passages, key=lambda passage: passage.label or "")
    return by_label[::2], by_label[1::2]


def _build(
    card: TaskCard, files: Sequence[Path]
) -> tuple[list[ClusteringInstance], list[ClusteringInstance]]:
    documents, table = files
    available = _available(table)
    folds: tuple[list[ClusteringInstance], list[ClusteringInstance]] = ([], [])
    for name, passages in _by_archive(documents).items():
        counts = {label: n for label, n in available.items() if archive(label) == name}
        drawn = sample(passages, counts, N_ABSTRACTS, card.seed or 0)
        for fold, part in zip(folds, stratified_folds(drawn), strict=True):
            fold.append(ClusteringInstance(Query(ARCHIVES[name]), tuple(part)))
    return folds


def _by_archive(documents: Path) -> dict[str, list[Passage]]:
    by_archive: dict[str, list[Passage]] = {name: [] for name in ARCHIVES}
    for passage in read_documents(documents):
        if archive(passage.label or "") in by_archive:
            by_archive[archive(passage.label or "")].append(passage)
    return by_archive


def _available(table: Path) -> dict[str, int]:
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    column = rows[0].index("available_in_source")
    return {row[0]: int(row[column]) for row in rows[1:]}
