"""The words of a library that may stand in a name."""

from collections import Counter
from collections.abc import Iterable

from subclust.grouping.naming.phrases import bare, words_of
from subclust.grouping.naming.words import may_border

MOST_WORDS = 30_000
"""Words that are encoded beforehand: about 45 MB on disk at 384 dimensions."""

_HELD = 500_000


def vocabulary(texts: Iterable[str], most: int = MOST_WORDS) -> list[str]:
    """List the words, as they are spelt, that may be a name of passages from these texts.

    Nine of ten phrases that `subclust.grouping.naming.KeyphraseNamer` weighs are single words, and
    encoding them is most of what naming costs; so they are encoded once, when a library is made.

    Parameters
    ----------
    texts : iterable of str
        Read once, one after the other.
    most : int
        At most so many words, those in the most texts.

    Returns
    -------
    list of str
        Words of at least two texts; each spelling is one of its own.
    """
    found: Counter[str] = Counter()
    for text in texts:
        found.update({bare(word) for word in words_of(text)})
        if len(found) > _HELD:  # of a very large library the rarest go
            found = Counter({word: n for word, n in found.items() if n > 1})
    words = (word for word, n in found.items() if n > 1 and word[:1].isalpha() and may_border(word))
    return sorted(words, key=lambda word: (-found[word], word))[:most]
