"""A trained similarity under which the question decides between several ways to divide."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform

from subclust.core.records import FloatArray, IntArray, Query
from subclust.core.records.boilerplate import without_labels
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.grouping.similarity.division import WAYS, DivisionGate, Way
from subclust.grouping.similarity.listed_things import WEIGHT, ListedThings
from subclust.grouping.similarity.named_things import named_things
from subclust.grouping.similarity.network import NetworkSimilarity, shared_words
from subclust.grouping.similarity.question_metric import (
    Encode,
    QuestionMetric,
    shares_of_things,
    standardised,
)

SAME_DOCUMENT = 0.3
"""Added to the score of two passages of one document where subjects are asked for."""

FEW = 2.0
"""Passages of a document to which its mean is drawn half-way to that of all hits."""

NAMED = 0.3
"""Weight of the things that a question names beside the aspects of documents."""

EVEN = 0.95
"""Least evenness over documents where their means are taken out; see `spread_evenly`."""

_FEWEST_DOCUMENTS = 3
_MOST_HITS = 10
"""Of a document on average, above which its mean tells what is said of it as well."""

_APART = -0.02
"""Score below which hits are about different subjects, where no documents tell."""


class DividingSimilarity(NetworkSimilarity):
    r"""Scores as the network does, or by subject, or by aspect, as the question wants it.

    The base encoder's centred cosine divides by what passages are about. The network's space
    divides by what they say; where the mean of each subject is taken out of it, what is left is
    compared across subjects:

    .. math::
        s_{ij} = \cos(\vec z_i - \bar z_{d(i)}, \vec z_j - \bar z_{d(j)})

    with :math:`d` the document of a passage, or, where nothing is known of documents, its group by
    subject. The mean of a document of few passages says little of it, and is drawn to that of all
    hits (`FEW`). Things that the question names, such as "births, deaths and careers", draw the
    passages that are near them together. That finds what is said only where hits are spread evenly
    over documents (`spread_evenly`): elsewhere documents say different things, their means take out
    what was asked for, and the usual scores are nearer to it. Where hits are known to share no
    documents, there is nothing to compare across, and `QuestionMetric` scores them by what the
    question names or asks for. Scoring takes some matrix products more.

    Parameters
    ----------
    model : CentredSiamese
        With a relevance gate, so that the base encoder's vectors stand beside the others.
    gate : DivisionGate
    threshold : float
        Of the method's usual scores; those of other ways are moved so that it fits them, too.
    metric : QuestionMetric, optional
    encode : callable, optional
        Encodes the things that a question names, by the base encoder; without it, their names
        change nothing.
    listed : ListedThings, optional
        Tells which passages go with which of these things, where hits are divided as usual.
    """

    model: CentredSiamese

    def __init__(
        self,
        model: CentredSiamese,
        gate: DivisionGate,
        threshold: float,
        metric: QuestionMetric | None = None,
        encode: Encode | None = None,
        listed: ListedThings | None = None,
    ) -> None:
        super().__init__(model)
        self.gate = gate
        self.threshold = threshold
        self.metric = metric
        self.encode = encode
        self.listed = listed

    def way(self, query: Query, embeddings: FloatArray | None) -> Way:
        """Return the way to divide that a question wants.

        Parameters
        ----------
        query : Query
            With its embedding, and the documents of the hits where they are known.
        embeddings : ndarray of shape (n_passages, 2 * embedding_dim)
            Of other widths, the way is the usual one.
        """
        if query.embedding is None or embeddings is None:
            return "usual"
        if len(query.embedding) != 2 * self.model.embedding_dim:
            return "usual"
        if query.way in WAYS:
            return query.way
        # The mean of the hits, or operators without words, do not ask for any division.
        if query.context == "passages" or query.words == "":
            return "usual"
        question, shared = self._question(query), share_documents(query.documents)
        # Of bare texts nobody knows, and a list of aspects must not pass for one of subjects.
        way = self.gate.way(question, shared_documents=shared or query.documents is None)
        if way != "aspects" or spread_evenly(query.documents):
            return way
        known = self.metric is not None and self.metric.knows(question)
        return way if known and not shared else "usual"

    def _question(self, query: Query) -> FloatArray:
        """Return the question's vector by the base encoder."""
        assert query.embedding is not None
        return _unit(query.embedding[self.model.embedding_dim :])

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        way = self.way(query, embeddings)
        # The centred vectors of two passages point in opposite directions, whatever they say.
        if way == "usual" or embeddings is None or len(passages) < 3:
            scores = super()._score_matrix(query, passages, embeddings)
            return self._with_listed(scores, query, embeddings)
        return self.scores_of(way, query, passages, embeddings) + self._moved(way, query)

    def _with_listed(
        self, scores: FloatArray, query: Query, embeddings: FloatArray | None
    ) -> FloatArray:
        """Bring passages together that go with the same of the things that a question lists."""
        if self.listed is None or embeddings is None or query.way or query.words == "":
            return scores
        wide = embeddings.shape[1] == 2 * self.model.embedding_dim
        things = self._things(query) if wide and query.context != "passages" else None
        if things is None:
            return scores
        own = _unit(embeddings[:, self.model.embedding_dim :])
        deviation = (scores - np.diag(np.diagonal(scores))).std()
        alike = WEIGHT * deviation * self.listed.likeness(own, things)
        return np.asarray(scores + alike, dtype=np.float32)

    def _moved(self, way: Way, query: Query) -> float:
        metric = self._metric(query)
        if metric is not None:
            return self.threshold - metric.threshold(self._question(query))
        return self.threshold - self.gate.threshold(way)

    def _metric(self, query: Query) -> QuestionMetric | None:
        """Return what scores hits that share no documents."""
        if query.embedding is None or query.way or share_documents(query.documents):
            return None
        if self.metric is not None and query.documents is None:
            # Of bare texts nobody knows whether they share documents.
            told = self.metric.knows(self._question(query)) or self._things(query) is not None
            return self.metric if told else None
        return self.metric

    def _things(self, query: Query) -> FloatArray | None:
        """Return the vectors of the things that a question names."""
        things = named_things(query.subject) if self.encode is not None else ()
        return None if not things or self.encode is None else self.encode(things)

    def scores_of(
        self, way: Way, query: Query, passages: Sequence[str], embeddings: FloatArray
    ) -> FloatArray:
        """Score all pairs in another way than the usual one, on that way's own scale.

        Parameters
        ----------
        way : {"subjects", "aspects"}
        query, passages, embeddings
            As for `score_matrix`, embeddings of 2 * embedding_dim numbers.

        Returns
        -------
        ndarray of shape (n_passages, n_passages)
        """
        base = centred(embeddings[:, self.model.embedding_dim :])
        subjects = base @ base.T + shared_words(passages)
        metric = self._metric(query)
        if metric is not None:
            things = self._things(query)
            own = _unit(embeddings[:, self.model.embedding_dim :])
            named = None if things is None else shares_of_things(own, things)
            return metric.scores(self._question(query), base, subjects, named)
        documents = documents_of(query.documents, passages, base)
        if way == "subjects":
            if documents is not None:
                subjects += SAME_DOCUMENT * (documents[:, None] == documents)
            return subjects
        space = self.space(query, embeddings)
        if documents is None:
            documents = groups_by_subject(subjects)
            left = without_means(space, documents)
        else:
            left = _unit(_less_means(space - space.mean(axis=0), documents, FEW))
        scores = np.asarray(left @ left.T, dtype=np.float32)
        things = self._things(query) if share_documents(query.documents) else None
        if things is not None and self.listed is not None:
            own = _unit(embeddings[:, self.model.embedding_dim :])
            named = self.listed.likeness(_less_means(own, documents), things)
            deviation = (scores - np.diag(np.diagonal(scores))).std()
            scores = scores + NAMED * deviation * standardised(named)
        return scores


def share_documents(documents: Mapping[str, str] | None) -> bool:
    """Return whether half of the passages or more stand beside others of their document.

    Not where all are of one document: nothing tells them apart there.

    Parameters
    ----------
    documents : mapping of str to str, optional
        Document of each text.
    """
    if not documents:
        return False
    _, counts = np.unique(list(documents.values()), return_counts=True)
    return len(counts) > 1 and 2 * int(counts[counts > 1].sum()) >= len(documents)


def spread_evenly(documents: Mapping[str, str] | None) -> bool:
    """Return whether hits are spread over a few documents as evenly as `EVEN` wants it.

    Evenness is the number of documents that would, equally large, have the entropy of these, as a
    share of their number: 1 where all have as many hits.

    Parameters
    ----------
    documents : mapping of str to str, optional
        Document of each text.
    """
    if not documents:
        return False
    _, counts = np.unique(list(documents.values()), return_counts=True)
    shares = counts / counts.sum()
    evenness = np.exp(-(shares * np.log(shares)).sum()) / len(counts)
    few = len(counts) >= _FEWEST_DOCUMENTS and counts.mean() <= _MOST_HITS
    return bool(few and counts.min() > 1 and evenness >= EVEN)


def documents_of(
    documents: Mapping[str, str] | None, passages: Sequence[str], base: FloatArray
) -> IntArray | None:
    """Return a number of each passage's document, where several passages come from one.

    Parameters
    ----------
    documents : mapping of str to str, optional
        Document of each text.
    passages : sequence of str
        One that is not in `documents`, such as another wording, is put to the one it is most like.
    base : ndarray of shape (n_passages, embedding_dim)
        Of length 1 each.

    Returns
    -------
    ndarray of shape (n_passages,) or None
        None where the passages hardly share documents.
    """
    if documents is None or not share_documents(documents):
        return None
    names = [documents.get(without_labels(text)) for text in passages]
    known = [row for row, name in enumerate(names) if name is not None]
    if not known:
        return None
    for row, name in enumerate(names):
        if name is None:
            nearest = known[int((base[known] @ base[row]).argmax())]
            names[row] = names[nearest]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def groups_by_subject(scores: FloatArray) -> IntArray:
    """Group passages by what they are about, coarsely; at most half as many groups as passages."""
    highest = float(scores.max())
    distances = highest - (scores + scores.T) / 2
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average")
    n_groups = len(scores) - int(np.count_nonzero(tree[:, 2] <= highest - _APART))
    n_groups = max(1, min(n_groups, len(scores) // 2))
    return np.asarray(cut_tree(tree, n_clusters=n_groups)[:, 0], dtype=np.int64)


def without_means(vectors: FloatArray, groups: IntArray) -> FloatArray:
    """Take the mean of its group out of each vector; one that is alone stays as it is.

    Returns
    -------
    ndarray of shape (n_passages, dim)
        Of length 1 each.
    """
    return _unit(_less_means(vectors, groups))


def _less_means(vectors: FloatArray, groups: IntArray, few: float = 0.0) -> FloatArray:
    _, members = np.unique(groups, return_inverse=True)
    sums = np.zeros((members.max() + 1, vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, members, vectors)
    counts = np.bincount(members)
    kept = (counts > 1) | (few > 0)
    means = np.where(kept[:, None], sums / (counts + few)[:, None], 0.0)
    return np.asarray(vectors - means[members], dtype=np.float32)


def centred(vectors: FloatArray) -> FloatArray:
    """Return vectors less their mean, of length 1 each before and after."""
    vectors = _unit(vectors)
    return _unit(vectors - vectors.mean(axis=0))


def _unit(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-6), dtype=np.float32)
