"""Hits of several languages, compared by what they are about."""

import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from subclust.core.records import FloatArray, Passage
from subclust.core.records.languages import language_codes
from subclust.core.records.spoken import spoken
from subclust.text.encoders import Encoder

_SENTENCES = Path(__file__).with_name("languages.toml")

_SHARE, _LEAST = 0.1, 3
"""Of the hits, what a language must have to count: fewer tell little of where it lies."""

_OF_HITS = 0.25
"""How much the hits themselves say of what sets their languages apart; the rest is said by the same
sentences in both. Of hits alone nobody knows whether their subjects differ or their languages.
Chosen on the validation tasks of `benchmarks.tasks.manuals`."""


def _language_of_passage(passage: Passage) -> str:
    """Return the language that a text is in, or else that of its record; empty where neither says.

    A record says the language of the work, of which the abstract is often a translation.
    """
    said = language_codes(passage.metadata.get("language", ""))
    return spoken(passage.text) or (said[0] if said else "")


def without_languages(
    vectors: FloatArray, passages: Sequence[Passage], encoder: Encoder
) -> FloatArray:
    """Take away of passages what sets their languages apart, whatever they are about.

    Encoders for many languages put passages of one language beside each other.

    Parameters
    ----------
    vectors : ndarray of shape (n_passages, embedding_dim)
    passages : sequence of Passage
    encoder : Encoder
        That made the vectors.

    Returns
    -------
    ndarray of shape (n_passages, embedding_dim)
        As long as before; `vectors` itself where there are no two languages with enough passages.
        Those of a language that there are no sentences in stay as they are.
    """
    languages = [_language_of_passage(passage) for passage in passages]
    enough = max(_LEAST, _SHARE * len(languages))
    known = _sentences()
    counted = [code for code, n in Counter(languages).items() if code in known and n >= enough]
    if len(counted) < 2:
        return vectors
    rows_of = {code: np.array([one == code for one in languages]) for code in counted}
    hits = _beside_each_other([vectors[rows].mean(axis=0) for rows in rows_of.values()])
    places = _beside_each_other([_place(code, encoder) for code in counted])
    moved = vectors.astype(np.float32, copy=True)
    for rows, of_hits, of_sentences in zip(rows_of.values(), hits, places, strict=True):
        moved[rows] -= _OF_HITS * of_hits + (1 - _OF_HITS) * of_sentences
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    moved *= np.linalg.norm(vectors, axis=1, keepdims=True) / np.maximum(lengths, 1e-12)
    return moved


def _beside_each_other(means: Sequence[FloatArray]) -> FloatArray:
    """Return how far each mean is from the mean of all."""
    return np.asarray(np.stack(means) - np.mean(means, axis=0), dtype=np.float32)


@lru_cache(32)
def _place(code: str, encoder: Encoder) -> FloatArray:
    """Return where the sentences of a language lie on average."""
    return np.asarray(encoder.encode(_sentences()[code]).mean(axis=0))


@cache
def _sentences() -> dict[str, list[str]]:
    """Return the same sentences by the code of each language."""
    return tomllib.loads(_SENTENCES.read_text(encoding="utf-8"))
