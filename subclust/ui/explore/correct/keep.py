"""Going on with saved corrections, and learning from them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.disk import may_change
from subclust.deleting.removal import delete_corrections
from subclust.labelled.corrections import CorrectionStore, SavedCorrections
from subclust.ui import state
from subclust.ui.components.damaged import draw_damaged
from subclust.ui.components.dialogs import close_after, close_dialog, dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.read_only import draw_read_only
from subclust.ui.components.recently_deleted import draw_recently_deleted
from subclust.ui.components.session import SELECTIONS, change_view
from subclust.ui.components.view import View
from subclust.ui.explore.correct.desk import (
    desk_of,
    drop_draft,
    go_on,
    open_saved,
    put_desk,
    say_of_desk,
)
from subclust.ui.explore.correct.learn import draw_learning
from subclust.ui.explore.correct.words import n_corrections, n_passages
from subclust.ui.i18n.language import _


def draw_keeping(settings: Settings, view: View) -> None:
    """Draw the button to the saved corrections: loaded, deleted, and learnt from."""
    dialog_button(
        _("Saved corrections"), lambda: _draw(settings, view), key="correct-keep", width="medium"
    )


def _draw(settings: Settings, view: View) -> None:
    store = CorrectionStore(settings.corrections_dir)
    draw_damaged(store.damaged(), partial(delete_corrections, settings))
    there = store.all()
    if there:
        _draw_saved(settings, store, view, there)
        draw_read_only()
        draw_learning(settings, there)
    else:
        st.write(_("Once corrections are saved, a model can learn from them here."))
    draw_recently_deleted(settings, "corrections")


def _draw_saved(
    settings: Settings, store: CorrectionStore, view: View, there: Sequence[SavedCorrections]
) -> None:
    by_name = {saved.name: saved for saved in there}
    if st.session_state.get(state.SAVED_CORRECTIONS) not in by_name:
        st.session_state[state.SAVED_CORRECTIONS] = there[0].name

    def load() -> None:
        saved = by_name[st.session_state[state.SAVED_CORRECTIONS]]
        shown = View.from_params(_as_address(saved)).changed(corrections=saved.name)
        changes = {name: getattr(shown, name) for name in _SHOWN}
        change_view(**changes)
        SELECTIONS.forget()
        open_saved(settings, shown, _("Loaded {name}; the history comes with it."))

    def delete() -> None:
        close_dialog()
        name = st.session_state[state.SAVED_CORRECTIONS]
        desk = desk_of(view)
        try:
            delete_corrections(settings, name)
        except SubclustError as error:
            put_desk(view, replace(desk, said="", refused=error_words(error)))
            return
        said = _("Deleted {name}; what is shown stays as it is.").format(name=name)
        st.session_state[state.DELETE_CORRECTIONS] = False
        if desk.name == name:
            drop_draft(view)
            put_desk(view, replace(desk, name="", revision=None, kept=(), stamp=""))
            go_on(view, desk.history, said)
            change_view(corrections="")
        else:
            say_of_desk(view, said)

    st.selectbox(
        _("Saved corrections"),
        list(by_name),
        key=state.SAVED_CORRECTIONS,
        format_func=lambda name: _line(by_name[name]),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        loaded = st.button(
            _("Load"),
            key="corrections-load",
            on_click=load,
            help=_("Shows the question they belong to, and applies them to its groups of now."),
        )
        if may_change():
            st.checkbox(_("I want to delete it"), key=state.DELETE_CORRECTIONS)
            st.button(
                _("Delete"),
                key="corrections-delete",
                on_click=delete,
                disabled=not st.session_state.get(state.DELETE_CORRECTIONS),
            )
    close_after(loaded)


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
