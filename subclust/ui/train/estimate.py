"""How long a training will take here, and how much memory: ten steps of it, tried by themselves."""

import html
import uuid

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.training.trial_desk import AskedTrial, TrialDesk
from subclust.ui.components.queue import job_queue
from subclust.ui.i18n.language import _
from subclust.ui.train.choose import Choice
from subclust.ui.train.settings import in_words

LONG = 30.0
"""Seconds after which it is said that a trial takes long."""

_ASKER = "train-trial-asker"


def draw_estimate(settings: Settings, choice: Choice) -> None:
    """Draw what a trial of this choice has found, or begin one and go on without waiting for it.

    While another training is on, a trial would slow it and tell of twice the time: then it is
    made only if somebody asks for it.
    """
    st.header(_("How long will it take?"), anchor=False)
    words = tuple(choice.argv("trial")[1:])
    if choice.problem is not None:
        st.caption(_("It is tried out as soon as the settings can be used."))
        return
    trial = _desk().find(words, _asker())
    if trial is None and _is_busy(settings):
        st.button(
            _("Try ten steps"),
            key="train-estimate",
            on_click=_begin,
            args=(words, settings),
            help=_("Up to two minutes. Nothing is kept of it."),
        )
        st.caption(
            _(
                "Another training is using this machine, so a trial would take long now, and tell "
                "of a longer time than it will be."
            )
        )
        return
    trial = _desk().ask(words, settings, _asker())
    if not trial.has_ended:
        _wait(words)
        return
    try:
        found = trial.result()
    except SubclustError as error:
        st.warning(in_words(str(error)))
    else:
        st.html(
            f"<p class='sc-said'><strong>{html.escape(found.headline)}</strong></p>"
            f"<p class='sc-note'>{html.escape(found.details)}</p>"
        )
    st.button(
        _("Try once more"), key="train-estimate", on_click=_begin, args=(words, settings, True)
    )


def leave_trial() -> None:
    """Drop the visitor's trial, so that it does not slow the training itself; for callbacks."""
    _desk().leave(_asker())


def waiting_words(trial: AskedTrial) -> str:
    """Return what a trial is doing."""
    meanwhile = _("You need not wait for it to start the training.")
    told = _("Trying ten steps on this machine, which takes up to a minute …")
    if trial.seconds is None:
        told = _("Somebody else's training is being tried; yours comes next …")
    elif trial.seconds > LONG:
        told = _(
            "Still trying ten steps: a step takes long here, or the machine is busy. After two "
            "minutes the steps made until then have to tell …"
        )
    return f"{told} {meanwhile}"


@st.fragment(run_every=1.0)
def _wait(words: tuple[str, ...]) -> None:
    trial = _desk().find(words, _asker())
    if trial is None or trial.has_ended:
        st.rerun()
    st.html(f"<p class='sc-said' role='status'>{waiting_words(trial)}</p>")


def _begin(words: tuple[str, ...], settings: Settings, anew: bool = False) -> None:
    _desk().ask(words, settings, _asker(), anew=anew)


def _is_busy(settings: Settings) -> bool:
    queue = job_queue(settings)
    return any(queue.state(job) in ("running", "cancelling") for job in queue.store.jobs())


def _asker() -> str:
    """Tell this visitor from others."""
    known: str = st.session_state.setdefault(_ASKER, uuid.uuid4().hex)
    return known


@st.cache_resource(max_entries=1, show_spinner=False)
def _desk() -> TrialDesk:
    """Return the one that all visitors share."""
    return TrialDesk()
