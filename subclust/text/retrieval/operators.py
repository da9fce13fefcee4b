"""Quotes, AND, OR, NOT, parentheses and fields of a question, told from its words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Any, Literal

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
from subclust.text.retrieval.pieces import (
    CATALOGUED,
    FIELDS,
    HINT,
    TAGGED,
    TAGS,
    is_year,
    pieces_of,
    year_term,
)

_MEANT: tuple[Field, ...] = ("any", "title", "text", "keyword")
"""Fields whose words say what is asked; those of others only restrict it."""

_NO_COMMAND = re.compile(r"(?:NEAR|ADJ)(?:/?\d+)?|(?:W|N|PRE)/\d+|XOR|UND|ODER|NICHT")
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


def read_as(question: str) -> dict[str, dict[str, Any]]:
    """Return how a question was read, as JSON under the key ``read``.

    Returns
    -------
    dict
        ``{"read": {"words": ..., "told": [...]}}``; empty for a question of words alone.
    """
    read = understood(question)
    return {"read": {"words": read.words, "told": list(read.told)}} if read.told else {}


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
    if HINT.search(question) is None:
        return Understood(question)
    reader = _Reader(pieces_of(question))
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
        parts: list[_Read] = []
        while self._next() not in _ENDS:
            if self._next() == "tag":
                self._tag(parts)
            else:
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
            return _Read("term", term=year_term(text))
        elif kind == "field":
            return self._in_field(text)
        elif kind == "word":
            return self._word(text)
        self.as_words.append(text)
        return _Read("idle", text=text)

    def _in_field(self, text: str) -> _Read:
        name = text[:-1].lower()
        named = FIELDS.get(name)
        if named == "year" and (read := self._years()) is not None:
            return read
        if named in (None, "year") or self._next() not in ("word", "phrase", "open"):
            if named is not None or name in CATALOGUED:
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

    def _years(self) -> _Read | None:
        """Read ``(2018 OR 2020-2022)``; None where anything else is there."""
        place = self.place + 1
        years: list[_Read] = []
        while self._next() == "open" and place < len(self.pieces):
            kind, text = self.pieces[place]
            place += 1
            if kind == "close" and years:
                self.place = place
                return _Read("OR", tuple(years))
            if kind == "OR":
                continue
            if not is_year(text):
                return None
            years.append(_Read("term", term=year_term(f"year:{text}")))
        return None

    def _tag(self, parts: list[_Read]) -> None:
        """Put what stands before a tag of PubMed into its field: a term, or words side by side."""
        text = self.pieces[self.place][1]
        self.place += 1
        field, last = TAGS[text[1:-1].lower()], parts[-1] if parts else _Read()
        if last.kind in ("NOT", "+"):
            self.place -= 1
            inside = [*last.parts]
            self._tag(inside)
            parts[-1] = _Read(last.kind, tuple(inside))
            return
        run = list(takewhile(lambda one: one.kind == "word", reversed(parts)))[::-1] or [last]
        if field == "year" and not is_year(year := run[-1].text.replace(":", "-")):
            self.as_words.append(run[-1].text + text)
        elif field == "year":
            parts[-1] = _Read("term", term=year_term(f"year:{year}"))
        elif parts:
            kept = run
            if field == "author":  # "Noor I": the library may have the whole name
                kept = [one for one in run if one.kind != "word" or len(one.text) > 2] or run
            parts[len(parts) - len(run) :] = [_Read(parts=tuple(kept), field=field)]

    def _word(self, text: str) -> _Read:
        if _NO_COMMAND.fullmatch(text):
            self.as_words.append(text)
            return _Read("idle", text=text)
        if tagged := TAGGED.fullmatch(text):
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
