"""What is told while something goes on."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called as ``progress(n_done, n_total)``."""

OpenProgress = Callable[[int, int | None], None]
"""Called as ``progress(n_done, n_total)``; None while nobody knows how many there are."""
