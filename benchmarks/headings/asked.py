"""Groups as searches bring them: questions to a library of articles, divided by the default.

Such groups are not pure, and what is found beside the article asked for is in them, too.
"""

import copy
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.headings.ranking import Named
from benchmarks.shelves import Shelf, question_on
from subclust.cli.printing import progress_bar
from subclust.core.records import ClusteringInstance, FloatArray, IntArray, Passage, Query
from subclust.grouping.naming.headings import counted
from subclust.methods import LoadedMethod
from subclust.pipeline.assemble import MAX_OTHER
from subclust.text.encoders import Encoder, with_embedding
from subclust.text.retrieval.hit_features import spread_features, with_both
from subclust.text.retrieval.relevance import cut_of, shipped_model

_FORMS = ("title", "title", "part", "reversed", "words")
_HITS = 100
_LEAST = 8
"""Passages about the question, without which it is left out."""

_MOST = 0.5
"""Share of a group's passages that must have its name."""


def asked_groups(
    articles: Sequence[ClusteringInstance],
    embeddings: Sequence[FloatArray],
    n: int,
    method: LoadedMethod,
    encoder: Encoder,
    rng: np.random.Generator,
) -> Iterator[Named]:
    """Ask for n articles in a library of all, and name the groups that come.

    A group of the article asked for has the heading that most of its passages have; one of another
    article that article's title; one of several articles the heading that they share. What is half
    of nothing is left out, and so is the smaller of two groups with one name.

    Parameters
    ----------
    embeddings : sequence of n_articles ndarray of shape (n_passages, embedding_dim)
        By the base encoder, of length 1.
    n : int
        At most so many.
    method : LoadedMethod
        The default one.
    encoder : Encoder
        The base encoder.
    """
    shelf = Shelf(articles, embeddings)
    passages = [passage for article in articles for passage in article.passages]
    chosen = rng.permutation(len(articles))[:n].tolist()
    tell = progress_bar("Asking")
    for done, place in enumerate(chosen, start=1):
        question = question_on(articles[place], _FORMS[rng.integers(len(_FORMS))], rng)
        rows = _about(shelf, question, encoder)
        tell(done, len(chosen))
        if len(rows) < _LEAST:
            continue
        found = [passages[row] for row in rows]
        labels = _divided(question, found, shelf.embeddings[rows], method, encoder)
        named = name_groups(found, shelf.article[rows], labels, articles)
        kept = np.flatnonzero(np.isin(labels, list(named)))
        if len(named) > 1:
            groups = sorted(named)
            yield Named(
                question,
                [found[row].text for row in kept],
                np.searchsorted(groups, labels[kept]),
                shelf.embeddings[rows[kept]],
                [named[group] for group in groups],
            )


def as_instance(named: Named) -> ClusteringInstance:
    """Return the groups as labelled passages, to be measured as sections are."""
    passages = [
        Passage(str(number), text, label=named.names[group])
        for number, (text, group) in enumerate(zip(named.texts, named.group_of, strict=True))
    ]
    return ClusteringInstance(Query(named.query), tuple(passages))


def _about(shelf: Shelf, question: str, encoder: Encoder) -> IntArray:
    """Return the rows that are about a question, by the usual cut."""
    model = shipped_model()
    sight = shelf.see(question, encoder.encode_asked(question), _HITS)
    first = model.alone.probabilities(sight.features)
    around = spread_features(with_both(sight.likenesses), first)
    found = model.together.probabilities(np.column_stack([sight.features, around]))
    return sight.rows[found >= cut_of(found)]


def _divided(
    question: str,
    passages: Sequence[Passage],
    plain: FloatArray,
    method: LoadedMethod,
    encoder: Encoder,
) -> IntArray:
    texts = [passage.text for passage in passages]
    vectors = method.encoder.encode_beside(texts, {encoder.revision: plain})
    query = with_embedding(Query(question), method.encoder, vectors, asked=True)
    clusterer = copy.copy(method.clusterer)
    clusterer.n_clusters, clusterer.max_other = "auto", MAX_OTHER
    clusterer.fit(texts, query=query, embeddings=vectors)
    return clusterer.labels_


def name_groups(
    passages: Sequence[Passage],
    owners: IntArray,
    labels: IntArray,
    articles: Sequence[ClusteringInstance],
) -> dict[int, str]:
    """Name the groups of which half or more have one name."""
    asked_for = int(np.bincount(owners).argmax())
    sizes: dict[str, tuple[int, int]] = {}
    for group in range(int(labels.max(initial=-1)) + 1):
        mine = np.flatnonzero(labels == group).tolist()
        owner, n_own = Counter(owners[mine].tolist()).most_common(1)[0]
        if owner != asked_for and n_own >= _MOST * len(mine):
            name, size = articles[owner].query.text.partition(" (")[0], n_own
        else:
            headings = Counter(counted(str(passages[row].label)) for row in mine)
            key, size = headings.most_common(1)[0]
            spelt = (str(passages[row].label) for row in mine)
            name = next(one for one in spelt if counted(one) == key)
        if size >= _MOST * len(mine) and size > sizes.get(name, (0, 0))[0]:
            sizes[name] = size, group
    return {group: name for name, (_, group) in sizes.items()}
