"""The start of the app: pages are drawn at once, and what they need is loaded behind them."""

import gc
import logging
import threading
from importlib import import_module

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.ui.i18n.language import _

LOOK_SECONDS = 0.2

_PROGRAMS = N_("Subclust is starting. It is loading its programs …")
_MODELS = N_("Subclust is starting. It is loading the model that compares passages …")
_EXAMPLE = N_("Subclust is starting. It is answering the example question …")

_log = logging.getLogger(__name__)


class Start:
    """What is loaded in a thread of its own, and how far that is."""

    def __init__(self) -> None:
        self.sentence = _PROGRAMS
        self.imported = threading.Event()
        self.ready = threading.Event()

    def begin(self, settings: Settings) -> None:
        """Begin to load."""
        threading.Thread(target=self._run, args=(settings,), daemon=True).start()

    def _run(self, settings: Settings) -> None:
        try:
            # What follows waits for nobody; a page that is drawn meanwhile is not to wait for it.
            import_module("subclust.ui.warming").import_all()
            self.imported.set()
            self.sentence = _MODELS
            import_module("subclust.ui.warming").load(settings, self._tell_example)
        except SubclustError:
            pass  # the page that needs it says so
        except Exception:  # whatever it is, pages must not wait for ever
            _log.exception("What the pages need could not be loaded beforehand.")
        finally:
            self.imported.set()
            self.ready.set()
            gc.unfreeze()
            gc.collect()
            gc.freeze()

    def _tell_example(self) -> None:
        self.sentence = _EXAMPLE


_start: Start | None = None


def begin(settings: Settings) -> None:
    """Begin to load what the pages need, once in this process."""
    global _start
    if _start is None:
        _start = Start()
        _start.begin(settings)


def wait(*, for_models: bool) -> None:
    """Say what is being loaded until the page can be drawn; nothing where nothing was begun.

    Parameters
    ----------
    for_models : bool
        Whether the page groups passages; others need the programs alone.
    """
    if _start is None:
        return
    event = _start.ready if for_models else _start.imported
    if event.is_set():
        return
    while not event.is_set():
        told = _start.sentence
        with st.spinner(_(told)):
            while _start.sentence == told and not event.wait(LOOK_SECONDS):
                pass
