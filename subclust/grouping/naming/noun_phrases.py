"""Which phrases are noun phrases, by the Hanover Tagger."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Any

from HanTa.HanoverTagger import HanoverTagger

from subclust.core.records.spoken import FUNCTION_WORDS, spoken

_MODELS = {"en": "morphmodel_en.pgz", "de": "morphmodel_ger.pgz"}

_SHORT = {"eng": "en", "ger": "de", "fre": "fr", "spa": "es", "por": "pt"}
_FUNCTION_WORDS = {short: frozenset(FUNCTION_WORDS[code].split()) for code, short in _SHORT.items()}

# One letter a word: name, noun, adjective, participle, joining word, article, anything else.
# English tags are CLAWS C5, German ones STTS.
_CLASSES = (
    (re.compile(r"NP|NE|FM|ZZ"), "N"),
    (re.compile(r"N(?!NI)|VVG"), "n"),
    (re.compile(r"AJ|ADJ|CRD|ORD|CARD|POS|UNC|DPS|PPOSAT"), "a"),
    (re.compile(r"VVN|VVPP|VAPP"), "p"),
    (re.compile(r"CJC|PRP|PRF|KON|APPR"), "j"),
    (re.compile(r"AT|ART"), "t"),
)
# A participle stands before a common noun: "trained pilots", but not "married Flora".
_WORDS = r"(?:a|p(?=[apn]*n))*[nN](?:[anN]*[nN])?"
_NOUN_PHRASE = re.compile(rf"(?:a+j)?{_WORDS}(?:(?:jt?|t){_WORDS})*")
_INDEFINITE = frozenset("ein eine einem einen einer eines".split())
_SAMPLE = 50
_WORDS_KEPT, _PHRASES_KEPT = 50_000, 100_000


def language_of(texts: Iterable[str], otherwise: str = "en") -> str:
    """Return the language that most texts are in, of "en", "de", "fr", "es" and "pt"."""
    found = [_SHORT.get(spoken(text)) for text in islice(texts, _SAMPLE)]
    counts = Counter(one for one in found if one)
    return max(counts, key=lambda one: (counts[one], one == otherwise), default=otherwise)


@lru_cache(maxsize=_PHRASES_KEPT)
def is_noun_phrase(phrase: str, language: str = "en") -> bool:
    """Return whether words, as they stand within a sentence, are a noun phrase.

    Parameters
    ----------
    phrase : str
        Without punctuation; noun phrases joined by "and" or a preposition are one, too.
    language : {"en", "de", "fr", "es", "pt"}
        Without a tagger, what neither begins nor ends with a function word counts as one.
    """
    if language not in _MODELS:
        words = phrase.lower().split()
        return not {words[0], words[-1]} & _FUNCTION_WORDS[language]
    return _NOUN_PHRASE.fullmatch(_classes(phrase, language)) is not None


def is_name(phrase: str, language: str = "en") -> bool:
    """Return whether a noun phrase may head a group: none that begins with what somebody does.

    "Starting lineups" and "allowing easier data" may not, nor may a lone word in small letters that
    the tagger takes for a name since it does not know it, as "geodesic". German ones end with a
    noun and have no "ein" inside, which begins another phrase.

    Parameters
    ----------
    phrase, language
        As for `is_noun_phrase`.
    """
    if not is_noun_phrase(phrase, language):
        return False
    words = phrase.split()
    if language == "de":
        return words[-1][:1].isupper() and not _INDEFINITE & set(words)
    if language not in _MODELS:
        return True
    first = _tags(phrase, language)[0]
    if len(words) > 1:
        return not first.startswith("VV")
    return not (phrase.islower() and first.startswith("NP"))


def _classes(phrase: str, language: str) -> str:
    tags = _tags(phrase, language)
    return "".join(_class_of(word, tag) for word, tag in zip(phrase.split(), tags, strict=True))


@lru_cache(maxsize=_PHRASES_KEPT)
def _tags(phrase: str, language: str) -> tuple[str, ...]:
    return tuple(_tagger(language).tag_sent(phrase.split(), taglevel=0))


def _class_of(word: str, tag: str) -> str:
    letter = next((letter for pattern, letter in _CLASSES if pattern.match(tag)), "x")
    return "p" if letter == "a" and word.endswith("ed") and word.islower() else letter


@lru_cache(maxsize=2)
def _tagger(language: str) -> Any:  # HanTa has no types
    tagger = HanoverTagger(_MODELS[language])
    tagger.analyze_forward = lru_cache(_WORDS_KEPT)(tagger.analyze_forward)
    return tagger
