"""Faults of names that can be told by rule, without a reader."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from subclust.grouping.naming.phrases import PhraseTable, words_of
from subclust.grouping.naming.words import is_function_word, name_words, root, stem

FAULTS = ("lone and general", "of the question", "fragment", "halves apart", "not borne out")
"""What a name may be; one may be several."""

_GENERAL = 0.1
"""Share of the passages of other questions that say a general word."""

_PIECE = 0.6
"""Share of its places in which a fragment is a piece of a longer phrase."""

_BORNE_OUT = 0.5
"""Share of its passages that must have a word of a name."""


@dataclass(frozen=True)
class NamedGroup:
    """A group with its name.

    Parameters
    ----------
    question : str
    name : str
    texts : sequence of str
        Of its passages, with their titles.
    """

    question: str
    name: str
    texts: Sequence[str]


def faults_of(groups: Sequence[NamedGroup]) -> list[list[str]]:
    """Return the faults of each name, in the order of `FAULTS`.

    Lone and general is a name of one word that a tenth of the passages of the other questions say;
    of the question, one of its words alone; a fragment, what mostly goes on within its passages, or
    follows an initial. Halves are apart where no passage has both. Not borne out is
    a name none of whose words stands in half of its passages.

    Parameters
    ----------
    groups : sequence of NamedGroup
        Of several questions to one library.
    """
    stems = [[frozenset(map(stem, words_of(text))) for text in group.texts] for group in groups]
    return [
        [
            fault
            for fault, is_so in zip(
                FAULTS,
                (
                    _is_general(group, groups, stems),
                    _is_asked(group),
                    _is_fragment(group),
                    _is_apart(group.name, held),
                    _is_not_borne_out(group.name, held),
                ),
                strict=True,
            )
            if is_so
        ]
        for group, held in zip(groups, stems, strict=True)
    ]


def _is_general(
    group: NamedGroup, groups: Sequence[NamedGroup], stems: Sequence[Sequence[frozenset[str]]]
) -> bool:
    words = name_words(group.name)
    others = [
        words <= one
        for other, held in zip(groups, stems, strict=True)
        if other.question != group.question
        for one in held
    ]
    return len(words) == 1 and bool(others) and float(np.mean(others)) >= _GENERAL


def _is_asked(group: NamedGroup) -> bool:
    asked = {root(word) for word in words_of(group.question)}
    return all(root(w) in asked for w in words_of(group.name) if not is_function_word(w))


def _is_fragment(group: NamedGroup) -> bool:
    table = PhraseTable(group.texts)
    phrase = table.find([stem(word) for word in words_of(group.name)])
    if phrase is None:
        return False
    return max(table.going_on(phrase)[1], table.after_initial(phrase)) > _PIECE


def _is_apart(name: str, held: Sequence[frozenset[str]]) -> bool:
    halves = [name_words(half) for half in name.replace(" und ", " and ").split(" and ")]
    return len(halves) > 1 and not any(all(half <= one for half in halves) for one in held)


def _is_not_borne_out(name: str, held: Sequence[frozenset[str]]) -> bool:
    words = name_words(name)
    return sum(bool(words & one) for one in held) < _BORNE_OUT * len(held)
