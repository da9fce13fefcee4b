"""The result of a training: a judged model and its promotion, or a failure and ways out."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.api.judging import read_judgement
from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.promoting import (
    SHORTEST_REASON,
    promote_checkpoint,
    why_reason_needed,
)
from subclust.core.access import may_change
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import job_queue
from subclust.jobs.view import JobView
from subclust.judging.own_sets import recipe_of
from subclust.judging.record import Judgement
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.markup import draw_verdict
from subclust.ui.components.resources import check_usable, default_method
from subclust.ui.components.session import link_params, note_press, was_pressed
from subclust.ui.components.words import error_words, method_label, plain, way_out_words
from subclust.ui.i18n.language import _
from subclust.ui.jobs import change_queue
from subclust.ui.models.list import METHOD, MODEL
from subclust.ui.models.use import draw_consequences, draw_other_questions, somebody_on
from subclust.ui.train.choose import draw_settings, in_words, settings_problem
from subclust.ui.train.judge import draw_judgement, draw_maps
from subclust.ui.train.start import free_name, model_of, name_problem, taken_names
from subclust.ui.train.walk import show_started


def draw_outcome(settings: Settings, view: JobView) -> None:
    """Draw the result of an ended training, and what can be done next."""
    if view.state == "finished":
        _draw_result(settings, view)
        return
    if view.state == "failed":
        _draw_failure(settings, view)
        return
    told = (
        _("It was stopped. Nothing is lost, and you can resume it.")
        if view.state in ("cancelled", "paused")
        else _(
            "It was interrupted: its process ended without a message. You can resume it from the "
            "last saved step."
        )
    )
    st.markdown(plain(error_words(view.job.error or told)))
    _draw_resume(settings, view)


def _draw_result(settings: Settings, view: JobView) -> None:
    if model_of(view.job) is None:
        return
    try:
        judgement = read_judgement(view.folder, view.job.title)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    if judgement is not None:
        draw_judgement(judgement, view.job.id)
        draw_maps(settings, judgement, view)
    else:
        st.markdown(_("It was not compared with the previous model."))
    _draw_promote(settings, view, judgement)


def _draw_failure(settings: Settings, view: JobView) -> None:
    reason = view.job.error or _("It failed without an error message. See the log below.")
    draw_verdict(in_words(error_words(reason)), "sc-failed")
    if way_out := way_out_words(reason, view.job.way_out):
        st.markdown(plain(in_words(way_out)))
    _draw_ways_out(settings, view)


@changes("job")
def _draw_ways_out(settings: Settings, view: JobView) -> None:
    """Draw the button that trains again with what may help, and the one that resumes."""
    job = view.job
    with st.container(horizontal=True):
        model = model_of(view.job)
        if job.changes and model is not None:
            method, name = model
            taken = [*taken_names(settings, method), name]
            changed = {key: str(value) for key, value in job.changes.items()}
            st.button(
                _("Try again with smaller batches")
                if list(changed) == ["batch_passages"]
                else _("Try again with the suggested changes"),
                key=f"run-way-out-{job.id}",
                type="primary",
                on_click=note_press,
                args=(f"run-way-out-{job.id}",),
            )
            if was_pressed(f"run-way-out-{job.id}"):
                _train_again(settings, job.id, changed, free_name(name, taken))
        _draw_resume(settings, view, primary=not job.changes)


@changes("job")
def _draw_resume(settings: Settings, view: JobView, *, primary: bool = True) -> None:
    id = view.job.id
    st.button(
        _("Resume"),
        key=f"run-resume-{id}",
        type="primary" if primary else "secondary",
        on_click=change_queue,
        args=(settings, lambda queue: queue.resume(id)),
    )


@changes("job")
def draw_again(settings: Settings, view: JobView) -> None:
    """Draw the settings of a training, to start another one like it."""
    job, model = view.job, model_of(view.job)
    if model is None:
        return
    with st.expander(_("Train again with changes"), key=f"run-again-{job.id}"):
        try:
            recipe = recipe_of(job.argv)
        except SubclustError as error:
            st.warning(plain(error_words(error)))
            return
        method, name = model
        taken = taken_names(settings, method)
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
            st.warning(plain(problem))
        st.button(
            _("Start the new training"),
            key=f"run-clone-{job.id}",
            type="primary",
            disabled=problem is not None,
            on_click=note_press,
            args=(f"run-clone-{job.id}",),
        )
        if was_pressed(f"run-clone-{job.id}") and problem is None:
            _train_again(settings, job.id, dict(word.split("=", 1) for word in changed), fresh)


def _train_again(settings: Settings, id: str, changed: Mapping[str, str], name: str) -> None:
    try:
        queue = job_queue(settings)
        job = queue.clone(id, changed, name.strip())
        queue.advance()
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    show_started(job.id)


def _draw_promote(settings: Settings, view: JobView, judgement: Judgement | None) -> None:
    """Draw the button that promotes a training's model: with a reason where it is not better."""
    model = model_of(view.job)
    if model is None:
        return
    method, name = model
    store = CheckpointStore.of(settings)
    if not may_change("model") and store.promoted(method) != name:
        return
    st.subheader(_("Use it?"), anchor=False)
    card = store.card(method, name) if name in store.names(method) else {}
    if not _is_of(card, view):
        st.markdown(_("This model has since been deleted or replaced."))
        return
    recommended = default_method(settings)
    if store.promoted(method) == name:
        _draw_in_use(method, name, recommended)
        return
    needed = why_reason_needed(store, method, name)
    if needed is not None:
        told = (
            error_words(needed)
            if judgement is None
            else _("It has not been shown to group better.")
        )
        why = _("You can still use it if you give a reason, which is stored with the model.")
        st.markdown(plain(f"{told} {why}"))
    _draw_failed()
    dialog_button(
        _("Use this model") if needed is None else _("Use this model anyway"),
        lambda: _ask_to_promote(settings, view, method, name, needed),
        key=f"promote-{view.job.id}",
        type="primary" if needed is None else "secondary",
        focus="dialog" if needed is None else "field",
    )


def _ask_to_promote(
    settings: Settings, view: JobView, method: str, name: str, needed: str | None
) -> None:
    store, recommended = CheckpointStore.of(settings), default_method(settings)
    draw_consequences(store, method, name)
    elsewhere = st.container()
    if needed is not None:
        st.text_area(
            _("Why do you want to use it anyway?"),
            key=f"promote-reason-{view.job.id}",
            height=80,
            max_chars=500,
            placeholder=_("For example: it groups our own reports the way our readers expect"),
            help=_("At least {count} characters").format(count=SHORTEST_REASON),
        )
    if recommended != method:
        st.checkbox(
            _("Also make {method} the recommended method in Explore").format(
                method=method_label(method)
            ),
            key=f"promote-default-{view.job.id}",
            help=_("Now it is {method}.").format(method=method_label(recommended))
            if recommended
            else None,
        )
    used = st.button(
        _("Use {model} from now on").format(model=plain(name)),
        key=f"promote-now-{view.job.id}",
        type="primary",
        on_click=_promote,
        args=(settings, method, name, view.job.id),
    )
    close_after(used and not _draw_failed())
    with elsewhere:
        draw_other_questions(store, settings, method, name)


def _draw_failed() -> bool:
    sentence = st.session_state.pop(state.PROMOTE_PROBLEM, None)
    if sentence:
        st.error(plain(sentence))
    return bool(sentence)


def _is_of(card: Mapping[str, Any], view: JobView) -> bool:
    """Return whether a card is that of the model which a job made, as far as the card says."""
    made_by = card.get("job")
    return bool(card) and (not isinstance(made_by, Mapping) or made_by.get("id") == view.job.id)


def _draw_in_use(method: str, name: str, recommended: str | None) -> None:
    """Draw that a model is in use, with links to it."""
    told = _("In use: searches with {method} now use {model}.")
    told = told.format(method=method_label(method), model=name)
    st.markdown(plain(told))
    params = link_params(method="default" if method == recommended else method)
    with st.container(horizontal=True):
        st.page_link("pages/explore.py", label=_("Search with it"), query_params=params)
        st.page_link(
            "pages/models.py",
            label=_("Show it among the models, or roll back"),
            query_params={METHOD: method, MODEL: name},
        )


def _promote(settings: Settings, method: str, name: str, job: str) -> None:
    asked = st.session_state  # what was typed or ticked since the button was drawn counts, too
    try:
        check_usable(settings, method, name)
        promote_checkpoint(
            CheckpointStore.of(settings),
            method,
            name,
            as_default=asked.get(f"promote-default-{job}", False),
            who=somebody_on("Train"),
            reason=asked.get(f"promote-reason-{job}") or None,
        )
    except SubclustError as error:
        st.session_state[state.PROMOTE_PROBLEM] = error_words(error)
