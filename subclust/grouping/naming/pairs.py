"""Names of two phrases: "Causes and symptoms"."""

import itertools
from collections.abc import Sequence, Set

from subclust.core.records import FloatArray
from subclust.grouping.naming.candidates import WORDING, Candidates
from subclust.grouping.naming.headings import counted
from subclust.grouping.naming.places import unit
from subclust.grouping.naming.words import JOINING_WORDS

_JOINED = 6
"""Best candidates of a group that are joined with each other."""

_SECOND = 0.8
"""Of the better one's score, what the other must have."""

AND = {"en": "and", "de": "und", "fr": "et", "es": "y", "pt": "e"}
"""The word for "and", by language."""

_TOGETHER = 0.5
"""Share of the passages of the rarer half that must have the other one."""

_SHORT = 3
"""Words of a phrase that is joined with another, at most."""

_ALIKE = 5
"""Words that begin with so many letters alike repeat each other."""

_SUMMED = [WORDING.index(name) for name in ("words", "letters")]
_GENERAL = WORDING.index("in the bank")
_TRUE = [WORDING.index(name) for name in ("joining word", "two joined")]


def joined(
    found: Candidates, vectors: FloatArray | None, scores: Sequence[float], languages: Sequence[str]
) -> tuple[Candidates, FloatArray | None]:
    """Join the best candidates of each group by "and", two at a time.

    Parameters
    ----------
    found : Candidates
    vectors : ndarray of shape (n_candidates, dim) or None
    scores : sequence of float
        Higher is better.
    languages : sequence of {"en", "de", "fr", "es", "pt"}
        Of each group.

    Returns
    -------
    Candidates
        Of short phrases that stand together in passages and do not repeat each other, no general
        headings; the better one stands first.
    ndarray of shape (n_pairs, dim) or None
        The mean of the two, of length 1.
    """
    rows: list[tuple[int, int]] = []
    for group in dict.fromkeys(found.groups):
        mine = [row for row, other in enumerate(found.groups) if other == group]
        mine = [row for row in mine if _may_join(found, row)]
        mine.sort(key=lambda row: (-scores[row], found.texts[row]))
        whole = [set(counted(found.texts[row]).split()) for row in mine]
        rows += [
            (first, second)
            for first, second in itertools.combinations(mine[:_JOINED], 2)
            if scores[second] >= _SECOND * scores[first]
            and _together(found.said_by[first], found.said_by[second])
            and _alike(found.texts[first], found.texts[second], languages[group])
            and not _one_phrase(found.texts, first, second, whole)
        ]
    pairs_found = Candidates()
    for first, second in rows:
        texts = found.texts[first], found.texts[second]
        conjunction = AND[languages[found.groups[first]]]
        pairs_found.texts.append(f" {conjunction} ".join(texts))
        pairs_found.groups.append(found.groups[first])
        pairs_found.said_by.append(found.said_by[first] & found.said_by[second])
        both = found.wording[first], found.wording[second]
        columns = [(one + other) / 2 for one, other in zip(*both, strict=True)]
        for place in _SUMMED:
            columns[place] *= 2
        for place in _TRUE:
            columns[place] = 1.0
        pairs_found.wording.append(columns)
    if vectors is None or not rows:
        return pairs_found, None
    first_rows, second_rows = zip(*rows, strict=True)
    return pairs_found, unit(vectors[list(first_rows)] + vectors[list(second_rows)])


def _together(one: Set[int], other: Set[int]) -> bool:
    """Return whether two phrases stand together in half the passages of the rarer one or more."""
    return len(one & other) >= max(_TOGETHER * min(len(one), len(other)), 1)


def _alike(one: str, other: str, language: str) -> bool:
    """Return whether both phrases are proper names, or none is; all German nouns have capitals."""
    return language != "en" or _is_proper(one) == _is_proper(other)


def _is_proper(text: str) -> bool:
    return all(word[:1].isupper() for word in text.split() if word.lower() not in JOINING_WORDS)


def _may_join(found: Candidates, row: int) -> bool:
    words = found.texts[row].split()
    is_plain = len(words) <= _SHORT and not set(AND.values()) & set(words)
    return is_plain and not found.wording[row][_GENERAL]


def _one_phrase(texts: Sequence[str], first: int, second: int, whole: Sequence[set[str]]) -> bool:
    """Return whether two phrases repeat each other, or another candidate has the words of both.

    Words that begin alike do: "immigration" and "immigrants".
    """
    one, other = (counted(texts[row]).split() for row in (first, second))
    if {word[:_ALIKE] for word in one} & {word[:_ALIKE] for word in other}:
        return True
    return any(words >= {*one, *other} for words in whole)
