"""Passages to sentences, and these to vectors."""

import re
from collections.abc import Sequence

import numpy as np
import sentencex

from subclust.core.records import FloatArray
from subclust.text.encoders.base import Encoder

MAX_SENTENCES = 16
"""Of a passage; what follows is joined to the last. One passage in 200 has more."""

_LANGUAGE = "en"
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_\x00-\u2dff]")


def _split_sentences(text: str, max_sentences: int = MAX_SENTENCES) -> list[str]:
    """Split a passage into its sentences.

    Parameters
    ----------
    text : str
    max_sentences : int
        At least 1; the last one takes all that is left.

    Returns
    -------
    list of str
        At least one, without space around them, in the order of the text. A piece without a word,
        such as the number of a list's item, goes with the sentence after it. A text without any
        word is one sentence.
    """
    sentences: list[str] = []
    waiting = ""
    # sentencex is written in Rust and takes no lone surrogates.
    for piece in sentencex.segment(_LANGUAGE, _SURROGATE.sub("\ufffd", text)):
        waiting = f"{waiting} {piece.strip()}".strip()
        if _WORD.search(waiting):
            sentences.append(waiting)
            waiting = ""
    if waiting or not sentences:
        # Nothing comes after it to go with.
        sentences[-1:] = [" ".join([*sentences[-1:], waiting])]
    first, rest = sentences[: max_sentences - 1], sentences[max_sentences - 1 :]
    return [*first, " ".join(rest)] if rest else first


def encode_sentences(texts: Sequence[str], encoder: Encoder) -> list[FloatArray]:
    """Encode the sentences of passages, each different sentence once.

    They reach the encoder in an order of their own, so that the order of the passages changes
    nothing.

    Returns
    -------
    list of ndarray of shape (n_sentences, embedding_dim)
        One array a passage; each row of length 1.
    """
    split = [_split_sentences(text) for text in texts]
    distinct = sorted({sentence for sentences in split for sentence in sentences})
    row = {sentence: number for number, sentence in enumerate(distinct)}
    vectors = encoder.encode(distinct)
    return [np.asarray(vectors[[row[sentence] for sentence in sentences]]) for sentences in split]
