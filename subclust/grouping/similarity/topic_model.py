"""Likeness of the passages' topics under a topic model that was trained before."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import psi, xlogy
from sklearn.feature_extraction.text import CountVectorizer

from subclust.core.records import Float64Array, FloatArray, Query
from subclust.grouping.similarity.base import PairSimilarity

TOPIC_WORD = r"(?u)\b[^\W\d_]{3,}\b"
"""What counts as a word: three letters or more; English stop words are left out besides."""

MAX_UPDATES = 100
TOLERANCE = 1e-3
"""Mean change of a passage's topic counts at which their updates end."""

_TINY = float(np.finfo(np.float64).eps)


class TopicModelSimilarity(PairSimilarity):
    """1 minus the Jensen-Shannon divergence of two passages' topics, 0 to 1; higher is closer.

    The divergence is in bits, so that it is 1 for passages without a common topic. Topics are
    those of latent Dirichlet allocation (Blei, Ng and Jordan, JMLR 2003), inferred anew for each
    passage by its variational updates from the same start, without any chance in it. A passage
    without a known word scores 0 with everything. Knows nothing of the query; needs no encoder.

    Source: "Topic model" of Kashyapi and Dietz, JCDL 2022, section 4.2.

    Parameters
    ----------
    topic_word : ndarray of shape (n_topics, n_words)
        Parameters of each topic's Dirichlet distribution over the words, above 0: how often the
        topic gave the word in training, and the prior.
    vocabulary : sequence of str
        The words, n_words of them, in lower case.
    prior : float
        Of a passage's topics, above 0; below 1 for few topics a passage.
    """

    needs_embeddings = False

    def __init__(
        self, topic_word: npt.NDArray[np.floating], vocabulary: Sequence[str], prior: float
    ) -> None:
        self.topic_word = topic_word
        self.vocabulary = vocabulary
        self.prior = prior

    @cached_property
    def word_weights(self) -> Float64Array:
        """How strongly each topic asks for each word; shape (n_topics, n_words)."""
        return expected_weights(np.asarray(self.topic_word, dtype=np.float64))

    def topics(self, passages: Sequence[str]) -> tuple[Float64Array, npt.NDArray[np.bool_]]:
        """Infer the topics of passages.

        Returns
        -------
        topics : ndarray of shape (n_passages, n_topics)
            Each row sums to 1.
        known : ndarray of shape (n_passages,)
            Whether the passage has a word of the vocabulary.
        """
        counts = word_counter(self.vocabulary).transform(passages)
        return infer_topics(counts, self.word_weights, self.prior), np.diff(counts.indptr) > 0

    def _score_matrix(
        self, query: Query, passages: Sequence[str], embeddings: FloatArray | None
    ) -> FloatArray:
        topics, known = self.topics(passages)
        scores = 1 - jensen_shannon(topics)
        scores[~known, :] = 0.0
        scores[:, ~known] = 0.0
        return np.asarray(scores, dtype=np.float32)


def word_counter(vocabulary: Sequence[str] | None = None, **parameters: object) -> CountVectorizer:
    """Make the counter of words that training and inference share."""
    return CountVectorizer(
        vocabulary=None if vocabulary is None else list(vocabulary),
        token_pattern=TOPIC_WORD,
        stop_words="english",
        **parameters,
    )


def expected_weights(topic_word: Float64Array) -> Float64Array:
    r"""Compute :math:`\exp E[\log \beta]` of each topic; shape (n_topics, n_words)."""
    totals = topic_word.sum(axis=1, keepdims=True)
    return np.asarray(np.exp(psi(topic_word) - psi(totals)), dtype=np.float64)


def infer_topics(counts: csr_array, word_weights: Float64Array, prior: float) -> Float64Array:
    r"""Infer the topics of passages by variational updates.

    For a passage with :math:`n_w` times the word w, from :math:`\gamma_k = 1`:

    .. math::
        \gamma_k = \alpha + t_k \sum_w \frac{n_w\, b_{kw}}{\sum_j t_j\, b_{jw}},\qquad
        t_k = \exp(\psi(\gamma_k) - \psi(\textstyle\sum_j \gamma_j))

    (Hoffman, Blei and Bach, NIPS 2010, equation 5 and algorithm 2.)

    Parameters
    ----------
    counts : sparse array of shape (n_passages, n_words)
    word_weights : ndarray of shape (n_topics, n_words)
        The :math:`b_{kw}`, of `expected_weights`.
    prior : float
        The :math:`\alpha`.

    Returns
    -------
    ndarray of shape (n_passages, n_topics)
        :math:`\gamma` over its sum. Each passage is inferred alone, so that the others and their
        order change nothing.
    """
    result = np.empty((counts.shape[0], len(word_weights)))
    for row in range(counts.shape[0]):
        there = slice(counts.indptr[row], counts.indptr[row + 1])
        times = counts.data[there].astype(np.float64)
        weights = word_weights[:, counts.indices[there]]
        gamma = np.ones(len(word_weights))
        for _ in range(MAX_UPDATES):
            before = gamma
            spread = np.exp(psi(gamma) - psi(gamma.sum()))
            gamma = prior + spread * (weights @ (times / (spread @ weights + _TINY)))
            if np.abs(gamma - before).mean() < TOLERANCE:
                break
        result[row] = gamma / gamma.sum()
    return result


def jensen_shannon(distributions: Float64Array) -> Float64Array:
    """Compute the Jensen-Shannon divergence of all pairs of rows.

    Parameters
    ----------
    distributions : ndarray of shape (n_passages, n_topics)
        Each row at least 0 and of sum 1.

    Returns
    -------
    ndarray of shape (n_passages, n_passages)
        In bits, 0 (the same) to 1 (nothing in common).
    """
    entropy = -xlogy(distributions, distributions).sum(axis=1)
    result = np.empty((len(distributions), len(distributions)))
    # Row by row: all pairs at once would take n_topics times the memory of the result.
    for row, distribution in enumerate(distributions):
        middle = (distribution + distributions) / 2
        mixed = -xlogy(middle, middle).sum(axis=1)
        result[row] = mixed - (entropy[row] + entropy) / 2
    return np.asarray(np.clip(result / np.log(2), 0.0, 1.0), dtype=np.float64)
