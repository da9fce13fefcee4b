"""What a training run is doing, in words."""

import html
from collections.abc import Sequence

from subclust.figures import StepCurve, in_words
from subclust.jobs.view import JobView
from subclust.jobs.words import option
from subclust.methods import METHODS
from subclust.ui.components.times import moment
from subclust.ui.i18n.language import N_, _, number

STATES = {
    "queued": N_("waiting"),
    "running": N_("running"),
    "cancelling": N_("stopping"),
    "finished": N_("finished"),
    "failed": N_("failed"),
    "cancelled": N_("stopped"),
    "paused": N_("paused"),
    "lost": N_("interrupted"),
}
"""Of each state of a job, the word for it."""

STAGES = {
    "waiting": N_("Getting ready"),
    "reading": N_("Reading the set"),
    "encoding": N_("Reading the passages"),
    "training": N_("Learning"),
    "judging": N_("Comparing on held-out queries"),
    "saving": N_("Saving"),
}
"""Of each stage of a job, the words for it."""

METRICS = {
    "ari": N_("ARI on held-out queries"),
    "gate": N_("Gate on held-out queries"),
}

SILENT = 20.0
"""Seconds without a heartbeat from which it is said that something may be wrong."""


def model_of(view: JobView) -> tuple[str, str] | None:
    """Give method and name of the model that a run trains, None if it trains none.

    Records of older versions have no title; then the words of the command tell it.
    """
    argv = view.job.argv
    if view.job.kind != "train" or len(argv) < 2:
        return None
    method, slash, name = view.job.title.partition("/")
    if slash:
        return method, name
    told = option(argv, "--name")
    return (argv[1], told) if told else None


def run_title(view: JobView) -> str:
    """Name a run for people: the model's name and the method's label."""
    model = model_of(view)
    if model is None:
        return view.job.title or view.job.id
    method, name = model
    label = _(METHODS[method].label) if method in METHODS else method
    return f"{name} ({label})"


def state_words(view: JobView) -> str:
    """Say in a few words how a run stands."""
    word = _(STATES[view.state])
    if why_not_begun(view):
        return _("{state}, cannot begin yet").format(state=word)
    if view.state == "queued" and view.position is not None:
        return _("{state}, place {place} in the queue").format(state=word, place=view.position)
    if view.state == "running" and view.progress.stage == "training" and view.progress.total:
        return f"{word}, {view.progress.fraction:.0%}"
    return word


def done_share(view: JobView) -> float:
    """Return how much is done, 0 to 1; a training that stopped early is done when it compares."""
    after = view.progress.stage in ("judging", "saving")
    return 1.0 if after and view.state == "running" else view.progress.fraction


def listed_words(view: JobView, chosen: str) -> str:
    """Say in a line of the list how a run stands, since when, and whether it is the one shown."""
    facts = [_("shown here")] if view.job.id == chosen else []
    facts.append(state_words(view))
    if view.job.finished is not None and view.has_ended:
        facts.append(moment(view.job.finished))
    return " · ".join(facts)


def progress_words(view: JobView, wait: float | None = None) -> str:
    """Return what a run does now and how long it still takes.

    Parameters
    ----------
    view : JobView
    wait : float, optional
        Seconds until a waiting one begins.
    """
    if why_not_begun(view):
        return _("It cannot begin yet, and is tried again by itself")
    if view.state == "queued":
        if wait is None:
            return _("Waiting for its turn: another job is using this machine")
        return _(
            "Waiting for its turn: another job is using this machine; it begins in about {time}"
        ).format(time=in_words(round(wait) or 1))
    if view.state == "cancelling":
        return _("Stopping: it saves how far it is first")
    progress = view.progress
    said = _(STAGES.get(progress.stage, progress.stage)) if progress.stage else ""
    if progress.stage == "training" and progress.total and progress.step is not None:
        told = (
            _("{stage}: step {step} of {total}, {share}, about {time} to go")
            if progress.eta
            else _("{stage}: step {step} of {total}, {share}")
        )
        return told.format(
            stage=said,
            step=number(progress.step),
            total=number(progress.total),
            share=f"{progress.fraction:.0%}",
            time=in_words(round(progress.eta or 0) or 1),
        )
    return said


def why_not_begun(view: JobView) -> str | None:
    """Return the sentence that says why a waiting run cannot begin, None where it only waits."""
    return view.job.error if view.state == "queued" else None


def facts_words(view: JobView) -> str:
    """Return where a run computes, what it takes, and when it last gave a sign of life."""
    facts = []
    if view.device:
        told = _("on the processor") if view.device == "cpu" else _("on {device}")
        facts.append(told.format(device=view.device))
    if view.memory_mb is not None:
        facts.append(_("{count} MB of memory").format(count=number(view.memory_mb)))
    if view.heartbeat_age is not None:
        age = view.heartbeat_age
        facts.append(_("last sign of life {count} s ago").format(count=number(age)))
        if age > SILENT:
            facts.append(_("it may be stuck, or the machine is very busy"))
    if view.job.started is not None and not view.has_ended:
        facts.append(_("started {time}").format(time=moment(view.job.started)))
    if view.job.finished is not None and view.has_ended:
        facts.append(_("ended {time}").format(time=moment(view.job.finished)))
        if view.job.started is not None:
            took = in_words(max(1, round(view.job.finished - view.job.started)))
            facts.append(_("took {time}").format(time=took))
    return " · ".join(facts)


def state_html(view: JobView, title: str) -> str:
    """Write a run's name with its state beside it."""
    return (
        f"<h2 class='sc-run-title'>{html.escape(title)}"
        f"<span class='sc-state'>{html.escape(state_words(view))}</span></h2>"
    )


def loss_curve(view: JobView) -> StepCurve:
    """Take the loss of a run, step by step."""
    return _curve(_("Loss, lower is better"), view.progress.loss, better_high=False)


def held_out_curve(view: JobView) -> StepCurve:
    """Take what a run scored on held-out queries: the ARI, or the first of what there is."""
    metrics = view.progress.metrics
    name = "ari" if "ari" in metrics else next(iter(metrics), "ari")
    label = _(METRICS[name]) if name in METRICS else name
    return _curve(label, metrics.get(name, ()), better_high=True)


def curve_rows(view: JobView) -> list[dict[str, float | int | None]]:
    """List both curves for a table, step by step."""
    loss, held_out = loss_curve(view), held_out_curve(view)
    losses = dict(zip(loss.steps, loss.values, strict=True))
    scores = dict(zip(held_out.steps, held_out.values, strict=True))
    return [
        {_("Step"): step, _("Loss"): losses.get(step), held_out.label: scores.get(step)}
        for step in sorted(losses.keys() | scores.keys())
    ]


def listed(views: Sequence[JobView]) -> list[JobView]:
    """Order runs: those that run, those that wait by their place, then the ended, newest first."""
    order = {"running": 0, "cancelling": 0, "queued": 1}

    def key(view: JobView) -> tuple[int, float]:
        rank = order.get(view.state, 2)
        if rank == 1:
            return rank, float(view.position or 0)
        return rank, -(view.job.finished or view.job.created or 0.0)

    return sorted(views, key=key)


def _curve(label: str, points: Sequence[tuple[int, float]], *, better_high: bool) -> StepCurve:
    return StepCurve(
        label,
        tuple(step for step, _ in points),
        tuple(value for _, value in points),
        "high" if better_high else "low",
    )
