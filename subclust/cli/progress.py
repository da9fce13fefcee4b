"""A progress line on standard error."""

import sys
import time
from collections.abc import Callable


def progress_bar(what: str) -> Callable[[int, int | None], None]:
    """Make a function that draws ``what  [####    ] 1,200 of 4,800``.

    On a terminal the line is drawn over itself; elsewhere a new one comes every five seconds.
    """
    last = [0.0]

    def draw(done: int, total: int | None) -> None:
        terminal = sys.stderr.isatty()
        now = time.monotonic()
        finished = total is not None and done >= total
        if not finished and now - last[0] < (0.1 if terminal else 5.0):
            return
        last[0] = now
        if total:
            filled = round(30 * min(done, total) / total)
            line = f"{what}  [{'#' * filled}{' ' * (30 - filled)}] {done:,} of {total:,}"
        else:
            line = f"{what}  {done:,}"
        ending = "\n" if finished or not terminal else ""
        print(f"\r{line}" if terminal else line, end=ending, file=sys.stderr, flush=True)

    return draw
