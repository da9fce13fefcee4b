"""The trainings of this machine: their list, and the open one."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.figures.progress import StepCurve, progress_curve
from subclust.jobs import job_queue
from subclust.jobs.view import JobView, job_view
from subclust.methods import METHODS
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.data_folder import changes, draw_damaged_jobs, draw_read_only
from subclust.ui.components.words import duration, error_words, plain
from subclust.ui.i18n.language import N_, _, number
from subclust.ui.jobs import (
    AFTER_TRAINING,
    EVERY,
    JobList,
    change_queue,
    draw_forget,
    draw_heading,
    draw_log,
    facts_words,
    waiting_words,
    why_not_started,
)
from subclust.ui.starting import let_others_first
from subclust.ui.train.outcome import draw_again, draw_outcome
from subclust.ui.train.start import model_of
from subclust.ui.train.walk import opened_run, show_run

KINDS = ("train", "tune", "bench-convergence")
"""Of the jobs that this page shows."""

STAGES = {
    "waiting": N_("Starting"),
    "reading": N_("Reading the set"),
    "encoding": N_("Computing embeddings"),
    "training": N_("Training"),
    "judging": N_("Comparing on held-out questions"),
    "saving": N_("Saving"),
}

_METRICS = {"ari": N_("ARI on validation questions"), "gate": N_("Gate on validation questions")}
_EVERY_IN_QUEUE = 5.0


def draw_runs(settings: Settings) -> None:
    """Draw the list beside the open training; both follow what happens."""
    draw_damaged_jobs(settings)
    jobs = JobList("train", KINDS, N_("Trainings"), _title, opened_run, show_run)
    if not jobs.draw(settings, _draw_run):
        st.info(_("No trainings yet. Start with a new training."))


def _draw_run(settings: Settings, view: JobView) -> None:
    """Draw a training: its progress while it runs, its result once it has ended."""
    if view.has_ended:
        draw_heading(view, _title(view))
        st.caption(plain(facts_words(view)))
        draw_outcome(settings, view)
        with st.expander(_("Training history"), key=f"run-history-{view.job.id}"):
            _draw_curves(view)
            if rows := _curve_rows(view):
                st.dataframe(
                    pd.DataFrame(rows),
                    hide_index=True,
                    key=f"run-steps-{view.job.id}",
                    alt=_("Loss and validation score of each step"),
                    height=240,
                )
    else:
        with st.container(key="train-live"):
            every = _EVERY_IN_QUEUE if view.state == "queued" else EVERY
            st.fragment(_draw_live, run_every=every)(settings, view.job.id)
    draw_read_only("job")
    draw_again(settings, view)
    if view.has_ended:
        deleted = _("Deletes its result, its saved progress and its log; its model stays")
        draw_forget(settings, view, "train", deleted, show_run)
        draw_log(view)


def _draw_live(settings: Settings, id: str) -> None:
    let_others_first()
    try:
        queue = job_queue(settings)
        view = job_view(queue.store, id, queue.launcher)
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    draw_heading(view, _title(view))
    wait = queue.estimate_wait(id) if view.state == "queued" else None
    # A training that stopped early is done when it compares.
    compares = view.state == "running" and view.progress.stage in AFTER_TRAINING
    share = 1.0 if compares else view.progress.fraction
    st.progress(share, text=_progress_words(view, wait))
    if reason := why_not_started(view):
        st.warning(plain(reason))
    st.caption(plain(facts_words(view)))
    _draw_stop(settings, view)
    _draw_curves(view)
    draw_log(view)


@changes("job")
def _draw_stop(settings: Settings, view: JobView) -> None:
    id = view.job.id
    st.button(
        _("Stop this training") if view.state != "queued" else _("Remove from the queue"),
        key=f"run-stop-{id}",
        disabled=view.state == "cancelling",
        on_click=change_queue,
        args=(settings, lambda queue: queue.cancel(id)),
        help=_("It saves its progress, and you can resume it"),
    )


def _draw_curves(view: JobView) -> None:
    """Draw the held-out score and the loss side by side, over all steps."""
    curves = {"held-out": _held_out_curve(view), "loss": _loss_curve(view)}
    for (name, curve), place in zip(curves.items(), st.columns(2, gap="large"), strict=True):
        with place:
            st.plotly_chart(
                progress_curve(curve, view.progress.total or 1, theme=figure_theme()),
                theme=None,
                config={"displayModeBar": False},
                key=f"run-{name}-{view.job.id}",
                alt=_described(curve),
            )


def _described(curve: StepCurve) -> str:
    if curve.best is None:
        return _("{curve}: nothing measured yet.").format(curve=curve.label)
    step, best = curve.best
    return _("{curve}: {last} at the last step, best {best} at step {step}.").format(
        curve=curve.label, last=number(curve.values[-1], 3), best=number(best, 3), step=number(step)
    )


def _title(view: JobView) -> str:
    """Return the name of the model and the label of its method."""
    model = model_of(view.job)
    if model is None:
        return view.job.title or view.job.id
    method, name = model
    return f"{name} ({_(METHODS[method].label) if method in METHODS else method})"


def _progress_words(view: JobView, wait: float | None) -> str:
    """Return what a training does now and how long it still takes."""
    if view.state == "queued":
        return waiting_words(view, wait)
    if view.state == "cancelling":
        return _("Stopping: it saves its progress first")
    progress = view.progress
    stage = _(STAGES.get(progress.stage, progress.stage)) if progress.stage else ""
    if progress.stage != "training" or not progress.total or progress.step is None:
        return stage
    told = (
        _("{stage}: step {step} of {total}, {share}, about {time} left")
        if progress.eta
        else _("{stage}: step {step} of {total}, {share}")
    )
    return told.format(
        stage=stage,
        step=number(progress.step),
        total=number(progress.total),
        share=f"{progress.fraction:.0%}",
        time=duration(round(progress.eta or 0) or 1),
    )


def _loss_curve(view: JobView) -> StepCurve:
    return _curve(_("Loss, lower is better"), view.progress.loss, better_high=False)


def _held_out_curve(view: JobView) -> StepCurve:
    """Return the score on held-out queries: the ARI, or the first of what there is."""
    metrics = view.progress.metrics
    name = "ari" if "ari" in metrics else next(iter(metrics), "ari")
    label = _(_METRICS[name]) if name in _METRICS else name
    return _curve(label, metrics.get(name, ()), better_high=True)


def _curve_rows(view: JobView) -> list[dict[str, int | str]]:
    """Return both curves as rows of a table, step by step; what was not measured is empty."""
    loss, held_out = _loss_curve(view), _held_out_curve(view)
    losses, scores = (
        {step: number(value, 4) for step, value in zip(curve.steps, curve.values, strict=True)}
        for curve in (loss, held_out)
    )
    return [
        {_("Step"): step, _("Loss"): losses.get(step, ""), held_out.label: scores.get(step, "")}
        for step in sorted(losses.keys() | scores.keys())
    ]


def _curve(label: str, points: Sequence[tuple[int, float]], *, better_high: bool) -> StepCurve:
    steps = tuple(step for step, _value in points)
    values = tuple(value for _step, value in points)
    return StepCurve(label, steps, values, "high" if better_high else "low")
