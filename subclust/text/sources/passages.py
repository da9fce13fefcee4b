"""Long texts to passages, at the borders of paragraphs and sentences."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import sentencex

MOST_CHARACTERS = 700
"""Of a passage: about as much as the encoder reads of it (128 word pieces)."""

ENOUGH_CHARACTERS = 300
"""From so many on a passage ends where its paragraph does; a shorter one takes the next along."""

MOST_OVERLAP = 250
"""The last sentence of a passage is also the first of the next, unless it is longer than this."""

LONG_RECORD = 5000
"""Characters above which the abstract of a record is no abstract and is divided."""

_LANGUAGE = "en"
"""Of the abbreviations that end no sentence; ends of sentences are found in most languages."""

_BLANK_LINE = re.compile(r"\n\s*\n")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BETWEEN = "\n\n"


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a document.

    Parameters
    ----------
    text : str
        Without blanks around it, not empty.
    mark : str
        Where it stands in the file, such as its page or line; equal marks are told once.
    """

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Piece:
    """A passage of a document.

    Parameters
    ----------
    text : str
        The document's text from `start` to `end`, paragraphs divided by an empty line.
    start, end : int
        In characters of the whole document; the end is not part of it.
    first_mark, last_mark : str
        Of the paragraphs it begins and ends in.
    """

    text: str
    start: int
    end: int
    first_mark: str = ""
    last_mark: str = ""


def paragraphs_of(text: str) -> Iterator[Paragraph]:
    """Divide a text at its empty lines."""
    for part in _BLANK_LINE.split(text):
        if part.strip():
            yield Paragraph(part.strip())


def cut(paragraphs: Iterable[Paragraph]) -> Iterator[Piece]:
    """Cut a document into passages, in constant memory.

    A passage ends with a paragraph where that is long enough, else with a sentence; only a sentence
    that is too long for a passage of its own is cut between words. Where a paragraph is cut, its
    parts have a sentence in common, so that nothing is understood by one half alone.

    Yields
    ------
    Piece
        At most `MOST_CHARACTERS` long, in order; together they hold every word.
    """
    held: list[_Span] = []
    offset = 0
    for paragraph in paragraphs:
        for span in _sentences(paragraph, offset):
            if held and span.end - held[0].start > MOST_CHARACTERS:
                yield _piece(held)
                held = _overlap(held, span)
            held.append(span)
        offset += len(paragraph.text) + len(_BETWEEN)
        if held and held[-1].end - held[0].start >= ENOUGH_CHARACTERS:
            yield _piece(held)
            held = []
    if held:
        yield _piece(held)


@dataclass(frozen=True)
class _Span:
    text: str
    start: int
    end: int
    first: bool
    """Whether it begins a paragraph."""
    mark: str


def _sentences(paragraph: Paragraph, offset: int) -> Iterator[_Span]:
    """Divide a paragraph into sentences that together are the paragraph, blanks and all."""
    text = paragraph.text
    starts = [0]
    reached = 0
    # sentencex is written in Rust and takes no lone surrogates. The replacement keeps the length,
    # so that places in one text are places in the other.
    for sentence in sentencex.segment(_LANGUAGE, _SURROGATE.sub("\ufffd", text)):
        bare = sentence.strip()
        start = text.find(bare, reached) if bare else -1
        if start > starts[-1]:
            starts.append(start)
        reached = max(reached, start + len(bare))
    borders = [*starts, len(text)]
    for start, end in zip(borders, islice(borders, 1, None), strict=False):
        for first, last in _short_enough(text, start, end):
            yield _Span(text[first:last], offset + first, offset + last, first == 0, paragraph.mark)


def _short_enough(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a sentence that is longer than a passage, between words where there are any."""
    while len(text[start:end].rstrip()) > MOST_CHARACTERS:
        space = text.rfind(" ", start + 1, start + MOST_CHARACTERS)
        middle = space + 1 if space > start else start + MOST_CHARACTERS
        yield start, middle
        start = middle
    if start < end:
        yield start, end


def _overlap(held: list[_Span], span: _Span) -> list[_Span]:
    """Return the sentence that the next passage begins with, if it is of the same paragraph."""
    last = held[-1]
    fits = span.end - last.start <= MOST_CHARACTERS and last.end - last.start <= MOST_OVERLAP
    return [last] if len(held) > 1 and not span.first and fits else []


def _piece(held: list[_Span]) -> Piece:
    parts: list[str] = []
    for number, span in enumerate(held):
        if number and span.first:
            parts.append(_BETWEEN)
        parts.append(span.text)
    whole = "".join(parts)
    text = whole.strip()
    start = held[0].start + len(whole) - len(whole.lstrip())
    return Piece(text, start, start + len(text), held[0].mark, held[-1].mark)
