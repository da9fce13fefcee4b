"""Hit sets that are not all about the query, made from labelled queries.

The passages of one query are put beside passages of related queries. Asked for the first, its own
subtopics are to be told apart and everything else belongs in one group; asked for another, the same
passages divide differently. Only the query tells which, so a method that ignores it cannot win.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from subclust.core.records import ClusteringInstance, IntArray

ABOUT_SOMETHING_ELSE = "(about something else)"
"""Gold subtopic of the passages that do not belong to the query."""

MAX_OTHER_QUERIES = 8
OTHER_SHARE = (0.1, 0.75)
"""Least and largest share of a mixture that is not about its query."""

_SHARE_OF_RELATED = 0.7
_CHUNK = 512

Rows = tuple[int, IntArray]
"""Position of a query in its set, and positions of some of its passages."""


def related_queries(instances: Sequence[ClusteringInstance], n_related: int = 50) -> IntArray:
    """Find for each query those whose passages share most words with its own.

    Returns
    -------
    ndarray of shape (n_instances, n_related)
        Positions, most related first, the query itself left out; fewer columns where there are
        fewer other queries.
    """
    n_related = min(n_related, len(instances) - 1)
    if n_related < 1:
        return np.empty((len(instances), 0), dtype=np.int64)
    texts = [
        " ".join([instance.query.text, *(passage.text for passage in instance.passages)])
        for instance in instances
    ]
    vectors = TfidfVectorizer(
        stop_words="english", sublinear_tf=True, max_features=20_000, dtype=np.float32
    ).fit_transform(texts)
    result = np.empty((len(texts), n_related), dtype=np.int64)
    for start in range(0, len(texts), _CHUNK):
        scores = (vectors[start : start + _CHUNK] @ vectors.T).toarray()
        rows = np.arange(len(scores))
        scores[rows, start + rows] = -1
        # Stable: numpy orders equal scores differently on different processors otherwise.
        result[start : start + _CHUNK] = np.argsort(-scores, axis=1, kind="stable")[:, :n_related]
    return result


def draw_mixture(
    position: int,
    sizes: Sequence[int],
    related: IntArray,
    generator: np.random.Generator,
    max_passages: int,
) -> list[Rows]:
    """Choose passages of one query and of one to eight others.

    Parameters
    ----------
    position : int
        Of the query that is asked.
    sizes : sequence of int
        Number of passages of each query of the set.
    related : ndarray of shape (n_instances, n_related)
        As `related_queries` gives it; seven in ten of the others are drawn from it, the rest from
        all queries.
    max_passages : int
        Of the mixture, at least 3.

    Returns
    -------
    list of Rows
        The query itself first. Alone where there is no other query.
    """
    share = float(generator.uniform(*OTHER_SHARE))
    own = generator.permutation(sizes[position])[: max(2, int((1 - share) * max_passages))]
    drawn = [(position, np.sort(own))]
    if not related.shape[1]:
        return drawn
    left = min(max(1, round(len(own) * share / (1 - share))), max_passages - len(own))
    n_others = min(1 + int(generator.integers(MAX_OTHER_QUERIES)), left)
    chosen = {position}
    while left and len(chosen) < len(sizes):
        near = generator.random() < _SHARE_OF_RELATED
        other = int(generator.choice(related[position]) if near else generator.integers(len(sizes)))
        if other in chosen:
            continue
        chosen.add(other)
        rows = generator.permutation(sizes[other])[: -(-left // max(1, n_others))]
        left, n_others = left - len(rows), n_others - 1
        if len(rows):
            drawn.append((other, np.sort(rows)))
    return drawn


def mixture(instances: Sequence[ClusteringInstance], drawn: Sequence[Rows]) -> ClusteringInstance:
    """Put the chosen passages together under the first query.

    Returns
    -------
    ClusteringInstance
        The first query's passages with their gold subtopics, then the others', all of one:
        `ABOUT_SOMETHING_ELSE`.
    """
    position, own = drawn[0]
    passages = [instances[position].passages[row] for row in own]
    for other, rows in drawn[1:]:
        passages += [
            replace(
                instances[other].passages[row],
                label=ABOUT_SOMETHING_ELSE,
                path=ABOUT_SOMETHING_ELSE,
            )
            for row in rows
        ]
    return replace(instances[position], passages=tuple(passages))


def mix_all(
    instances: Sequence[ClusteringInstance], *, max_passages: int = 80, seed: int = 0
) -> list[ClusteringInstance]:
    """Mix each query's passages with those of others, always alike for a seed: for evaluation.

    Returns
    -------
    list of ClusteringInstance
        In the order of the set.
    """
    related = related_queries(instances)
    sizes = [len(instance.passages) for instance in instances]
    return [
        mixture(
            instances,
            draw_mixture(
                position, sizes, related, np.random.default_rng([seed, position]), max_passages
            ),
        )
        for position in range(len(instances))
    ]
