"""What came of a run that has ended: a judged model, or the reason of a failure and the way out."""

import html
import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import BenchmarkError, SubclustError
from subclust.core.settings import Settings
from subclust.jobs.view import JobView
from subclust.judging.judgement import JUDGEMENT_FILE
from subclust.judging.record import Judgement
from subclust.ui.components.error_words import error_words
from subclust.ui.components.error_words import way_out_words as error_way_out
from subclust.ui.components.read_only import changes
from subclust.ui.i18n.language import _
from subclust.ui.train.again import resume, train_again
from subclust.ui.train.judge import draw_judgement
from subclust.ui.train.maps import draw_maps
from subclust.ui.train.names import free_name
from subclust.ui.train.promote import draw_promote
from subclust.ui.train.run_words import model_of
from subclust.ui.train.settings import in_words


def draw_outcome(settings: Settings, view: JobView) -> None:
    """Draw what came of an ended run, and what can be done next."""
    match view.state:
        case "finished":
            _draw_result(settings, view)
        case "failed":
            _draw_failure(settings, view)
        case _:
            said = (
                _("It was stopped. Nothing is lost: it can go on where it was.")
                if view.state in ("cancelled", "paused")
                else _(
                    "It was interrupted: its process is gone and left no word. It can go on from "
                    "where it was last saved."
                )
            )
            st.html(f"<p class='sc-said'>{html.escape(error_words(view.job.error or said))}</p>")
            _draw_resume(settings, view)


def _draw_result(settings: Settings, view: JobView) -> None:
    if model_of(view) is None:
        return
    try:
        judgement = judgement_of_run(view)
    except SubclustError as error:
        st.warning(error_words(error))
        return
    if judgement is not None:
        draw_judgement(judgement, view.job.id)
        draw_maps(settings, judgement, view)
    else:
        told = html.escape(_("It was not compared with the model before it."))
        st.html(f"<p class='sc-said'>{told}</p>")
    draw_promote(settings, view, judgement)


def judgement_of_run(view: JobView) -> Judgement | None:
    """Read how a run's model was judged, None where it was not.

    Raises
    ------
    BenchmarkError
        If it cannot be read.
    """
    path = view.folder / JUDGEMENT_FILE
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BenchmarkError(
            _("The judgement of {model} cannot be read ({error}); train the model again.").format(
                model=view.job.title, error=error
            )
        ) from error
    return Judgement.from_dict(value)


def _draw_failure(settings: Settings, view: JobView) -> None:
    job = view.job
    reason = job.error or _("It failed without a word; the log below may tell why.")
    st.html(f"<p class='sc-verdict sc-failed'>{html.escape(in_words(error_words(reason)))}</p>")
    if way_out := error_way_out(reason, job.way_out):
        st.html(f"<p class='sc-said'>{html.escape(in_words(way_out))}</p>")
    _draw_ways_out(settings, view)


@changes
def _draw_ways_out(settings: Settings, view: JobView) -> None:
    """Offer to train again with what may help, or to go on."""
    job = view.job
    with st.container(horizontal=True):
        model = model_of(view)
        if job.changes and model is not None:
            method, name = model
            taken = [*CheckpointStore.of(settings).names(method), name]
            st.button(
                way_out_words(job.changes),
                key=f"run-way-out-{job.id}",
                type="primary",
                on_click=train_again,
                args=(settings, job.id, _as_text(job.changes), free_name(name, taken)),
            )
        _draw_resume(settings, view, primary=not job.changes)


def way_out_words(changes: Mapping[str, Any]) -> str:
    """Name the button that trains again with the changes a failure suggests."""
    if list(changes) == ["batch_passages"]:
        return _("Try again with smaller batches")
    return _("Try again with the suggested changes")


@changes
def _draw_resume(settings: Settings, view: JobView, *, primary: bool = True) -> None:
    st.button(
        _("Go on where it was"),
        key=f"run-resume-{view.job.id}",
        type="primary" if primary else "secondary",
        on_click=resume,
        args=(settings, view.job.id),
    )


def _as_text(changes: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in changes.items()}
