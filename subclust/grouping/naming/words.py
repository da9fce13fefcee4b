"""Which words may stand in a name, which forms are the same, and where a text has them."""

import operator
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from subclust.core.records.stop_words import ENGLISH_STOP_WORDS

# Words of scikit-learn's list that do say what a passage is about.
_TELLING = {
    "bill", "bottom", "computer", "cry", "detail", "fire", "interest", "mill", "mine", "name",
    "system",
}  # fmt: skip

# Words that scikit-learn's list lacks and that say nothing on their own.
_IDLE = """
ability able accordance according account actually added addition additionally age aged ago aim
allow allowed allows amp announced appear appeared appears april area areas argue argued argues
article asked august available based basis became become becomes becoming began beginning begins
begun believe believed believes belong belonged belongs best better big bought bring brought buy
came cannot case cases caused causes century certain change changed changes check cite claimed
claims clear come comes coming common commonly complete completed concerned consider considered
consists contain contained contains continue continued could create created creates creating
current currently date day days december depend depended depending depends described describes
describing despite did didn different difficult does doesn doi doing don dr early easily east
eastern edit effectively end ended ending ends enter entered enters entire especially estimated
etc example examples existing fact february felt final find follow followed following follows form
formed former forms friday gave general generally get gets getting given gives giving goes going
good got great greater group groups grow happen happened happening happens having held help helped
high higher highest hold hour hours however html http https hundred important include included
includes including increase increased indeed instance instead introduced isbn isn january july
june just kept kind kinds knew know known knows large largely larger largest late later leading
leads leave led left length less let like likely limited line list little live lived local long
longer lose lost lot low lower lowest main mainly major make makes making man manner march matter
maximum mean meaning means meant members mentioned method million minimum minute minutes modern
monday month months moved mr mrs ms nbsp near nearby nearly need needed needs new newly night
nonetheless normal normally north northern note noted november number numbers numerous occur
occurred occurs october old older one ones open opened operate operated operates order original
originally overall page particular particularly parts passed past pdf people percent period person
perspective place placed places point points position possible present presented previous
previously primarily primary probably problem problems produce produced prof provide provided
provides put px quickly quite quot ran range rather real really reason reasons receive received
recent recently ref referred refers regarded related remain remained remains reported required
respectively result resulted resulting results return returned right role run said san saturday
saw say saying says second section seen sell sells sense sent sentence september series set sets
settle sever shall shown shows significant significantly similar similarly simple simply since
small smaller smallest sold sometimes soon sort source sources south southern special specific st
start started starting starts state stated states stating step steps stop study sub subject
subsequently successful suggest suggested suggests sunday taken takes taking team tell term termed
terms th thereby thing things think third thought thousand thumb thumbnail thursday time times
today together told took total towards true try tuesday turn turned type types typical typically
united unlike upper usa use used useful user uses using usual usually value values variety various
vary version vol want wanted wants way ways wednesday week weeks went west western whilst wide
widely win wins won words work worked working works world worth would wouldn wrote www year years
yes young
""".split()

_FUNCTION_WORDS = frozenset(ENGLISH_STOP_WORDS) - _TELLING

STOP_WORDS: frozenset[str] = _FUNCTION_WORDS | set(_IDLE)
"""Lower-case words that never stand at the border of a phrase."""

JOINING_WORDS: frozenset[str] = frozenset("and de del der des di du for in la of van von".split())
"""Stop words that may stand inside a phrase, as in "Treaty of Paris"."""

EMPTY_WORDS = JOINING_WORDS | {"the", "a", "an"}
"""Words of a name that passages have whatever they are about."""

_FORMS = 50_000
"""Words of which the forms are remembered: regrouped hits have the same words again."""

_ADVERB_ENDINGS = ("ally", "ately", "edly", "ently", "antly", "ingly", "ively", "ously", "arily")

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


class WordForm(NamedTuple):
    """What a word, as it is written, is to phrases.

    Parameters
    ----------
    stem, root : str
        See `stem` and `root`.
    may_border, may_stand_inside : bool
        Whether a phrase may begin or end with it, or hold it.
    """

    stem: str
    root: str
    may_border: bool
    may_stand_inside: bool


def is_in_latin(text: str) -> bool:
    """Return whether a text is in Latin letters, but for single ones as in "α-rays"."""
    if text.isascii():
        return True
    other = [one.isalpha() and "LATIN" not in unicodedata.name(one, "") for one in text]
    return not any(map(operator.and_, other, other[1:]))


@lru_cache(_FORMS)
def form_of_word(word: str) -> WordForm | None:
    """Return what a word is to phrases, None where it is none."""
    if not word[0].isalpha():
        return None
    border = may_border(word)
    return WordForm(stem(word), root(word), border, border or word.lower() in JOINING_WORDS)


@lru_cache(_FORMS)
def stem(word: str) -> str:
    """Reduce a word to the form under which it is counted: lower case, singular, no possessive.

    Deliberately small: "Colonies" and "colony's" meet in "colony", but "taxation" and "tax" stay
    two words, since a name shows one of them.
    """
    word = word.lower().replace("’", "'")
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(_FORMS)
def root(word: str) -> str:
    """Reduce a word further, so that the query's "causes" also covers "caused" and "causing"."""
    reduced = stem(word)
    for ending in ("ation", "ing", "ed", "ly", "er", "al", "e"):
        if len(reduced) - len(ending) >= 4 and reduced.endswith(ending):
            reduced = reduced.removesuffix(ending)
            break
    return reduced.removesuffix("i") + "y" if len(reduced) > 4 and reduced[-1] == "i" else reduced


def is_function_word(word: str) -> bool:
    """Return whether a word of a query says nothing of what is asked: "what", "of", "is"."""
    return not word[0].isalpha() or word.lower() in _FUNCTION_WORDS


def may_border(word: str) -> bool:
    """Return whether a phrase may begin or end with this word (in any case)."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    if lower in STOP_WORDS or "'" in lower[-3:]:
        return False
    if len(lower) < 3 and lower.isascii() and not (len(lower) == 2 and word[:2].isupper()):
        return False  # a unit or a stray letter, but not "UK"
    return not (len(lower) > 6 and lower.endswith(_ADVERB_ENDINGS))


def name_words(name: str) -> frozenset[str]:
    """List the words of a name that say something, in the form under which they are counted."""
    words = _WORD.findall(name)
    return frozenset(
        stem(word)
        for word in words
        if not is_function_word(word) and word.lower() not in JOINING_WORDS
    )


def apart_words(name: str) -> frozenset[str]:
    """List the words by which a name is told from another one.

    These are those of `name_words`, and all that sets headings side by side: "First phase" and
    "Second phase", "Career in the Soviet Union" and "Career outside the Soviet Union", years.
    """
    words = re.findall(r"[^\W_]+(?:['’\-][^\W_]+)*", name.lower())
    return frozenset(stem(word) for word in words if word == "in" or word not in EMPTY_WORDS)


def evidence(name: str, text: str) -> list[tuple[int, int]]:
    """Find the words of a name in a text; words of the name side by side are one place.

    Parameters
    ----------
    name : str
        Of a group, whoever gave it.
    text : str

    Returns
    -------
    list of (int, int)
        Start and end in characters, in the order of the text.
    """
    wanted = name_words(name)
    places: list[tuple[int, int]] = []
    for found in _WORD.finditer(text):
        if stem(found.group()) not in wanted:
            continue
        start, end = found.span()
        if places and text[places[-1][1] : start].isspace():
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return places


def bears_out(name: str, texts: Iterable[str]) -> int:
    """Count the texts in which a word of a name is found."""
    wanted = name_words(name)
    return sum(any(stem(found) in wanted for found in _WORD.findall(text)) for text in texts)
