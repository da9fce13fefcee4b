"""The start of the app behind its pages, the turns they take, and what they say when they fail."""

import gc
import logging
import pkgutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from subclust import ui
from subclust.core.access import LOCAL, acting_as
from subclust.core.exceptions import SubclustError
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.core.storage.faults import fault_of
from subclust.ui.i18n.language import _

LOOK_SECONDS = 0.2

_PROGRAMS = N_("Subclust is starting. It is loading its programs …")
_MODELS = N_("Subclust is starting. It is loading the model that compares passages …")
_EXAMPLE = N_("Subclust is starting. It is answering the example question …")

_FIRST = (
    "torch",
    "pandas",
    "plotly.graph_objects",
    "subclust.pipeline.query",
    "subclust.methods.qs3m.clusterer",
)
"""What takes longest to import, and needs nothing of Streamlit."""

_SCRIPTS = ("pages", "app", "asgi")
"""Of the interface, what Streamlit runs itself."""

_LONGEST_WAIT = 30.0

_HEAD_START = 1.5
"""Seconds that the server has from its start for the frame of a first page, before anything is
loaded: while large libraries are opened, nothing else runs in this process."""

_log = logging.getLogger(__name__)


class Start:
    """What is loaded in a thread of its own, and how far that is."""

    def __init__(self) -> None:
        self.sentence = _PROGRAMS
        self.awaited = threading.Event()
        self.imported = threading.Event()
        self.ready = threading.Event()

    def begin(self, settings: Settings) -> None:
        """Begin to load."""
        threading.Thread(target=self._run, args=(settings,), daemon=True).start()

    def _run(self, settings: Settings) -> None:
        try:
            with acting_as(LOCAL):
                self._prepare(settings)
        except SubclustError:
            pass  # the page that needs it says so
        except Exception:  # whatever it is, pages must not wait for ever
            _log.exception("What the pages need could not be loaded beforehand.")
        finally:
            self.imported.set()
            self.ready.set()
            # What is loaded by now stays for good. Frozen, it is skipped by later collections,
            # during which all visitors would have to wait.
            gc.unfreeze()
            gc.collect()
            gc.freeze()

    def _prepare(self, settings: Settings) -> None:
        _wait_for_runtime()
        self.awaited.wait(_HEAD_START)
        _import_all()
        self.imported.set()
        self.sentence = _MODELS
        _load(settings, self._tell_example)

    def _tell_example(self) -> None:
        self.sentence = _EXAMPLE


def _wait_for_runtime() -> None:
    # Some modules make themselves known to it when they are imported.
    began = time.monotonic()
    while not Runtime.exists() and time.monotonic() - began < _LONGEST_WAIT:
        time.sleep(0.05)


def _import_all() -> None:
    """Import what the pages import."""
    for name in _FIRST:
        import_module(name)
    from subclust.text.library.lance import lancedb

    lancedb()
    for module in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        if module.name.split(".")[2] not in _SCRIPTS:
            import_module(module.name)


def _load(settings: Settings, tell_example: Callable[[], None]) -> None:
    """Load the models of the usual library and method; answer the example question once."""
    from subclust.core.records import Query
    from subclust.text.library import PassageLibrary, settings_of
    from subclust.ui.components.resources import load_unseen, open_pipeline, usual_library
    from subclust.ui.components.view import View

    view = View(library=usual_library())
    library = PassageLibrary.open(settings.library_dir, view.library)
    load_unseen(settings_of(settings, library))
    pipeline = open_pipeline(settings, view.library, view.method)
    tell_example()
    pipeline.run(Query(view.query), top_k=view.top_k)


_start: Start | None = None


def begin(settings: Settings) -> None:
    """Begin to load what the pages need, once in this process."""
    global _start
    if _start is None:
        _start = Start()
        _start.begin(settings)


def is_ready() -> bool:
    """Return whether nothing is being loaded any more."""
    return _start is None or _start.ready.is_set()


def wait(*, for_models: bool) -> None:
    """Say what is being loaded until the page can be drawn; nothing where nothing was begun.

    Parameters
    ----------
    for_models : bool
        Whether the page groups passages; others need the programs alone.
    """
    if _start is None:
        return
    _start.awaited.set()  # the frame of a page is there
    event = _start.ready if for_models else _start.imported
    if event.is_set():
        return
    while not event.is_set():
        told = _start.sentence
        # A spinner keeps the text it started with, so every sentence gets a new one.
        with st.spinner(_(told)):
            while _start.sentence == told and not event.wait(LOOK_SECONDS):
                pass


class _PagesInTheMaking:
    """How many pages of answers are being made in this process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
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


def show_fault(error: Exception) -> bool:
    """Draw in a sentence what went wrong outside of the program.

    Streamlit calls it for whatever the script, a part of it or a callback did not catch; the log
    has the error by then.

    Returns
    -------
    bool
        Whether there was anything to say; if not, Streamlit says that something went wrong.
    """
    fault = fault_of(error)
    if fault is None:
        return False
    # The server's first page does not wait for it.
    from subclust.ui.components.words import error_words, plain

    st.error(plain(error_words(fault)))
    return True
