"""Fifth step: an estimate, a name for the new model, and the start."""

import re
import uuid

import streamlit as st

from subclust.checkpoints import CheckpointStore, checked
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import Job, JobStore, job_queue, start_job
from subclust.jobs.store import option
from subclust.training.estimates.desk import AskedTrial, TrialDesk
from subclust.ui import state
from subclust.ui.components.markup import draw_status
from subclust.ui.components.session import note_press, was_pressed
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _, said
from subclust.ui.train.choose import Choice, in_words
from subclust.ui.train.walk import show_started

_LONG = 30.0
"""Seconds after which a trial is said to take long."""


def draw_estimate(settings: Settings, choice: Choice) -> None:
    """Draw the result of a trial of this choice, or start one without waiting for it.

    A trial beside another training slows both and estimates twice the time, so then it takes a
    click to start it.
    """
    st.header(_("How long will it take?"), anchor=False)
    words = tuple(choice.argv("trial")[1:])
    trial = _desk().find(words, _asker())
    if trial is None and _is_busy(settings):
        st.button(
            _("Try ten steps"),
            key="train-estimate",
            on_click=_begin,
            args=(words, settings),
            help=_("Takes up to two minutes. Nothing is saved."),
        )
        st.caption(
            _(
                "Another training is using this machine, so a trial would take long now and "
                "overestimate the time."
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
        st.warning(plain(in_words(error_words(error))))
    else:
        st.markdown(f"**{plain(said(found.headline))}**")
        st.caption(plain(said(found.details)))
    st.button(_("Try again"), key="train-estimate", on_click=_begin, args=(words, settings, True))


def _waiting_words(trial: AskedTrial) -> str:
    """Return what a trial is doing."""
    meanwhile = _("You can start the training without waiting for it.")
    told = _("Trying ten steps on this machine, for up to a minute …")
    if trial.seconds is None:
        told = _("Waiting for the trial of another visitor …")
    elif trial.seconds > _LONG:
        told = _(
            "Still trying ten steps: the machine is slow or busy. After two minutes, the estimate "
            "uses the steps made until then …"
        )
    return f"{told} {meanwhile}"


@st.fragment(run_every=1.0)
def _wait(words: tuple[str, ...]) -> None:
    trial = _desk().find(words, _asker())
    if trial is None or trial.has_ended:
        st.rerun()
    draw_status(_waiting_words(trial), "sc-said")


def _begin(words: tuple[str, ...], settings: Settings, anew: bool = False) -> None:
    _desk().ask(words, settings, _asker(), anew=anew)


def _is_busy(settings: Settings) -> bool:
    queue = job_queue(settings)
    return any(queue.state(job) in ("running", "cancelling") for job in queue.store.jobs())


def _asker() -> str:
    known: str = st.session_state.setdefault(state.TRIAL_ASKER, uuid.uuid4().hex)
    return known


@st.cache_resource(max_entries=1, show_spinner=False)
def _desk() -> TrialDesk:
    return TrialDesk()


def draw_start(settings: Settings, choice: Choice) -> None:
    """Draw the name and the button that starts the training."""
    st.header(_("Name it and start"), anchor=False)
    taken = taken_names(settings, choice.method)
    key = f"train-model-{choice.method}-{choice.labelled.label}"
    if key not in st.session_state:
        st.session_state[key] = free_name(choice.labelled.name, taken)
    name = st.text_input(
        _("Name of the new model"),
        key=key,
        help=_("Letters, digits, '.', '-' and '_'. Nothing in use is replaced."),
        max_chars=80,
        width=360,
    )
    problem = name_problem(name, taken)
    if problem:
        st.warning(plain(problem))
    st.button(
        _("Start the training"),
        key="train-start",
        type="primary",
        disabled=problem is not None,
        on_click=note_press,
        args=("train-start",),
    )
    if was_pressed("train-start") and problem is None:
        _start(settings, choice, name)
    st.caption(
        _(
            "Training runs in the background. Explore keeps using the current model until you "
            "decide otherwise."
        )
    )


def _start(settings: Settings, choice: Choice, name: str) -> None:
    name = name.strip()
    _desk().leave(_asker())  # a trial beside the training would slow it
    try:
        job = start_job(
            settings,
            choice.argv(name),
            kind="train",
            title=f"{choice.method}/{name}",
            data={"set": choice.labelled.name, "version": choice.labelled.version},
        )
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    show_started(job.id)


def model_of(job: Job) -> tuple[str, str] | None:
    """Return method and name of the model that a job trains, None if it trains none."""
    if job.kind != "train" or len(job.argv) < 2:
        return None
    method, slash, name = job.title.partition("/")
    if slash:
        return method, name
    told = option(job.argv, "--name")  # records of older versions have no title
    return (job.argv[1], told) if told else None


def taken_names(settings: Settings, method: str) -> list[str]:
    """List the names of a method's models, and of the trainings that can still make one."""
    unfinished = (job for job in JobStore(settings.jobs_dir).jobs() if job.is_unfinished)
    trained = filter(None, map(model_of, unfinished))
    names = [name for its_method, name in trained if its_method == method]
    return [*CheckpointStore.of(settings).names(method), *names]


def free_name(wanted: str, taken: list[str]) -> str:
    """Return a name that is not taken yet: "mine", "mine-2", "mine-3"."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", wanted).strip("-._")[:70] or "mine"
    numbers = iter(range(2, len(taken) + 3))
    name = stem
    while name in taken:
        name = f"{stem}-{next(numbers)}"
    return name


def name_problem(name: str, taken: list[str]) -> str | None:
    """Return why a model cannot have a name, None where it can."""
    try:
        checked(name.strip())
    except SubclustError as error:
        return error_words(error)
    if name.strip() in taken:
        told = _(
            "There is already a model, or an unfinished training, named {name}. Choose another "
            "name."
        )
        return told.format(name=name.strip())
    return None
