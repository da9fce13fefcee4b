"""The columns of a comparison: how each groups the hits, and how it agrees with their labels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from subclust.core.records import Passage, Query, QueryContext
from subclust.evaluation.metrics import (
    adjusted_mutual_information,
    adjusted_rand_index,
    bcubed_f1,
    normalised_mutual_information,
)
from subclust.grouping.clustering.base import NumberOfClusters

LETTERS = "ABCD"
"""What columns are called."""

MIN_COLUMNS = 2
MAX_COLUMNS = len(LETTERS)


@dataclass(frozen=True)
class Column:
    """How one column groups the hits that all columns share.

    Parameters
    ----------
    method : str
        ``"default"`` or a name of the registry.
    checkpoint : str or None
        A trained model of the method; None is the one in use.
    n_clusters : int or "auto"
    context : {"title", "description", "passages"}
        What a trained method takes as the query.
    query : str
        Another query to group the same hits under; empty is the one that found them.
    description : str
        The query in more words, for the context ``"description"``.
    way : str
        Key of the way in which the hits are divided, see `subclust.pipeline.ways`; empty where the
        query decides.
    """

    method: str = "default"
    checkpoint: str | None = None
    n_clusters: NumberOfClusters = "auto"
    context: QueryContext = "title"
    query: str = ""
    description: str = ""
    way: str = ""

    def asked(self, query: str) -> Query:
        """Put the query under which this column groups the hits of another one."""
        text = self.query.strip() or query.strip()
        return Query(text, self.description.strip() or None, self.context, way=self.way)


@dataclass(frozen=True)
class GoldScores:
    """How well a grouping agrees with the labels; higher is better.

    Parameters
    ----------
    ari, ami : float
        At most 1, which is the labels' own grouping; 0 is chance.
    nmi, bcubed_f1 : float
        0 to 1, which is the labels' own grouping.
    n_passages, n_labels : int
        Hits that have a label, and different labels among them.
    """

    ari: float
    ami: float
    nmi: float
    bcubed_f1: float
    n_passages: int
    n_labels: int


def gold_labels(passages: Sequence[Passage]) -> dict[str, str]:
    """Return the label of each passage that has one, by the passage's id.

    Where passages are parts of documents, a label is one of its document: "History" in two
    articles is two subtopics. Documents of several passages are known by their common title.
    """
    titles = Counter(passage.title for passage in passages if passage.title)
    in_parts = any(count > 1 for count in titles.values())
    return {
        passage.id: f"{passage.title} / {passage.label}" if in_parts else passage.label
        for passage in passages
        if passage.label
    }


def gold_scores(passages: Sequence[Passage], groups: Mapping[str, int]) -> GoldScores | None:
    """Measure a grouping against the labels of its passages.

    Parameters
    ----------
    passages : sequence of Passage
    groups : mapping of str to int
        Group of each passage by its id; "other passages" (-1) count as one group.

    Returns
    -------
    GoldScores or None
        None where fewer than two labels, or nothing but passages with labels of their own, leave
        nothing to be right or wrong about.
    """
    labels = gold_labels(passages)
    ids = [id_ for id_ in labels if id_ in groups]
    gold = [labels[id_] for id_ in ids]
    if not 2 <= len(set(gold)) < len(gold):
        return None
    found = [groups[id_] for id_ in ids]
    return GoldScores(
        ari=adjusted_rand_index(gold, found),
        ami=adjusted_mutual_information(gold, found),
        nmi=normalised_mutual_information(gold, found),
        bcubed_f1=bcubed_f1(gold, found),
        n_passages=len(gold),
        n_labels=len(set(gold)),
    )
