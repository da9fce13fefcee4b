"""Going on with a run, or training again with changes."""

from collections.abc import Mapping

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs.view import JobView
from subclust.judging.own_sets import recipe_of
from subclust.ui.components.error_words import error_words
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes
from subclust.ui.components.session import note_press, was_pressed
from subclust.ui.i18n.language import _
from subclust.ui.train.names import free_name, name_problem
from subclust.ui.train.run_words import model_of
from subclust.ui.train.settings import draw_settings, settings_problem
from subclust.ui.train.shown import show_run_next

_FAILED = "train-again-failed"


@changes
def draw_again(settings: Settings, view: JobView) -> None:
    """Draw the settings of a run, to start another one like it."""
    job, model = view.job, model_of(view)
    if model is None:
        return
    with st.expander(_("Train again with changes"), key=f"run-again-{job.id}"):
        try:
            recipe = recipe_of(job.argv)
        except SubclustError as error:
            st.warning(error_words(error))
            return
        method, name = model
        taken = CheckpointStore.of(settings).names(method)
        fresh = st.text_input(
            _("Name of the new model"),
            value=free_name(name, [*taken, name]),
            key=f"run-again-name-{job.id}",
            max_chars=80,
            width=360,
        )
        changed = draw_settings(job.id, recipe)
        problem = name_problem(fresh, taken) or settings_problem(recipe, changed)
        if problem:
            st.warning(problem)
        st.button(
            _("Start the new training"),
            key=f"run-clone-{job.id}",
            type="primary",
            disabled=problem is not None,
            on_click=note_press,
            args=(f"run-clone-{job.id}",),
        )
        if was_pressed(f"run-clone-{job.id}") and problem is None:
            train_again(settings, job.id, dict(word.split("=", 1) for word in changed), fresh)
            st.rerun()
    if sentence := st.session_state.pop(_FAILED, None):
        st.error(sentence)


def train_again(settings: Settings, id: str, changes: Mapping[str, str], name: str) -> None:
    """Queue a training like another one, and look at it."""
    try:
        queue = job_queue(settings)
        job = queue.clone(id, changes, name.strip())
        queue.advance()
    except SubclustError as error:
        st.session_state[_FAILED] = error_words(error)
        return
    show_run_next(job.id)


def resume(settings: Settings, id: str) -> None:
    """Queue an ended run again; for callbacks."""
    try:
        queue = job_queue(settings)
        queue.resume(id)
        queue.advance()
    except SubclustError as error:
        st.session_state[_FAILED] = error_words(error)
