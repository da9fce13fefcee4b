"""Quotes, AND, OR, NOT, parentheses and fields of a question, told from its words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from subclust.core.messages import Message, joined
from subclust.grouping.naming.words import is_function_word
from subclust.text.retrieval.conditions import (
    Condition,
    Field,
    Term,
    Without,
    either,
    every,
    in_field,
    in_words,
    sql_of,
    tokens_of,
)

_NAMES: dict[Field, str] = {
    "title": "title ti titel",
    "text": "text abstract ab",
    "author": "author authors au creator autor autorin verfasser",
    "year": "year py jahr",
    "keyword": "keyword keywords kw subject subjects schlagwort",
    "venue": "venue journal so zeitschrift",
    "publisher": "publisher verlag",
    "language": "language lang la sprache",
    "doi": "doi",
    "isbn": "isbn",
    "issn": "issn",
    "source": "source",
    "collection": "collection",
}

FIELDS = {name: kept for kept, names in _NAMES.items() for name in names.split()}
"""Names of fields as they are typed, and which field each means."""

_CATALOGUED = frozenset(
    """
    affiliation class classification corporation country date ddc descriptor edition editor
    format genre id issue mesh note notes page pages pmid place region series size su tag tags tiab
    topic translator type url volume herausgeber ort reihe signatur thema
    """.split()
)
"""Fields that catalogues have and libraries here have not."""

_MEANT: tuple[Field, ...] = ("any", "title", "text", "keyword")
"""Fields whose words say what is asked; those of others only restrict it."""

_DEEPEST = 20
"""Parentheses within each other that count."""

_MARKS = '"„“”«»＂「」『』'
_HINT = re.compile(
    rf"[{_MARKS}:*+(\[]|(?<!\S)-|\b(?:AND|OR|NOT|XOR|NEAR|ADJ|UND|ODER|NICHT)\b|\b[WN]/\d|ADJ\d"
)
_PIECE = re.compile(
    rf"""
    (?P<years>\b(?:year|py|jahr):\s*(?:
        \[\s*\d{{4}}\s+(?:TO|to|-)\s+\d{{4}}\s*\]
        |[<>]=?\s*\d{{4}}\b
        |(?:\d{{4}}\s*(?:-|–|—|\.\.)\s*(?:\d{{4}}|\d\d)?|(?:-|–|\.\.)?\d{{4}})(?![\w-])
        |"\d{{4}}"
    ))
    |(?P<field>(?<![\w:])[^\W\d_]{{2,20}}:(?=\S|\s+[{_MARKS}]))
    |(?P<phrase>(?<!\w)[{_MARKS}](?P<inside>[^{_MARKS}]*)[{_MARKS}](?!\w))
    |(?P<sign>(?<![^\s(])[-+](?=[^\W\d_]|[{_MARKS}(]))
    |(?P<open>\()|(?P<close>\))
    |(?P<mark>[{_MARKS}])
    |(?P<word>[^\s(){_MARKS}]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?P<sign>[<>]=?|-|–|\.\.)?\s*(?P<first>\d{4})(?:\s*(?P<to>-|–|—|\.\.|to)\s*(?P<last>\d*))?",
    re.IGNORECASE,
)
_NO_COMMAND = re.compile(r"(?:NEAR|ADJ)(?:/?\d+)?|(?:W|N|PRE)/\d+|XOR|UND|ODER|NICHT")
_TAGGED = re.compile(r"(?P<word>.+)\[[A-Za-z/ ]{2,20}\]")

_WORD = re.compile(r"[^\W_]")
_ENDS = ("", "close", "AND", "OR")


@dataclass(frozen=True)
class Understood:
    """A question, parted into what it is about and what its passages must meet.

    Parameters
    ----------
    words : str
        What it is about: without operators, parentheses, and what is excluded. Empty where the
        question names only authors, years and the like.
    condition : Condition or None
        What every hit meets; None where anything may be a hit.
    is_open : bool
        Whether some of the words need not be met, so that a hit may be about something else.
    as_words : tuple of str
        What looks like a command and was read as words.
    """

    words: str
    condition: Condition | None = None
    is_open: bool = True
    as_words: tuple[str, ...] = ()

    @property
    def sql(self) -> str | None:
        """The condition on rows of a library's table; None where there is none."""
        return None if self.condition is None else sql_of(self.condition)

    @property
    def told(self) -> tuple[Message, ...]:
        """Sentences that say how the question was read; none for one of words alone."""
        sentences = []
        if self.condition is not None:
            told = in_words(self.condition)
            sentences.append(Message("Only passages {condition}.", condition=told))
        if self.as_words:
            pieces = joined(Message("“{text}”", text=one) for one in self.as_words)
            sentences.append(Message("Read as ordinary words: {pieces}.", pieces=pieces))
        return tuple(sentences)


@lru_cache(64)
def understood(question: str) -> Understood:
    """Read the operators and fields of a question.

    Capital AND, OR and NOT join what stands beside them, NOT before AND before OR; ``-word`` is
    NOT. Words that AND or OR joins must be there, other words need not. A phrase in quotation
    marks, a field with its value and a word after ``+`` must be there.

    Parameters
    ----------
    question : str

    Returns
    -------
    Understood
        With the question itself as its words where it has no operators.
    """
    if _HINT.search(question) is None:
        return Understood(question)
    reader = _Reader(_pieces(question))
    found = reader.either().settled(required=False)
    as_words = tuple(dict.fromkeys((*reader.as_words, *found.as_words)))
    if found.condition is None:
        return Understood(question, as_words=as_words)
    return Understood(" ".join(found.words), found.condition, found.is_open, as_words)


@dataclass(frozen=True)
class _Settled:
    condition: Condition | None = None
    words: tuple[str, ...] = ()
    is_open: bool = False
    as_words: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Read:
    """A word, a term, or several that are joined in one way.

    A word is none that must be met unless something joins it; one that is idle never is.
    """

    kind: Literal["word", "idle", "term", "beside", "AND", "OR", "NOT", "+"] = "beside"
    parts: tuple["_Read", ...] = ()
    text: str = ""
    term: Term | None = None
    field: Field = "any"

    def settled(self, *, required: bool) -> _Settled:
        """Part it into what must be met and what it is about."""
        if self.kind == "idle":
            return _Settled(words=() if required else (self.text,))
        if self.kind == "word":
            if not required:
                told = (self.text,) if re.search(r"\w\*", self.text) else ()
                return _Settled(None, (self.text,), _tells(self.text), told)
            text = self.text.strip(".,;:?!'’…")
            found = tokens_of(text)
            return _Settled(Term(text), (text.rstrip("*"),)) if found else _Settled()
        if self.term is not None:
            return _Settled(self.term, (self.term.words,) if self.term.field in _MEANT else ())
        required = required or self.kind != "beside" or self.field != "any"
        parts = self.parts
        if required and self.kind == "beside":
            parts = tuple(one for one in parts if one.kind != "word" or _tells(one.text)) or parts
        settled = [one.settled(required=required) for one in parts]
        conditions = [one.condition for one in settled if one.condition is not None]
        condition = either(conditions) if self.kind == "OR" else every(conditions)
        if condition is not None and self.field != "any":
            condition = in_field(condition, self.field)
        if condition is not None and self.kind == "NOT":
            condition = Without(condition)
        is_meant = self.kind != "NOT" and self.field in _MEANT
        return _Settled(
            condition,
            tuple(word for one in settled if is_meant for word in one.words),
            any(one.is_open for one in settled),
            tuple(told for one in settled for told in one.as_words),
        )


@dataclass
class _Reader:
    """Reads pieces, each a kind and a text, from left to right."""

    pieces: Sequence[tuple[str, str]]
    place: int = 0
    as_words: list[str] = field(default_factory=list)

    def either(self) -> _Read:
        """Read alternatives until the parenthesis closes, or to the end."""
        return self._joined("OR", lambda: self._joined("AND", self._beside))

    def _joined(self, kind: Literal["AND", "OR"], read: Callable[[], _Read]) -> _Read:
        parts = [read()]
        while self._next() == kind:
            self.place += 1
            further = read()
            if parts[-1].parts and further.parts:
                parts.append(further)
            else:
                self.as_words.append(kind)
                parts[-1] = further if further.parts else parts[-1]
        return parts[0] if len(parts) == 1 else _Read(kind, tuple(parts))

    def _beside(self) -> _Read:
        parts = []
        while self._next() not in _ENDS:
            parts.append(self._one())
        return _Read(parts=tuple(one for one in parts if one.kind != "beside" or one.parts))

    def _next(self) -> str:
        return self.pieces[self.place][0] if self.place < len(self.pieces) else ""

    def _one(self) -> _Read:
        kind, text = self.pieces[self.place]
        self.place += 1
        if kind in ("NOT", "+"):
            while self._next() == kind:
                self.place += 1
            if self._next() not in _ENDS:
                return _Read("NOT" if kind == "NOT" else "+", (self._one(),))
        elif kind == "open":
            inside = self.either()
            self.place += self._next() == "close"
            return inside
        elif kind == "phrase":
            return _Read("term", term=Term(text, exact=True))
        elif kind == "years":
            return _Read("term", term=_year_term(text))
        elif kind == "field":
            return self._in_field(text)
        elif kind == "word":
            return self._word(text)
        self.as_words.append(text)
        return _Read("idle", text=text)

    def _in_field(self, text: str) -> _Read:
        name = text[:-1].lower()
        named = FIELDS.get(name)
        if named in (None, "year") or self._next() not in ("word", "phrase", "open"):
            if named is not None or name in _CATALOGUED:
                value = self.pieces[self.place][1] if self._next() == "word" else ""
                self.as_words.append(text + value)
            return _Read("word", text=text)
        read = self._one()
        if read.kind == "word" and not has_word(read.text):
            self.as_words.append(text + read.text)
            return _Read("word", text=text + read.text)
        if named == "author" and read.text.endswith(",") and self._next() == "word":
            first_name = self.pieces[self.place][1]
            if first_name[:1].isupper():  # Falk, Ada
                self.place += 1
                read = _Read("term", term=Term(f"{read.text} {first_name.rstrip(',;?')}"))
        return _Read(parts=(read,), field=named)

    def _word(self, text: str) -> _Read:
        if _NO_COMMAND.fullmatch(text):
            self.as_words.append(text)
            return _Read("idle", text=text)
        if tagged := _TAGGED.fullmatch(text):
            self.as_words.append(text)
            return _Read("word", text=tagged["word"])
        if text[-1] == ":" and len(text) > 3 and text[:-1].lower() in FIELDS:
            self.as_words.append(text)
        return _Read("word", text=text)


def has_word(text: str) -> bool:
    """Return whether a text has a letter or digit."""
    return _WORD.search(text) is not None


def _tells(word: str) -> bool:
    """Return whether a word says something: no "of" or "the", but "US" and "1914"."""
    return any(
        not one.isalpha() or (one.isupper() and len(one) > 1) or not is_function_word(one)
        for one in tokens_of(word)
    )


def _pieces(question: str) -> list[tuple[str, str]]:
    pieces: list[tuple[str, str]] = []
    is_shouted = _is_shouted(question)
    n_open = 0
    for found in _PIECE.finditer(question):
        kind, text = found.lastgroup or "", found[0]
        if kind == "phrase":
            text = " ".join(found["inside"].split())
            kind = kind if tokens_of(text) else ""
        elif kind == "sign":
            kind = "NOT" if text == "-" else "+"
        elif kind == "open":
            kind = kind if n_open < _DEEPEST else ""
            n_open += kind == "open"
        elif kind == "close":
            kind = kind if n_open else ""
            n_open -= kind == "close"
        elif kind == "mark" and question[: found.start()][-1:].isdigit():
            kind = ""  # inches
        elif kind == "word" and text in ("AND", "OR", "NOT"):
            kind = "shouted" if is_shouted else text
        if kind:
            pieces.append((kind, text))
    return pieces


def _is_shouted(question: str) -> bool:
    """Return whether a sentence is in capitals throughout, so that AND is one of its words."""
    if any(letter.islower() for letter in question):
        return False
    words = [word for word in tokens_of(question) if word not in ("AND", "OR", "NOT")]
    return any(is_function_word(word) for word in words if word.isalpha())


def _year_term(text: str) -> Term:
    value = text.partition(":")[2].strip('"[] ')
    found = _YEARS.fullmatch(value)
    assert found is not None, value
    year, sign, last = int(found["first"]), found["sign"] or "", found["last"] or ""
    years: tuple[int | None, int | None] = (year, year)
    if sign.startswith(">"):
        years = (year + (sign == ">"), None)
    elif sign:
        years = (None, year - (sign == "<"))
    elif len(last) == 2 and int(last) <= year % 100:
        pass  # a month
    elif last:
        other = int(last if len(last) == 4 else f"{year // 100}{last}")
        years = (min(year, other), max(year, other))
    elif found["to"]:
        years = (year, None)
    return Term(value, "year", years=years)
