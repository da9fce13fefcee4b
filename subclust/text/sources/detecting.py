"""Which old encoding some bytes are in that are no UTF-8: a detector, alphabets and the language.

chardet finds the language models that fit. On one record that is a handful of letters, so it is
weighed with how the text would look in each encoding: whether its letters are those of one
language, capitals begin words and a word keeps to one script; and a language code decides.
"""

import math
import re
from collections import Counter
from collections.abc import Collection
from functools import cache

import chardet

from subclust.text.sources.encodings import ALPHABETS, ENCODINGS, language_of

MOST_BYTES = 1 << 16
"""Of a sample; what the detector looks at."""

_MOST_FITTED = 1 << 13
_DETECTED = 4.0
"""How much a logarithm of the detector's confidence counts."""

_TOLD = 8.0
"""How much a language code counts, in the same unit: natural logarithms of a likelihood."""

_STRANGE = 8.0
_SIGN = 9.0
_CONTROL = 12.0
_BREAK = 4.0
_PUNCTUATION = 4.5

_USUAL_SIGNS = frozenset(
    "–—‘’“”„‚…«»•°§©®€£\xa0\u00b7½¼²³№¿¡‹›´、。「」『』・《》（），：；！？ー々〇\u3000"
)
_WITHIN = re.compile(r"(?<=[^\W\d_])[^\w\s'’·.-](?=[^\W\d_])|(?<=[^\W\d_])[\xa0«“„‚](?=[^\W\d_])")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LINE_TAG = re.compile(rb"^(?:[A-Z][A-Z0-9]{1,3} {0,2}- ?|%[0-9A-Z] |[A-Z][A-Z0-9] )", re.MULTILINE)
_LANGUAGE = re.compile(
    rb"""^(?:LA\s{0,2}-?|%G)\s+([a-z]{2,12})\b|\blang(?:uage|id)?"?\s*[=:]\s*["{]?([a-z]{2,12})\b"""
    rb"""|<(?:dc:)?language>([a-z]{2,12})<|xml:lang="([a-z]{2,3})[-"]""",
    re.IGNORECASE | re.MULTILINE,
)
# chardet's names, where they differ from Python's.
_DETECTORS = {"euc_jp": "euc_jis_2004"}


def languages_in(data: bytes) -> frozenset[str]:
    """Return the languages that a text's own language fields name, by their codes in MARC."""
    words = {word.decode() for groups in _LANGUAGE.findall(data) for word in groups if word}
    return frozenset(code for word in words if (code := language_of(word)))


def detect(sample: bytes, languages: Collection[str] = ()) -> str:
    """Return the encoding of lines that are not all UTF-8.

    Parameters
    ----------
    sample : bytes
        Lines or fields with other bytes than ASCII.
    languages : collection of str
        Codes in MARC that the text is known to be in.

    Returns
    -------
    str
        A key of `ENCODINGS`.
    """
    words = _LINE_TAG.sub(b"", sample[:MOST_BYTES])
    scores = {
        name: score for name in _tried() if (score := _score(words, name, languages)) is not None
    }
    if not scores:
        return "iso8859-1"
    likely = {_DETECTORS.get(name, name): name for name in scores}
    found = chardet.detect_all(
        words,
        ignore_threshold=True,
        include_encodings=likely,
        compat_names=False,
        no_match_encoding=next(iter(likely)),
        empty_input_encoding=next(iter(likely)),
    )
    confidence = {likely.get(one["encoding"] or ""): one["confidence"] for one in found}
    return max(
        scores,
        key=lambda name: scores[name] + _DETECTED * math.log(confidence.get(name, 0.0) + 1e-3),
    )


@cache
def _tried() -> tuple[str, ...]:
    return tuple(name for name, card in ENCODINGS.items() if card.languages)


def _score(data: bytes, encoding: str, languages: Collection[str]) -> float | None:
    """Return how likely bytes are in an encoding, as a logarithm; None where they cannot be."""
    # An odd byte, or a character that is cut at the end, does not rule an encoding out.
    text = data[:_MOST_FITTED].decode(encoding, "replace")
    n_wrong = text.count("\ufffd")
    if n_wrong and n_wrong > 0.02 * sum(not sign.isascii() for sign in text):
        return None
    card = ENCODINGS[encoding]
    counts = Counter(sign for sign in text if not sign.isascii())
    penalty = -_BREAK * (_n_breaks(text) + _n_within(text)) - card.rarity
    return penalty + max(
        (_TOLD if language in languages else 0.0)
        - sum(n * _cost_of(sign, language) for sign, n in counts.items())
        for language in card.languages
    )


@cache
def _cost_of(sign: str, language: str) -> float:
    """Return the negative logarithm of how often a sign comes in a language."""
    if sign in _USUAL_SIGNS:
        return _PUNCTUATION
    if language in _EAST_ASIAN:
        return _EAST_ASIAN[language](sign)
    alphabet = ALPHABETS[language]
    if sign.lower() in alphabet or sign in alphabet:
        return math.log(len(alphabet)) + (0.0 if sign == sign.lower() else 0.5)
    if sign.isalpha():
        return _STRANGE
    return _CONTROL if sign < "\xa0" or "\ue000" <= sign < "\uf900" else _SIGN


def _japanese(sign: str) -> float:
    if "\u3040" <= sign < "\u3100":
        return 4.0
    return _ideograph(sign, "euc_jp", 0xB0, 0xCF)


def _chinese(sign: str) -> float:
    return min(_ideograph(sign, "gb2312", 0xB0, 0xD7), _ideograph(sign, "big5", 0xA4, 0xC6))


def _korean(sign: str) -> float:
    if "\uac00" <= sign < "\ud7a4":
        return 6.0 if len(_bytes(sign, "euc_kr")) == 2 else 12.0
    return 9.0 if _CHINESE.match(sign) else _SIGN


def _ideograph(sign: str, encoding: str, first: int, last: int) -> float:
    """Return the cost of an ideograph: common ones are in the first rows of each national set."""
    coded = _bytes(sign, encoding)
    if not _CHINESE.match(sign) or len(coded) != 2:
        return 12.0
    return 6.0 if first <= coded[0] <= last else 10.0


def _bytes(sign: str, encoding: str) -> bytes:
    return sign.encode(encoding, "ignore")


_EAST_ASIAN = {"jpn": _japanese, "chi": _chinese, "kor": _korean}
_WORD = re.compile(r"[^\W\d_]+")


_ANY = re.compile(
    "[\u00c0-\u01bf\u01c4-\u024f\u0300-\u036f\u0386-\u03ce\u0400-\u045f\u0490\u0491"
    "\u05b0-\u05ea\u060c-\u06cc\u0e01-\u0e4e\u1e00-\u1fff\u2010-\u203a\u2080-\u2089\u2200-\u22ff"
    "\u3000-\u9fff\uac00-\ud7a3\ufe20-\ufe2f\ufeff\uff01-\uffee]"
)


def is_usual(text: str) -> bool:
    """Return whether the signs beyond ASCII are ones that records have, and no chance."""
    return all(
        sign in _USUAL_SIGNS or _ANY.match(sign) is not None
        for sign in set(text)
        if not sign.isascii()
    )


def _n_within(text: str) -> int:
    """Count signs other than ASCII that stand between two letters, where words have none."""
    return sum(not sign.isascii() for sign in _WITHIN.findall(text))


def _n_breaks(text: str) -> int:
    """Count capitals within words, and letters of another script beside Latin ones."""
    n = 0
    for word in _WORD.findall(text):
        if word.isascii():
            continue
        n += sum(
            a.islower() and b.isupper() and not (a.isascii() and b.isascii())
            for a, b in zip(word, word[1:], strict=False)
        )
        others = sum(sign > "\u036f" for sign in word)
        n += min(others, len(word) - others)
    return n
