"""What commands print: sentences in the language of ``--language``, JSON, and progress."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from subclust.core.messages import N_, Message
from subclust.core.terminal import escaped, harmless
from subclust.core.translation import translated

_PAUSE, _LINES = 2.0, 20
"""Seconds between two lines of progress, and of how many parts of the time one is told."""

language = "en"
"""Of what is printed for people; ``main`` sets it."""


def said(text: str) -> str:
    """Return a `Message`, or a sentence of the catalogue, in the language of the reader."""
    return translated(text, language)


def say(*lines: str, to: TextIO | None = None) -> None:
    """Print lines in the language of the reader."""
    for line in lines:
        print(harmless(said(line)), file=to, flush=True)


def tell(*lines: str) -> None:
    """Print lines about the work, which are no result, on standard error."""
    say(*lines, to=sys.stderr)


def counted(count: int, one: str, many: str) -> Message:
    """Return a number with what it counts, of which both templates have the ``{count}``."""
    return Message(one if count == 1 else many, count=count)


def passages(count: int) -> Message:
    """Return a number of passages."""
    return counted(count, N_("{count:,} passage"), N_("{count:,} passages"))


def documents(count: int) -> Message:
    """Return a number of documents."""
    return counted(count, N_("{count:,} document"), N_("{count:,} documents"))


def show(arguments: argparse.Namespace, value: Any, *lines: str) -> None:
    """Print a result: with ``--json`` as one object, else as lines for people."""
    if arguments.json:
        # Texts of records may hold control characters that a terminal would obey.
        print(escaped(json.dumps(value, ensure_ascii=False)), flush=True)
    else:
        say(*lines)


def progress_bar(what: str) -> Callable[[int, int | None], None]:
    """Return a function that draws ``what  [####    ] 1,200 of 4,800`` on standard error.

    On a terminal the line is drawn over itself; elsewhere a new one comes every two seconds at
    first, and less often the longer it takes.
    """
    last, began = [0.0], time.monotonic()

    def draw(done: int, total: int | None) -> None:
        terminal = sys.stderr.isatty()
        now = time.monotonic()
        finished = total is not None and done >= total
        pause = 0.1 if terminal else max(_PAUSE, (now - began) / _LINES)
        if not finished and now - last[0] < pause:
            return
        last[0] = now
        if total:
            bar = f"{'#' * round(30 * min(done, total) / total):30}"
            place = {"what": what, "bar": bar, "done": done, "total": total}
            line = Message("{what}  [{bar}] {done:,} of {total:,}", **place)
        else:
            line = Message("{what}  {done:,}", what=what, done=done)
        ending = "\n" if finished or not terminal else ""
        shown = harmless(said(line))
        print(f"\r{shown}" if terminal else shown, end=ending, file=sys.stderr, flush=True)

    return draw
