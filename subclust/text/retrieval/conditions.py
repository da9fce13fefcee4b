"""What passages must meet, as a tree; as SQL over a library's table, and in words.

Words match whatever their capitals and accents, and in singular and plural unless they stand in
quotation marks. The metadata of a passage is JSON, with escapes for all letters beyond ASCII.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Literal

from subclust.core.messages import Message, joined
from subclust.text.library.browse import within_years
from subclust.text.library.search import SEARCHED_COLUMN, quoted

Field = Literal[
    "any", "title", "text", "author", "year", "keyword", "venue", "publisher", "language", "doi",
    "isbn", "issn", "source", "collection",
]  # fmt: skip

_TOKEN = re.compile(r"[^\W_]+\*?")
_COLUMNS = {"title": "title", "text": "text", "collection": "collection"}
_KEYS = {"author": "authors", "keyword": "keywords"}
_INFLECTED = ("any", "title", "text", "keyword")

# One character, or what JSON writes for one, that is no letter, digit or quotation mark.
_BETWEEN = r'(?:[^\w"\\]|_|\\(?:["\\/bfnrt]|u(?:20[0-9a-f]{2}|00[ab][0-9a-f]|30[01][0-9a-f])))'
_IN_NAME = _BETWEEN.replace('"', '";', 1)
_APART = r"[\W_]+"
_ANYTHING = r'(?:[^"\\]|\\.)*?'
_ONE_NAME = r'(?:[^";\\]|\\.)*?'

_MOST_ORDERS = 3
"""Words of an author that are found in any order; more, in the order given."""


@dataclass(frozen=True)
class Term:
    """Words that stand beside each other in a field.

    Parameters
    ----------
    words : str
        At least one letter or digit; a word that ends in ``*`` stands for all that begin so.
    field : str
        ``"any"`` is title or text.
    exact : bool
        Whether they stood in quotation marks.
    years : (int or None, int or None), optional
        Of the field ``"year"``, both included.
    """

    words: str
    field: Field = "any"
    exact: bool = False
    years: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True)
class Every:
    """All of the parts, at least two, must be met."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True)
class Either:
    """One of the parts, at least two, must be met."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True)
class Without:
    """The part must not be met."""

    part: "Condition"


Condition = Term | Every | Either | Without


def every(parts: Sequence[Condition]) -> Condition | None:
    """Join conditions, each once; none where there are none."""
    flat = dict.fromkeys(one for p in parts for one in (p.parts if isinstance(p, Every) else (p,)))
    return Every(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


def either(parts: Sequence[Condition]) -> Condition | None:
    """Offer conditions, each once; none where there are none."""
    flat = dict.fromkeys(one for p in parts for one in (p.parts if isinstance(p, Either) else (p,)))
    return Either(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


def in_field(condition: Condition, field: Field) -> Condition:
    """Ask for a condition's words in a field."""
    if isinstance(condition, Term):
        return replace(condition, field=field) if condition.field == "any" else condition
    if isinstance(condition, Without):
        return Without(in_field(condition.part, field))
    return replace(condition, parts=tuple(in_field(one, field) for one in condition.parts))


def sql_of(condition: Condition) -> str:
    """Write the SQL that the rows of the passages meet, never null."""
    if isinstance(condition, Without):
        return f"NOT {sql_of(condition.part)}"
    if isinstance(condition, Every):
        return f"({' AND '.join(map(sql_of, condition.parts))})"
    if isinstance(condition, Either):
        return f"({' OR '.join(map(sql_of, condition.parts))})"
    return f"({_sql_of_term(condition)})"


def tokens_of(words: str) -> list[str]:
    """Split words into those that are compared."""
    return _TOKEN.findall(unicodedata.normalize("NFC", words))


def _sql_of_term(term: Term) -> str:
    if term.field == "year":
        return f"coalesce({within_years(*term.years)}, FALSE)"
    tokens = tokens_of(term.words)
    if term.field in ("any", *_COLUMNS):
        inflected = not term.exact and term.field in _INFLECTED
        pattern = _phrase(tokens, inflected=inflected)
        if term.field != "any":
            columns = [_COLUMNS[term.field]]
        else:
            # The searched text is both, one below the other: a phrase must not reach across.
            columns = [SEARCHED_COLUMN] if len(tokens) == 1 else ["title", "text"]
        return " OR ".join(f"regexp_like({column}, {quoted(pattern)})" for column in columns)
    return " OR ".join(
        f"regexp_like(metadata, {quoted(pattern)})" for pattern in _in_metadata(term, tokens)
    )


def _phrase(tokens: Sequence[str], *, inflected: bool) -> str:
    parts = [_word(one, _folded) for one in tokens[:-1]] + [
        _word(tokens[-1], _folded, inflected=inflected)
    ]
    first = "" if _runs_on(tokens[0][0]) else r"\b"
    last = "" if tokens[-1][-1] == "*" or _runs_on(tokens[-1][-1]) else r"\b"
    return f"(?i){first}{_APART.join(parts)}{last}"


def _in_metadata(term: Term, tokens: Sequence[str]) -> Iterator[str]:
    """Yield patterns of which one must be in the metadata."""
    start = f'(?i)"{_KEYS.get(term.field, term.field)}": '
    if term.field in ("isbn", "issn"):
        digits = "[- ]?".join("".join(tokens).rstrip("*"))
        yield rf'{start}"{_ANYTHING}{digits}'
        return
    if term.field == "language":
        codes = _languages().get(term.words.lower(), (re.escape(_in_json(term.words)),))
        yield rf'{start}"{_ANYTHING}\b(?:{"|".join(codes)})\b'
        return
    inflected = not term.exact and term.field in _INFLECTED
    word_ends = f'(?:{_BETWEEN}|")'
    end = "" if tokens[-1][-1] == "*" or _runs_on(tokens[-1][-1]) else word_ends
    before = _ANYTHING if _runs_on(tokens[0][0]) else f"(?:{_ANYTHING}{_BETWEEN})?"
    if term.field == "author":
        # An initial stands for the names that begin with it.
        names = [one + "*" if len(one) == 1 and one.isalpha() else one for one in tokens]
        orders = permutations(names) if len(names) <= _MOST_ORDERS else [tuple(names)]
        between = f"{_IN_NAME}(?:{_ONE_NAME}{_IN_NAME})?"
        for order in dict.fromkeys(orders):
            last = "" if order[-1][-1] == "*" else end
            words = [_word(one, _escaped) + (_ONE_NAME if one[-1] == "*" else "") for one in order]
            yield f'{start}"{before}{between.join(words)}{last}'
        return
    words = [_word(one, _escaped) for one in tokens[:-1]]
    words.append(_word(tokens[-1], _escaped, inflected=inflected))
    words_apart = f"{_BETWEEN}+"
    yield f'{start}"{before}{words_apart.join(words)}{end}'


def _word(token: str, letter: Callable[[str], str], *, inflected: bool = False) -> str:
    word = token.rstrip("*").lower()
    written = [letter(one) for one in word]
    if (
        not inflected
        or token[-1] == "*"
        or len(word) < 3
        or not (word.isascii() and word.isalpha())
    ):
        return "".join(written)
    if word.endswith("ies") and len(word) > 4:
        return "".join(written[:-3]) + "(?:y|ies)"
    if word.endswith("y") and word[-2] not in "aeiou":
        return "".join(written[:-1]) + "(?:y|ies)"
    if re.search("(?:s|x|z|ch|sh)es$", word):
        return "".join(written[:-2]) + "(?:es?)?"
    if word.endswith("s") and len(word) > 3 and word[-2] not in "sui":
        return "".join(written) + "?" if len(written[-1]) == 1 else "".join(written[:-1]) + "s?"
    return "".join(written) + "(?:e?s)?"


@cache
def _variants() -> dict[str, str]:
    """Map each letter from a to z to the small letters that are it with an accent."""
    found: dict[str, str] = {}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        letter = chr(code)
        base = unicodedata.normalize("NFD", letter)[0]
        if letter.islower() and base.isascii() and base.isalpha():
            found[base] = found.get(base, "") + letter
    return found


@cache
def _folded(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    if base in _variants():
        return f"[{base}{_variants()[base]}]"
    return re.escape(letter)


@cache
def _escaped(letter: str) -> str:
    """Write a letter as it may stand in JSON, whatever its capitals and accents."""
    base = unicodedata.normalize("NFD", letter)[0]
    others = _variants().get(base, "")
    letters = dict.fromkeys(
        _in_json(one) for small in (base if others else letter) + others
        for one in (small, small.upper()) if len(one) == 1
    )  # fmt: skip
    plain = [re.escape(one) for one in letters if len(one) == 1]
    codes = [one[2:] for one in letters if len(one) == 6]
    if codes:
        plain.append(rf"\\u(?:{'|'.join(codes)})")
    plain += [re.escape(one) for one in letters if len(one) > 6]
    return plain[0] if len(plain) == 1 else f"(?:{'|'.join(plain)})"


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    """Map the codes and names of languages, in small letters, to all of the same language."""
    from babel import Locale
    from babel.core import get_global

    same: dict[str, dict[str, None]] = {}
    for names in (Locale("en").languages, Locale("de").languages):
        for code, name in names.items():
            if len(code) == 2:
                same.setdefault(code, {code: None})[name.lower()] = None
    for other, code in get_global("language_aliases").items():
        if code in same and len(other) == 3:
            same[code][other] = None
    return {
        one: tuple(re.escape(_in_json(name)) for name in names)
        for names in same.values()
        for one in names
    }


def _in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _runs_on(letter: str) -> bool:
    """Return whether a letter is of a script that puts no blanks between words."""
    name = unicodedata.name(letter, "")
    return name.startswith(
        ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYAN")
    )


def in_words(condition: Condition) -> Message:
    """Return which passages meet a condition, to follow "Only passages"."""
    if isinstance(condition, Every):
        return joined(
            _bracketed(one) if isinstance(one, Either) else in_words(one) for one in condition.parts
        )
    if isinstance(condition, Either):
        return _offered([_bracketed(one) for one in condition.parts])
    if isinstance(condition, Without):
        return _denied(condition.part)
    return _term_in_words(condition)


def _bracketed(condition: Condition) -> Message:
    if isinstance(condition, Term | Without):
        return in_words(condition)
    return joined(["(", in_words(condition), ")"], "")


def _offered(parts: Sequence[Message]) -> Message:
    *first, last = parts
    return Message("{first} or {last}", first=joined(first), last=last)


def _denied(condition: Condition) -> Message:
    if isinstance(condition, Without):
        return in_words(condition.part)
    if isinstance(condition, Term) and condition.field == "any":
        words = _quoted(condition)
        if condition.exact and len(tokens_of(condition.words)) > 1:
            return Message("without the phrase {words}", words=words)
        return Message("without {words}", words=words)
    return Message("not {condition}", condition=_bracketed(condition))


def _quoted(term: Term) -> Message:
    return Message("“{text}”", text=term.words)


def _term_in_words(term: Term) -> Message:
    if term.field == "year":
        return _years_in_words(*term.years)
    words = _quoted(term)
    if term.field == "any" and term.exact and len(tokens_of(term.words)) > 1:
        return Message("with the phrase {words}", words=words)
    templates: dict[Field, Message] = {
        "any": Message("with {words}", words=words),
        "title": Message("with {words} in the title", words=words),
        "text": Message("with {words} in the text", words=words),
        "author": Message("by {words}", words=words),
        "keyword": Message("with {words} among the keywords", words=words),
        "venue": Message("published in {words}", words=words),
        "publisher": Message("published by {words}", words=words),
        "language": Message("in the language {words}", words=words),
        "source": Message("from the source {words}", words=words),
        "collection": Message("in the collection {words}", words=words),
    }
    other = Message("with the {name} {words}", name=term.field.upper(), words=words)
    return templates.get(term.field, other)


def _years_in_words(first: int | None, last: int | None) -> Message:
    if first == last:
        return Message("from {year}", year=first)
    if last is None:
        return Message("from {year} on", year=first)
    if first is None:
        return Message("up to {year}", year=last)
    return Message("from {first} to {last}", first=first, last=last)
