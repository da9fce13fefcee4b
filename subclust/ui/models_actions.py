"""What can be done with a model: use it, go back, download it, delete it."""

import tempfile
from pathlib import Path

import streamlit as st

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint
from subclust.checkpoints.promoting import (
    SHORTEST_REASON,
    promote_checkpoint,
    why_reason_needed,
)
from subclust.checkpoints.summary import CheckpointSummary
from subclust.exceptions import CheckpointError, SubclustError
from subclust.settings import Settings
from subclust.training.bases import bases_of_jobs
from subclust.ui.models_html import sentence_html
from subclust.ui.models_words import doubt, in_markdown, in_use_sentence, size_in_words, somebody_on
from subclust.ui.resources import check_usable
from subclust.ui.words import method_label

_SAID = "models-said"


def say(sentence: str, *, good: bool = True) -> None:
    """Keep a sentence for `draw_said`, which the next run of the page draws."""
    st.session_state[_SAID] = (sentence, good)


def draw_said() -> None:
    """Draw what came of the last action, once."""
    sentence, good = st.session_state.pop(_SAID, (None, True))
    if sentence:
        (st.success if good else st.warning)(in_markdown(sentence))


def draw_in_use(store: CheckpointStore, method: str, name: str, *, default: bool) -> None:
    """Draw which model a way of grouping uses, since when and why, and the way back."""
    current = store.current(method)
    promotion = None if current is None else store.history(method, undone=True)[current]
    label = method_label(method)
    with st.container(border=True, key="in-use"):
        with st.container(horizontal=True, vertical_alignment="center"):
            recommended = ", the recommended way of grouping," if default else ""
            st.markdown(f"**{label}**{recommended} uses **{in_markdown(name)}**.", width="stretch")
            if earlier := store.earlier(method):
                st.button(
                    f"Go back to {in_markdown(earlier)}",
                    key="models-back",
                    on_click=_go_back,
                    args=(store, method),
                    help=f"Use {in_markdown(earlier)} again, at once; nothing is deleted",
                )
            if default and (before := store.earlier(DEFAULT_METHOD)):
                st.button(
                    f"Recommend {method_label(before)} again",
                    key="models-default-back",
                    on_click=_go_back,
                    args=(store, DEFAULT_METHOD),
                )
        st.html(sentence_html(in_use_sentence(method, name, promotion), "sc-note"))


def _go_back(store: CheckpointStore, method: str) -> None:
    try:
        name = store.roll_back(method, who=somebody_on("Models"))
    except SubclustError as error:
        say(str(error), good=False)
        return
    if method == DEFAULT_METHOD:
        st.session_state["way"] = name
        say(f"{method_label(name)} is the recommended way of grouping again.")
        return
    st.session_state[f"model-of-{method}"] = name
    say(f"{name} is in use again.")


def draw_actions(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    """Draw what can be done with a model."""
    with st.container(horizontal=True, key="model-actions"):
        draw_use(store, settings, summary)
        st.download_button(
            "Download",
            lambda: _zipped(store, summary),
            file_name=f"{summary.method}-{summary.name}.zip",
            mime="application/zip",
            on_click="ignore",
            key="model-download",
            help="A zip file that another Subclust can take in, with a list of sums to check it by",
        )
        _draw_delete(store, settings, summary)


def draw_use(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    """Draw the way to put a model in use, with a reason where it was not shown to be better.

    Nothing is drawn for the model that is in use already and recommended.
    """
    if summary.default:
        return
    this = f"{summary.method}-{summary.name}"
    label = "Recommend this model" if summary.promoted else "Use this model"
    card = store.card(summary.method, summary.name)
    needed = why_reason_needed(summary.method, summary.name, card)
    with (
        st.popover(label, type="secondary" if summary.promoted else "primary", key=f"use-{this}"),
        st.form(f"use-form-{this}", border=False),
    ):
        if needed:
            st.html(sentence_html(doubt(summary, needed)))
        elif not summary.promoted:
            st.caption("From then on every search with this way of grouping uses it.")
        reason = "Why use it all the same?" if needed else "Why? (may stay empty)"
        st.text_area(
            reason,
            key=f"reason-{this}",
            max_chars=500,
            height=80,
            placeholder=f"At least {SHORTEST_REASON} characters" if needed else None,
            help="Kept in the history, for those who come after you",
        )
        st.text_input("Your name (may stay empty)", key=f"who-{this}", max_chars=80)
        st.checkbox(
            f"Recommend {method_label(summary.method)} to everybody too",
            value=summary.promoted,
            key=f"as-default-{this}",
            disabled=summary.promoted,
            help="Explore then groups in this way unless another is chosen",
        )
        st.form_submit_button(
            f"Use {in_markdown(summary.name)} from now on",
            type="primary",
            on_click=_use,
            args=(store, settings, summary.method, summary.name),
        )


def _use(store: CheckpointStore, settings: Settings, method: str, name: str) -> None:
    def given(what: str) -> str:
        return str(st.session_state.get(f"{what}-{method}-{name}") or "").strip()

    as_default = bool(st.session_state.get(f"as-default-{method}-{name}"))
    try:
        check_usable(settings, method, name)
        promote_checkpoint(
            store,
            method,
            name,
            as_default=as_default,
            who=given("who") or somebody_on("Models"),
            reason=given("reason"),
        )
    except SubclustError as error:
        say(str(error).replace(" (--reason on the command line)", ""), good=False)
        return
    recommended = f", and {method_label(method)} is recommended" if as_default else ""
    say(f"{name} is in use now{recommended}.")


def _draw_delete(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    method, name = summary.method, summary.name
    with st.popover("Delete", key=f"delete-{method}-{name}"):
        if reason := store.protected(method, name, bases_of_jobs(settings.jobs_dir)):
            st.html(sentence_html(f"This model cannot be deleted: {reason}"))
            return
        st.html(
            sentence_html(
                f"{name} ({size_in_words(summary.size)}) would be deleted for good. Download it "
                "first if you may want it back."
            )
        )
        st.button(
            f"Delete {in_markdown(name)} for good",
            key=f"delete-now-{method}-{name}",
            on_click=_delete,
            args=(store, settings, method, name),
        )


def _delete(store: CheckpointStore, settings: Settings, method: str, name: str) -> None:
    try:
        store.remove(method, name, bases_of_jobs(settings.jobs_dir))
    except SubclustError as error:
        say(str(error), good=False)
        return
    say(f"{name} was deleted.")


def _zipped(store: CheckpointStore, summary: CheckpointSummary) -> bytes:
    with tempfile.TemporaryDirectory(prefix="subclust-") as work:
        path = Path(work) / "model.zip"
        try:
            export_checkpoint(store, summary.method, summary.name, path)
        except CheckpointError as error:
            return f"{error}\n".encode()
        return path.read_bytes()
