"""One training run: how far it is, its curves and its log, and what can be done with it."""

import pandas as pd
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.figures import StepCurve, progress_curve
from subclust.jobs.view import JobView, job_view
from subclust.ui.components.error_words import error_words
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes, draw_read_only
from subclust.ui.components.theme import figure_theme
from subclust.ui.first_served import let_others_first
from subclust.ui.i18n.language import _, number
from subclust.ui.models.words import in_markdown
from subclust.ui.train.again import draw_again
from subclust.ui.train.outcome import draw_outcome
from subclust.ui.train.run_words import (
    curve_rows,
    done_share,
    facts_words,
    held_out_curve,
    loss_curve,
    progress_words,
    run_title,
    state_html,
    why_not_begun,
)

_CONFIG = {"displayModeBar": False}
_EVERY = 1.5
_EVERY_IN_QUEUE = 5.0
_LOG_LINES = 60


def draw_run(settings: Settings, view: JobView) -> None:
    """Draw a run: while it goes on its progress, and once it has ended what came of it."""
    if view.has_ended:
        st.html(state_html(view, run_title(view)))
        st.html(f"<p class='sc-facts-line'>{facts_words(view)}</p>")
        draw_outcome(settings, view)
        with st.expander(_("How the training went"), key=f"run-history-{view.job.id}"):
            draw_curves(view)
            _draw_curve_table(view)
    else:
        with st.container(key="train-live"):
            every = _EVERY_IN_QUEUE if view.state == "queued" else _EVERY
            st.fragment(_draw_live, run_every=every)(settings, view.job.id)
    draw_read_only()
    draw_again(settings, view)
    if view.has_ended:
        _draw_log(view)


def draw_curves(view: JobView) -> None:
    """Draw the loss and the held-out score side by side, over all steps of the run."""
    total = view.progress.total or 1
    left, right = st.columns(2, gap="large")
    for place, curve, name in (
        (left, held_out_curve(view), "held-out"),
        (right, loss_curve(view), "loss"),
    ):
        with place:
            st.plotly_chart(
                progress_curve(curve, total, theme=figure_theme()),
                theme=None,
                config=_CONFIG,
                key=f"run-{name}-{view.job.id}",
                alt=described(curve),
            )


def described(curve: StepCurve) -> str:
    """Say in words what a curve shows."""
    if curve.best is None:
        return _("{curve}: nothing measured yet.").format(curve=curve.label)
    step, best = curve.best
    return _("{curve}: {last} at the last step, best {best} at step {step}.").format(
        curve=curve.label, last=number(curve.values[-1], 3), best=number(best, 3), step=number(step)
    )


def _draw_live(settings: Settings, id: str) -> None:
    let_others_first(settings)
    try:
        queue = job_queue(settings)
        view = job_view(queue.store, id, queue.launcher)
    except SubclustError as error:
        st.warning(error_words(error))
        return
    st.html(state_html(view, run_title(view)))
    wait = queue.estimate_wait(id) if view.state == "queued" else None
    st.progress(done_share(view), text=progress_words(view, wait))
    if reason := why_not_begun(view):
        st.warning(in_markdown(reason))
    st.html(f"<p class='sc-facts-line'>{facts_words(view)}</p>")
    _draw_stop(settings, view)
    draw_curves(view)
    _draw_log(view)


@changes
def _draw_stop(settings: Settings, view: JobView) -> None:
    st.button(
        _("Stop this training") if view.state != "queued" else _("Take it out of the queue"),
        key=f"run-stop-{view.job.id}",
        disabled=view.state == "cancelling",
        on_click=_cancel,
        args=(settings, view.job.id),
        help=_("It saves how far it is and can be resumed"),
    )


def _draw_curve_table(view: JobView) -> None:
    rows = curve_rows(view)
    if rows:
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"run-steps-{view.job.id}",
            alt=_("Loss and held-out score of each step"),
            height=240,
        )


def _draw_log(view: JobView) -> None:
    with st.expander(_("Log"), key=f"run-log-{view.job.id}"):
        st.code(
            view.log_tail(_LOG_LINES) or _("It has said nothing yet."),
            language=None,
            height=280,
            wrap_lines=True,
        )


def _cancel(settings: Settings, id: str) -> None:
    try:
        job_queue(settings).cancel(id)
    except SubclustError as error:
        st.toast(error_words(error))
