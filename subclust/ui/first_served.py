"""Whoever waits for a page of answers goes before the background jobs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import JobStore
from subclust.jobs.standing_aside import Crossing

_MOST_SECONDS = 1.0


@contextmanager
def first_served() -> Iterator[None]:
    """Have this machine's background jobs stand still while a page is made."""
    try:
        folder = Settings.from_environment().jobs_dir
    except SubclustError:  # the page says so
        yield
        return
    with _crossing(folder).clear():
        yield


def let_others_first(settings: Settings) -> None:
    """Wait a moment while a page of answers is made; for parts that draw themselves now and then.

    While a whole page is made, whose reader waits for it, nothing is waited for.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and context.fragment_ids_this_run:
        _crossing(settings.jobs_dir).wait(_MOST_SECONDS)


@st.cache_resource(show_spinner=False)
def _crossing(folder: Path) -> Crossing:
    return Crossing(JobStore(folder))
