"""Whether the marked words carry what they are said to carry."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from subclust.explanation.occlusion import Membership, without
from subclust.explanation.units import Span, word_spans


@dataclass(frozen=True)
class Comparison:
    """What the strength of one passage loses.

    Parameters
    ----------
    n_words : int
        Telling words that are taken out each time.
    marked : float
        Lost without the marked words.
    random : float
        Lost without as many telling words drawn at random, the mean of the draws.
    """

    n_words: int
    marked: float
    random: float


def compare(
    text: str,
    marked: Sequence[Span],
    membership: Membership,
    *,
    n_draws: int = 5,
    seed: int = 0,
) -> Comparison | None:
    """Take out the marked words, and as many random ones.

    Random words are drawn among the telling words only, as the marked ones are: function words
    would be the easier rival.

    Parameters
    ----------
    text : str
    marked : sequence of Span
    membership : callable
    n_draws : int
        At least 1.
    seed : int

    Returns
    -------
    Comparison or None
        None where nothing is marked, or everything is.
    """
    words = word_spans(text)
    chosen = [word for word in words if any(s.start <= word.start < s.end for s in marked)]
    if not chosen or len(chosen) == len(words):
        return None
    random = np.random.default_rng(seed)
    draws = [
        [words[int(i)] for i in random.choice(len(words), size=len(chosen), replace=False)]
        for _ in range(n_draws)
    ]
    texts = [text, without(text, chosen), *(without(text, draw) for draw in draws)]
    whole, rest, *others = (float(value) for value in membership(texts))
    return Comparison(len(chosen), whole - rest, whole - float(np.mean(others)))
