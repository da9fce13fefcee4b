"""Saving corrections under a name, going on with them, and learning from them."""

import html
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from subclust import __version__
from subclust.curation import (
    Basis,
    Corrected,
    CorrectionStore,
    SavedCorrections,
    data_version,
    kept_groups,
    suggested_name,
)
from subclust.exceptions import SubclustError
from subclust.settings import Settings
from subclust.ui.correct_desk import Desk, desk_of, put_desk, take_up
from subclust.ui.correct_learn import draw_learning
from subclust.ui.correct_words import n_corrections, n_passages
from subclust.ui.language import _
from subclust.ui.search import Answer
from subclust.ui.session import SELECTIONS, change_view
from subclust.ui.view import View

_NAME = "corrections-name"
_WHICH = "corrections-which"
_SURE = "corrections-sure"


def draw_keeping(settings: Settings, view: View, found: Answer, corrected: Corrected) -> None:
    """Draw what can be done with corrections as a whole, once it is opened.

    Parameters
    ----------
    settings : Settings
    view : View
    found : Answer
        With the corrected groups.
    corrected : Corrected
    """
    with st.popover(_("Save and use"), key="correct-keep", on_change="rerun") as panel:
        if not panel.open:
            return
        store = CorrectionStore(settings.corrections_dir)
        desk = desk_of(view)
        _draw_saving(store, view, desk, found, corrected)
        there = store.all()
        if there:
            _draw_saved(store, view, there)
            draw_learning(settings, there)
        else:
            st.caption(_("Once corrections are saved, a model can learn from them here."))


def basis_of(view: View, found: Answer) -> Basis:
    """Say what corrections of an answer are made on."""
    subtopics, checkpoint = found.subtopics, found.pipeline.method.checkpoint
    shown = replace(view, group=None, passages=(), corrections="")
    return Basis(
        query=view.query.strip(),
        library=subtopics.library,
        encoder=found.pipeline.retriever.encoder.revision,
        data=data_version(subtopics),
        method=subtopics.method,
        checkpoint=subtopics.checkpoint,
        model=checkpoint.weights_digest[:12] if checkpoint else "",
        seed=subtopics.seed,
        n_clusters=subtopics.n_clusters,
        subclust=__version__,
        address=shown.to_params(),
    )


def _draw_saving(
    store: CorrectionStore, view: View, desk: Desk, found: Answer, corrected: Corrected
) -> None:
    st.html(f"<p class='sc-note'>{html.escape(_state(desk))}</p>")
    if not desk.history.done:
        return
    if _NAME not in st.session_state:
        st.session_state[_NAME] = desk.name or suggested_name(view.query)

    def save() -> None:
        name = suggested_name(st.session_state[_NAME])
        known = desk.revision if name == desk.name else None
        try:
            kept = store.save(
                name,
                basis_of(view, found),
                desk.history,
                kept_groups(corrected),
                known=known,
            )
        except SubclustError as error:
            put_desk(view, replace(desk, said="", refused=str(error)))
            return
        take_up(view, kept, _("Saved as {name}.").format(name=name))
        st.session_state.pop(_NAME, None)
        st.session_state[_WHICH] = name
        change_view(corrections=name)

    with st.form("corrections-form", border=False):
        st.text_input(
            _("Name"),
            key=_NAME,
            max_chars=64,
            help=_("Small letters, digits, - and _; anything else is put into this form."),
        )
        st.form_submit_button(_("Save"), key="corrections-save", on_click=save, type="primary")


def _state(desk: Desk) -> str:
    if not desk.history.done and not desk.name:
        return _("Nothing is corrected yet, so there is nothing to save.")
    if not desk.name:
        return _("{corrections} not saved yet.").format(
            corrections=n_corrections(len(desk.history.done))
        )
    if desk.is_saved:
        return _("Saved as {name}.").format(name=desk.name)
    return _("Changed since it was saved as {name}.").format(name=desk.name)


def _draw_saved(store: CorrectionStore, view: View, there: Sequence[SavedCorrections]) -> None:
    by_name = {saved.name: saved for saved in there}
    if st.session_state.get(_WHICH) not in by_name:
        st.session_state[_WHICH] = there[0].name

    def load() -> None:
        saved = by_name[st.session_state[_WHICH]]
        shown = View.from_params(_as_address(saved)).changed(corrections=saved.name)
        changes = {name: getattr(shown, name) for name in _SHOWN}
        change_view(**changes)
        SELECTIONS.forget()
        said = _("Loaded {name}; the history comes with it.").format(name=saved.name)
        take_up(shown, saved, said)
        st.session_state.pop(_NAME, None)

    def delete() -> None:
        name = st.session_state[_WHICH]
        desk = desk_of(view)
        try:
            store.delete(name)
        except SubclustError as error:
            put_desk(view, replace(desk, said="", refused=str(error)))
            return
        said = _("Deleted {name}; what is shown stays as it is.").format(name=name)
        if desk.name == name:
            desk = replace(desk, name="", revision=None, kept=())
            change_view(corrections="")
        put_desk(view, replace(desk, said=said, refused=""))
        st.session_state[_SURE] = False

    st.selectbox(
        _("Saved corrections"),
        list(by_name),
        key=_WHICH,
        format_func=lambda name: _line(by_name[name]),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _("Load"),
            key="corrections-load",
            on_click=load,
            help=_("Shows the question they belong to, and applies them to its groups of now."),
        )
        st.checkbox(_("I want to delete it"), key=_SURE)
        st.button(
            _("Delete"),
            key="corrections-delete",
            on_click=delete,
            disabled=not st.session_state.get(_SURE),
        )


_SHOWN = (
    "query", "description", "context", "library", "method", "n_clusters", "hits", "trail",
    "corrections",
)  # fmt: skip
"""What of a view belongs to its groups, and comes back with saved corrections."""


def _line(saved: SavedCorrections) -> str:
    facts = saved.facts()
    return _("{name}: {corrections}, {passages}, “{query}”").format(
        name=saved.name,
        corrections=n_corrections(facts["n_edits"]),
        passages=n_passages(facts["n_passages"]),
        query=saved.basis.query,
    )


def _as_address(saved: SavedCorrections) -> dict[str, list[str]]:
    return {
        name: [value] if isinstance(value, str) else list(value)
        for name, value in saved.basis.address.items()
    }
