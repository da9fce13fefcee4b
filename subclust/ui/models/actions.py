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
from subclust.core.exceptions import CheckpointError, SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.changes import may_change
from subclust.deleting import models_needed
from subclust.deleting.removal import delete_model
from subclust.ui.components.dialogs import close_after, close_dialog, dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.read_only import changes, draw_read_only
from subclust.ui.components.resources import check_usable
from subclust.ui.components.words import method_label
from subclust.ui.i18n.language import _
from subclust.ui.models.html import sentence_html
from subclust.ui.models.use import draw_consequences, draw_other_questions
from subclust.ui.models.words import doubt, in_markdown, in_use_sentence, size_in_words, somebody_on

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
            told = (
                _("**{method}**, the recommended way of grouping, uses **{model}**.")
                if default
                else _("**{method}** uses **{model}**.")
            )
            st.markdown(told.format(method=label, model=in_markdown(name)), width="stretch")
            if may_change() and (earlier := store.earlier(method)):
                st.button(
                    _("Go back to {model}").format(model=in_markdown(earlier)),
                    key="models-back",
                    on_click=_go_back,
                    args=(store, method),
                    help=_("Use {model} again, at once; nothing is deleted").format(
                        model=in_markdown(earlier)
                    ),
                )
            if may_change() and default and (before := store.earlier(DEFAULT_METHOD)):
                st.button(
                    _("Recommend {method} again").format(method=method_label(before)),
                    key="models-default-back",
                    on_click=_go_back,
                    args=(store, DEFAULT_METHOD),
                )
        st.html(sentence_html(in_use_sentence(method, name, promotion), "sc-note"))
        draw_read_only()


def _go_back(store: CheckpointStore, method: str) -> None:
    try:
        name = store.roll_back(method, who=somebody_on("Models"))
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    if method == DEFAULT_METHOD:
        st.session_state["way"] = name
        told = _("{method} is the recommended way of grouping again.")
        say(told.format(method=method_label(name)))
        return
    st.session_state[f"model-of-{method}"] = name
    say(_("{model} is in use again.").format(model=name))


def draw_actions(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    """Draw what can be done with a model."""
    with st.container(horizontal=True, key="model-actions"):
        draw_use(store, settings, summary)
        st.download_button(
            _("Download"),
            lambda: _zipped(store, summary),
            file_name=f"{summary.method}-{summary.name}.zip",
            mime="application/zip",
            on_click="ignore",
            key="model-download",
            help=_(
                "A zip file that another Subclust can take in, with a list of sums to check it by"
            ),
        )
        _draw_delete(store, settings, summary)


@changes
def draw_use(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    """Draw the way to put a model in use, with a reason where it was not shown to be better.

    Nothing is drawn for the model that is in use already and recommended.
    """
    if summary.default:
        return
    this = f"{summary.method}-{summary.name}"
    label = _("Recommend this model") if summary.promoted else _("Use this model")
    needed = why_reason_needed(store, summary.method, summary.name)
    dialog_button(
        label,
        lambda: _draw_use(store, settings, summary, needed),
        key=f"use-{this}",
        type="secondary" if summary.promoted else "primary",
    )


def _draw_use(
    store: CheckpointStore, settings: Settings, summary: CheckpointSummary, needed: str | None
) -> None:
    this = f"{summary.method}-{summary.name}"
    draw_consequences(store, summary.method, summary.name)
    if needed:
        st.html(sentence_html(doubt(summary, needed)))
    elsewhere = st.container()
    with st.form(f"use-form-{this}", border=False):
        reason = _("Why use it all the same?") if needed else _("Why? (may stay empty)")
        least = _("At least {count} characters").format(count=SHORTEST_REASON)
        st.text_area(
            reason,
            key=f"reason-{this}",
            max_chars=500,
            height=80,
            placeholder=least if needed else None,
            help=_("Kept in the history, for those who come after you"),
        )
        st.text_input(_("Your name (may stay empty)"), key=f"who-{this}", max_chars=80)
        st.checkbox(
            _("Recommend {method} to everybody too").format(method=method_label(summary.method)),
            value=summary.promoted,
            key=f"as-default-{this}",
            disabled=summary.promoted,
            help=_("Explore then groups in this way unless another is chosen"),
        )
        used = st.form_submit_button(
            _("Use {model} from now on").format(model=in_markdown(summary.name)),
            type="primary",
            on_click=_use,
            args=(store, settings, summary.method, summary.name),
        )
    if used and not st.session_state.get(_SAID, ("", True))[1]:
        draw_said()  # what was typed stays
    else:
        close_after(used)
    with elsewhere:
        draw_other_questions(store, settings, summary.method, summary.name)


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
        say(error_words(error), good=False)
        return
    told = (
        _("{model} is in use now, and {method} is recommended.")
        if as_default
        else _("{model} is in use now.")
    )
    say(told.format(model=name, method=method_label(method)))


@changes
def _draw_delete(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    method, name = summary.method, summary.name
    dialog_button(
        _("Delete"),
        lambda: _ask_to_delete(store, settings, summary),
        key=f"delete-{method}-{name}",
    )


def _ask_to_delete(store: CheckpointStore, settings: Settings, summary: CheckpointSummary) -> None:
    method, name = summary.method, summary.name
    if reason := store.protected(method, name, models_needed(settings)):
        told = _("This model cannot be deleted: {reason}")
        st.html(sentence_html(told.format(reason=reason)))
        return
    told = _(
        "{model} ({size}) is deleted. For seven days it can be put back, under “Recently deleted”."
    )
    st.html(sentence_html(told.format(model=name, size=size_in_words(summary.size))))
    st.button(
        _("Delete {model}").format(model=in_markdown(name)),
        key=f"delete-now-{method}-{name}",
        on_click=_delete,
        args=(store, settings, method, name),
    )


def _delete(store: CheckpointStore, settings: Settings, method: str, name: str) -> None:
    close_dialog()
    try:
        delete_model(settings, method, name)
    except SubclustError as error:
        say(error_words(error), good=False)
        return
    say(_("{model} was deleted.").format(model=name))


def _zipped(store: CheckpointStore, summary: CheckpointSummary) -> bytes:
    with tempfile.TemporaryDirectory(prefix="subclust-") as work:
        path = Path(work) / "model.zip"
        try:
            export_checkpoint(store, summary.method, summary.name, path)
        except CheckpointError as error:
            return f"{error}\n".encode()
        return path.read_bytes()
