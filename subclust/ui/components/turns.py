"""Whose turn it is: parts that draw themselves now and then wait while an answer is made."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Condition

from streamlit.runtime.scriptrunner import get_script_run_ctx


class _PagesInTheMaking:
    """How many pages of answers are being made in this process."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._n_pages = 0

    @contextmanager
    def one_more(self) -> Iterator[None]:
        with self._changed:
            self._n_pages += 1
        try:
            yield
        finally:
            with self._changed:
                self._n_pages -= 1
                self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Wait until there is none, but no longer than this."""
        with self._changed:
            self._changed.wait_for(lambda: not self._n_pages, seconds)


_MOST_SECONDS = 1.0
_PAGES = _PagesInTheMaking()


def first_served() -> AbstractContextManager[None]:
    """Let parts that draw themselves now and then wait while a page of answers is made within."""
    return _PAGES.one_more()


def let_others_first() -> None:
    """Wait a moment while a page of answers is made; for parts that draw themselves now and then.

    While a whole page is made, whose reader waits for it, nothing is waited for.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and context.fragment_ids_this_run:
        _PAGES.wait(_MOST_SECONDS)
