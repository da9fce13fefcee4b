"""Whether a library seems to answer a question at all."""

import re
from collections.abc import Sequence

import numpy as np

from subclust.core.records import FloatArray
from subclust.grouping.naming.words import is_function_word, root

N_NEAREST = 10
"""Passages nearest to the question whose mean cosine is looked at."""

BOUNDS: dict[str, float] = {"all-MiniLM-L6-v2-53aa51172d14-128": 0.45}
"""By encoder revision, the mean cosine below which the nearest passages are not near.

Chosen by ``python -m benchmarks answered``, which keeps what it rests on in
``benchmarks/results/answered/``. Encoders have scales of their own, so of a library with
another encoder nothing is said.
"""

_WORD = re.compile(r"[^\W_]+")


def nearest_cosine(vector: FloatArray, embeddings: FloatArray) -> float | None:
    """Compute the mean cosine of a question with the passages nearest to it.

    Parameters
    ----------
    vector : ndarray of shape (embedding_dim,)
        Of the question, of length 1.
    embeddings : ndarray of shape (n_hits, embedding_dim)
        Of the hits, each of length 1.

    Returns
    -------
    float or None
        -1 to 1, of the `N_NEAREST` nearest or of all where there are fewer; None without hits.
    """
    if not len(embeddings):
        return None
    return float(np.sort(embeddings @ vector)[::-1][:N_NEAREST].mean())


def seems_answered(
    question: str, texts: Sequence[str], cosine: float | None, encoder_revision: str
) -> bool | None:
    """Return whether the hits seem to answer a question.

    They do not where the nearest are not near, and none holds all words of the question that mean
    something, in whatever form. The second matters for names, of which an encoder knows little.

    Parameters
    ----------
    question : str
    texts : sequence of str
        Of the hits, with their titles.
    cosine : float or None
        Of `nearest_cosine`.
    encoder_revision : str

    Returns
    -------
    bool or None
        None where no bound was calibrated for the encoder, or there are no hits.
    """
    bound = BOUNDS.get(encoder_revision)
    if bound is None or cosine is None:
        return None
    return cosine >= bound or holds_all_words(question, texts)


def holds_all_words(question: str, texts: Sequence[str]) -> bool:
    """Return whether one of the texts holds all words of a question that mean something."""
    asked = roots(question)
    # Hundreds of texts: only words are reduced that begin as one that is looked for.
    beginnings = {word[:2] for word in asked}
    return bool(asked) and any(
        asked <= _reduced({word for word in _words(text) if word[:2] in beginnings})
        for text in texts
    )


def roots(text: str) -> frozenset[str]:
    """Reduce the words of a text that mean something to their roots ("caused" to "caus")."""
    return _reduced(_words(text))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _reduced(words: set[str]) -> frozenset[str]:
    return frozenset(root(word) for word in words if word.isdecimal() or not is_function_word(word))
