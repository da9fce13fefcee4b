"""Which candidates are good names: trees grown on groups whose headings are known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.grown_trees import trees_of
from benchmarks.headings.bank import headings_of
from subclust.core.records import BoolArray, ClusteringInstance, FloatArray, IntArray, Query
from subclust.core.trees import BoostedTrees
from subclust.grouping.naming.candidates import (
    WORDING,
    Candidates,
    Said,
    candidates_of,
    columns_of,
)
from subclust.grouping.naming.heading_namer import Encode
from subclust.grouping.naming.headings import Headings, counted
from subclust.grouping.naming.pairs import joined
from subclust.grouping.naming.places import LEARNT, MEANING, Places

COLUMNS = tuple(np.cumsum([len(WORDING), len(MEANING), len(LEARNT)]).tolist())
"""Numbers of columns: of words, with those of vectors, with those of what was learnt."""

_NEAR: dict[str, Any] = {"max_iter": 150, "learning_rate": 0.08, "max_leaf_nodes": 15}
_EXACT: dict[str, Any] = {"max_iter": 100, "learning_rate": 0.06, "max_leaf_nodes": 8}

_POOLED = (4, 9)
_FROM_EACH = (2, 7)


@dataclass(frozen=True)
class Named:
    """Groups whose names are known.

    Parameters
    ----------
    group_of : ndarray of shape (n_passages,)
    embeddings : ndarray of shape (n_passages, dim)
    names : list of str
        Of the groups.
    """

    query: str
    texts: list[str]
    group_of: IntArray
    embeddings: FloatArray
    names: list[str]


def gold_groups(article: ClusteringInstance, embeddings: FloatArray) -> Named:
    """Return the sections of an article."""
    names = headings_of(article)
    group_of = np.array([names.index(str(one.label)) for one in article.passages])
    return Named(
        article.query.text, [one.text for one in article.passages], group_of, embeddings, names
    )


def found_groups(named: Named) -> Named:
    """Group the passages as average link does; what is no longer half of a section is left out.

    Of several groups of one section the one with most of it has its name.
    """
    n_groups = len(named.names)
    if len(named.texts) <= n_groups:
        return named
    joins = linkage(named.embeddings.astype(np.float64), "average", metric="cosine")
    labels = fcluster(joins, n_groups, "maxclust")
    of_section: dict[int, tuple[int, int]] = {}
    for label in np.unique(labels).tolist():
        counts = np.bincount(named.group_of[labels == label], minlength=n_groups)
        section = int(counts.argmax())
        size = int(counts[section])
        if size >= counts.sum() / 2 and size > of_section.get(section, (0, 0))[0]:
            of_section[section] = size, label
    kept = sorted(of_section)
    group_of = np.full(len(labels), -1)
    for place, section in enumerate(kept):
        group_of[labels == of_section[section][1]] = place
    rows = np.flatnonzero(group_of >= 0)
    return Named(
        named.query,
        [named.texts[row] for row in rows],
        group_of[rows],
        named.embeddings[rows],
        [named.names[section] for section in kept],
    )


def pooled_articles(
    articles: Sequence[ClusteringInstance],
    embeddings: Sequence[FloatArray],
    n: int,
    rng: np.random.Generator,
) -> Iterator[Named]:
    """Make groups of some passages of related articles, named by their titles.

    Asked for is another article near by. In every second pool the passages begin with the title, as
    those of a library do.
    """
    means = np.stack([one.mean(axis=0) for one in embeddings])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    for number, seed in enumerate(rng.permutation(len(articles))[:n].tolist()):
        near = np.argsort(-(means @ means[seed]), kind="stable")
        chosen = [int(near[0]), *near[2 : rng.integers(*_POOLED) + 1].tolist()]
        texts: list[str] = []
        group_of: list[int] = []
        vectors: list[FloatArray] = []
        for group, article in enumerate(chosen):
            passages = articles[article].passages
            rows = rng.permutation(len(passages))[: rng.integers(*_FROM_EACH)]
            title = articles[article].query.text.partition(" (")[0]
            before = f"{title}. " if number % 2 else ""
            texts += [before + passages[row].text for row in rows]
            group_of += [group] * len(rows)
            vectors.append(embeddings[article][rows])
        names = [articles[article].query.text for article in chosen]
        asked = articles[int(near[1])].query.text
        yield Named(asked, texts, np.array(group_of), np.concatenate(vectors), names)


@dataclass(frozen=True)
class Rows:
    """Candidates, or joined ones, of many groups.

    Parameters
    ----------
    columns : ndarray of shape (n_rows, n_columns)
    near, exact : ndarray of shape (n_rows,)
        Whether the group's own name is nearest among those of the groups, and whether the candidate
        is that name.
    """

    columns: FloatArray
    near: BoolArray
    exact: BoolArray

    @classmethod
    def of(cls, parts: Sequence["Rows"]) -> "Rows":
        """Put rows one below the other."""
        return cls(
            np.concatenate([one.columns for one in parts]),
            np.concatenate([one.near for one in parts]),
            np.concatenate([one.exact for one in parts]),
        )


class Judged:
    """The candidates of groups whose names are known.

    Parameters
    ----------
    headings : Headings
        With bank, words and maps.
    encode : callable
        Encodes texts as vectors of length 1.

    Attributes
    ----------
    n_groups : int
    single : Rows
        The candidates, each alone.
    """

    def __init__(self, named: Named, headings: Headings, encode: Encode) -> None:
        n_groups = len(named.names)
        query = encode([named.query])[0]
        self._headings = headings
        self._places = Places.of(named.embeddings, named.group_of, n_groups, query, headings)
        said = Said(Query(named.query), named.texts, named.group_of, n_groups, headings)
        self._languages = said.languages
        self._found = candidates_of(said, range(n_groups), self._places, headings)
        self._vectors = np.asarray(encode(self._found.texts), dtype=np.float32)
        self.n_groups = n_groups
        self._names = named.names
        self._aims = encode(named.names)
        self.single = self._rows(self._found, self._vectors)

    def pairs(self, scores: Sequence[float]) -> Rows | None:
        """Join the candidates that score best; None where none can be joined."""
        found, vectors = joined(self._found, self._vectors, scores, self._languages)
        return None if vectors is None else self._rows(found, vectors)

    def _rows(self, found: Candidates, vectors: FloatArray) -> Rows:
        groups = np.asarray(found.groups)
        keys = [counted(name) for name in self._names]
        exact = [
            counted(text) == keys[group]
            for text, group in zip(found.texts, found.groups, strict=True)
        ]
        return Rows(
            columns_of(found, vectors, self._places, self._headings),
            (vectors @ self._aims.T).argmax(axis=1) == groups,
            np.array(exact, dtype=bool),
        )


def grow_trees(judged: Sequence[Judged], n_columns: int) -> tuple[BoostedTrees, BoostedTrees]:
    """Grow trees for being nearest and for being exact, over the first columns.

    Pairs are joined by what trees over single candidates alone say is nearest.
    """
    single = Rows.of([one.single for one in judged])
    first = _grow(single.columns[:, :n_columns], single.near, **_NEAR)
    parts = [single]
    for one in judged:
        pairs = one.pairs(first.probabilities(one.single.columns[:, :n_columns]).tolist())
        parts += [] if pairs is None else [pairs]
    rows = Rows.of(parts)
    columns = rows.columns[:, :n_columns]
    return _grow(columns, rows.near, **_NEAR), _grow(columns, rows.exact, **_EXACT)


def _grow(columns: FloatArray, wanted: BoolArray, **values: Any) -> BoostedTrees:
    grown = HistGradientBoostingClassifier(
        min_samples_leaf=40, l2_regularization=1.0, early_stopping=False, random_state=0, **values
    ).fit(columns, wanted)
    return trees_of(grown)
