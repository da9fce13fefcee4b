"""Which passages among those at hand hold typed words, where, and which words hardly any holds."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from subclust.core.records import Passage
from subclust.explanation.units import Span, sentence_spans
from subclust.grouping.naming.phrases import words_of
from subclust.grouping.naming.words import STOP_WORDS, is_in_latin, root

_LONGEST = 180
_BEFORE = 60

_MANY = 10
"""Passages of which one alone is hardly any."""

_SHORT = 4
"""Letters of a word that may stand in longer ones by chance: "air" in "fair"."""


@dataclass(frozen=True)
class Held:
    """Where a passage holds typed words.

    Parameters
    ----------
    sentence : str
        The sentence that holds most of the words, shortened around the first of them; the first
        sentence where none holds any.
    in_title, in_sentence : tuple of Span
        Where the words stand in the title and in the sentence, in order and apart.
    """

    sentence: str
    in_title: tuple[Span, ...]
    in_sentence: tuple[Span, ...]


def holding(passages: Iterable[Passage], typed: str) -> list[Passage]:
    """Find the passages whose title and text hold every typed word, whatever case and accents.

    A word is also found within a longer one: "ritual" in "rituals", "schiff" in "Dampfschiff".

    Returns
    -------
    list of Passage
        In the order they came in; none where no word was typed.
    """
    words = _words(typed)
    if not words:
        return []
    found = []
    for passage in passages:
        title, text = _folded(passage.title)[0], _folded(passage.text)[0]
        if all(word in title or word in text for word in words):
            found.append(passage)
    return found


def hardly_mentioned(passages: Sequence[Passage], question: str) -> tuple[list[str], list[str]]:
    """Find the words of a question that hardly any passage mentions, whatever case and accents.

    Passages found by meaning may miss half of what was asked: of "music of Angola" the country. As
    in `holding`, a word also counts within a longer one. Words that say nothing on their own, and
    scripts whose inflections are not known, are passed over.

    Parameters
    ----------
    passages : sequence of Passage
    question : str
        Without operators.

    Returns
    -------
    in_none : list of str
        As typed, in their order.
    in_one : list of str
        Those that a single one of ten passages or more mentions.
    """
    texts = [_plain(f"{one.title}\n{one.path or ''}\n{one.text}") for one in passages]
    in_none, in_one = [], []
    for word in dict.fromkeys(words_of(question)):
        plain = _plain(word)
        if not word[:1].isalpha() or not is_in_latin(word) or plain in STOP_WORDS:
            continue
        n_holding = sum(map(bool, map(_forms_of(plain).search, texts)))
        if not n_holding:
            in_none.append(word)
        elif n_holding == 1 and len(passages) >= _MANY:
            in_one.append(word)
    return in_none, in_one


def where_held(passage: Passage, typed: str) -> Held:
    """Find where a passage holds typed words, all or some of them."""
    words = _words(typed)
    sentences = [" ".join(span.of(passage.text).split()) for span in sentence_spans(passage.text)]
    sentences = sentences or [" ".join(passage.text.split())]
    best = max(sentences, key=lambda one: sum(word in _folded(one)[0] for word in words))
    short = _around(best, _places_of(words, best))
    return Held(short, _places_of(words, passage.title), _places_of(words, short))


def _places_of(words: Iterable[str], text: str) -> tuple[Span, ...]:
    """Find where words stand in a text, whatever their case and accents.

    Returns
    -------
    tuple of Span
        In order; where words overlap or touch, they are one place.
    """
    folded, origin = _folded(text)
    places: list[Span] = []
    for word in {_folded(one)[0] for one in words} - {""}:
        start = folded.find(word)
        while start >= 0:
            end = start + len(word)
            places.append(Span(origin[start], origin[end - 1] + 1))
            start = folded.find(word, end)
    joined: list[Span] = []
    for place in sorted(places):
        if joined and place.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, place.end))
        else:
            joined.append(place)
    return tuple(joined)


def _words(typed: str) -> list[str]:
    return _folded(typed)[0].split()


def _around(sentence: str, places: tuple[Span, ...]) -> str:
    """Shorten a sentence to whole words around the first place."""
    if len(sentence) <= _LONGEST:
        return sentence
    first = places[0].start if places else 0
    start = sentence.rfind(" ", 0, max(first - _BEFORE, 1)) + 1 if first > _BEFORE else 0
    end = len(sentence)
    if end - start > _LONGEST:
        end = sentence.rfind(" ", start, start + _LONGEST)
        end = end if end > start else start + _LONGEST
    before, after = ("… " if start else ""), (" …" if end < len(sentence) else "")
    return f"{before}{sentence[start:end]}{after}"


def _forms_of(word: str) -> re.Pattern[str]:
    """Return what finds the forms of a word in small letters: "batteries" has "battery", too."""
    start = root(word).removesuffix("y")
    known = re.escape(start)
    return re.compile(known if len(start) > _SHORT else rf"\b{known}\w{{0,3}}\b")


def _plain(text: str) -> str:
    """Take case and accents off a text."""
    if text.isascii():
        return text.lower()
    signs = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in signs if not unicodedata.combining(sign))


def _folded(text: str) -> tuple[str, list[int]]:
    """Take case and accents off a text; tell of each sign which sign of the text it was."""
    signs: list[str] = []
    origin: list[int] = []
    for place, sign in enumerate(text):
        for part in unicodedata.normalize("NFKD", sign).casefold():
            if not unicodedata.combining(part):
                signs.append(part)
                origin.append(place)
    return "".join(signs), origin
