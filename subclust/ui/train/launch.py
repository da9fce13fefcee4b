"""Fifth step: a name for the new model, and the start."""

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.components.error_words import error_words
from subclust.ui.components.queue import job_queue
from subclust.ui.components.session import note_press, was_pressed
from subclust.ui.i18n.language import _
from subclust.ui.train.choose import Choice
from subclust.ui.train.estimate import leave_trial
from subclust.ui.train.names import free_name, name_problem
from subclust.ui.train.shown import show_run_next


def draw_start(settings: Settings, choice: Choice) -> None:
    """Draw the name and the button that starts the training."""
    st.header(_("Name it and start"), anchor=False)
    store = CheckpointStore.of(settings)
    key = f"train-model-{choice.method}-{choice.labelled.label}"
    if key not in st.session_state:
        st.session_state[key] = free_name(choice.labelled.name, store.names(choice.method))
    name = st.text_input(
        _("Name of the new model"),
        key=key,
        help=_("Letters, digits, '.', '-' and '_'. Nothing in use is replaced."),
        max_chars=80,
        width=360,
    )
    problem = choice.problem or name_problem(name, store.names(choice.method))
    if problem:
        st.warning(problem)
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
            "It runs in the background; Explore goes on with the model in use until you decide "
            "otherwise."
        )
    )


def _start(settings: Settings, choice: Choice, name: str) -> None:
    name = name.strip()
    leave_trial()
    try:
        queue = job_queue(settings)
        job = queue.submit(
            choice.argv(name),
            kind="train",
            title=f"{choice.method}/{name}",
            device=settings.resolve_device(),
            data={"set": choice.labelled.name, "version": choice.labelled.version},
        )
        queue.advance()
    except SubclustError as error:
        st.error(error_words(error))
        return
    show_run_next(job.id)
    st.rerun()
