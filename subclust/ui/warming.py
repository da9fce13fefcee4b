"""What the first visitor would wait for: imports, models, and the example question's answer."""

import pkgutil
import time
from collections.abc import Callable
from importlib import import_module

from streamlit.runtime import Runtime

from subclust import ui
from subclust.core.records import Query
from subclust.core.settings import Settings
from subclust.text.library.lance import lancedb

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

_MOST_SECONDS = 30.0


def import_all() -> None:
    """Import what the pages import."""
    for name in _FIRST:
        import_module(name)
    lancedb()
    began = time.monotonic()
    # Some modules make themselves known to the runtime when they are imported.
    while not Runtime.exists() and time.monotonic() - began < _MOST_SECONDS:
        time.sleep(0.05)
    for _, name, _ in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        if name.split(".")[2] not in _SCRIPTS:
            import_module(name)


def load(settings: Settings, tell_example: Callable[[], None]) -> None:
    """Load the models of the usual library and method, and answer the example question once.

    Parameters
    ----------
    settings : Settings
    tell_example : callable
        Called when the models are there.

    Raises
    ------
    SubclustError
        If one of them cannot be had, or nothing answers the question.
    """
    from subclust.text.library import PassageLibrary, settings_of
    from subclust.ui.components.resources import load_unseen, open_pipeline
    from subclust.ui.components.view import View

    view = View()
    library = PassageLibrary.open(settings.library_dir, view.library)
    load_unseen(settings_of(settings, library))
    pipeline = open_pipeline(settings, view.library, view.method)
    tell_example()
    pipeline.run(Query(view.query), top_k=view.top_k)
