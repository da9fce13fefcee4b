"""The parts of a passage that can be taken away: its sentences, and runs of telling words."""

import re
from dataclasses import dataclass

import sentencex

from subclust.core.records.stop_words import ENGLISH_STOP_WORDS

MAX_RUN = 3
"""Telling words side by side that count as one part."""

_LANGUAGE = "en"
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, order=True)
class Span:
    """Part of a text.

    Parameters
    ----------
    start, end : int
        In characters; the end is not part of it.
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """Cut it out."""
        return text[self.start : self.end]


def sentence_spans(text: str, most: int = 8) -> list[Span]:
    """Find the sentences that have a word.

    Parameters
    ----------
    most : int
        At least 1; the last one takes all that is left.
    """
    spans: list[Span] = []
    reached = 0
    readable = _SURROGATE.sub("\ufffd", text)  # the same length, and sentencex takes no surrogates
    for piece in sentencex.segment(_LANGUAGE, readable):
        bare = piece.strip()
        start = readable.find(bare, reached)
        if start < 0 or not _WORD.search(bare):
            continue
        reached = start + len(bare)
        spans.append(Span(start, reached))
    if len(spans) > most:
        spans[most - 1 :] = [Span(spans[most - 1].start, spans[-1].end)]
    return spans


def word_spans(text: str) -> list[Span]:
    """Find the words that say something: no function word, no single letter, no bare number."""
    return [
        Span(*found.span())
        for found in _WORD.finditer(text)
        if len(found.group()) > 1
        and not found.group().isdecimal()
        and found.group().lower() not in ENGLISH_STOP_WORDS
    ]


def run_spans(text: str, within: Span | None = None) -> list[Span]:
    """Find runs of up to `MAX_RUN` telling words with nothing but a space between them.

    Parameters
    ----------
    within : Span, optional
        Only those that lie in it.
    """
    runs: list[list[Span]] = []
    for word in word_spans(text):
        if within is not None and not within.start <= word.start < within.end:
            continue
        joins = runs and len(runs[-1]) < MAX_RUN and text[runs[-1][-1].end : word.start] == " "
        if joins:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [Span(run[0].start, run[-1].end) for run in runs]
