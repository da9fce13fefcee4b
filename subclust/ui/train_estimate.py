"""How long a training will take here, and how much memory: ten steps of it, tried on demand."""

import html
from concurrent.futures import Future, ThreadPoolExecutor

import streamlit as st

from subclust.exceptions import SubclustError
from subclust.settings import Settings
from subclust.training.estimate import RunEstimate, estimate_run
from subclust.ui.train_choose import Choice
from subclust.ui.train_settings import in_words

_TRIAL = "train-trial"


def draw_estimate(settings: Settings, choice: Choice) -> None:
    """Draw the button of the trial, and what it found for this choice."""
    st.header("How long will it take?", anchor=False)
    words = tuple(choice.argv("trial")[1:])
    trial = _trial_of(words)
    if trial is None:
        st.button(
            "Try ten steps",
            key="train-estimate",
            disabled=choice.problem is not None,
            on_click=_begin,
            args=(words, settings),
            help="Up to a minute. Nothing is kept of it.",
        )
        st.caption("Tells the time and the memory that it will take on this machine.")
    elif not trial.done():
        _wait(words)
    else:
        try:
            said = trial.result().sentence
        except SubclustError as error:
            st.warning(in_words(str(error)))
        else:
            st.html(f"<p class='sc-said'>{html.escape(said)}</p>")
        st.button("Try once more", key="train-estimate", on_click=_begin, args=(words, settings))


@st.fragment(run_every=1.0)
def _wait(words: tuple[str, ...]) -> None:
    st.html("<p class='sc-said' role='status'>Trying ten steps; this takes up to a minute …</p>")
    trial = _trial_of(words)
    if trial is None or trial.done():
        st.rerun()


def _begin(words: tuple[str, ...], settings: Settings) -> None:
    st.session_state[_TRIAL] = (words, _worker().submit(estimate_run, words, settings))


def _trial_of(words: tuple[str, ...]) -> "Future[RunEstimate] | None":
    """Give the trial of just this choice; another choice has none."""
    known = st.session_state.get(_TRIAL)
    return known[1] if known and known[0] == words else None


@st.cache_resource(max_entries=1, show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    """One at a time for all visitors: two would slow each other, and tell of twice the time."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="trial")
