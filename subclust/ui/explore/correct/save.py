"""Saving what is shown: one dialog, for corrections and for the whole answer."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from subclust import __version__
from subclust.core.access import acting
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.core.storage.ageing import DRAFT_DAYS
from subclust.labelled.corrections import (
    Basis,
    Corrected,
    CorrectionStore,
    data_version,
    kept_groups,
    suggested_name,
)
from subclust.labelled.corrections.edits import to_object
from subclust.sessions import SessionStore, session_of
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_after, dialog_button
from subclust.ui.components.session import change_view, known_view
from subclust.ui.components.view import View
from subclust.ui.components.words import as_recorded, error_words, plain
from subclust.ui.explore.correct.desk import (
    Desk,
    desk_of,
    drop_draft,
    n_corrections,
    say_of_desk,
    take_up,
)
from subclust.ui.explore.map import known_map
from subclust.ui.explore.search import Answer
from subclust.ui.i18n.language import N_, _, _n

_KINDS = {
    "corrections": (
        N_("The corrections"),
        N_("Applied again to later groups of this question. Models can learn from them."),
    ),
    "session": (
        N_("Everything as it is"),
        N_("A session: the question, its passages, groups and map, exactly as they are now."),
    ),
}


@changes("corrections")
def draw_save(settings: Settings, view: View, found: Answer, corrected: Corrected) -> None:
    """Draw the button that saves what is shown; `found` has the corrected groups."""
    desk = desk_of(view)

    def begin() -> None:
        questions = dict.fromkeys((view.searched().text.strip(), view.query.strip()))
        st.session_state[state.SAVE_NAME] = desk.name or ": ".join(questions)[:120]
        st.session_state[state.SAVE_KIND] = "corrections" if desk.history.done else "session"
        st.session_state[state.SAVE_REJECTED] = ""

    dialog_button(
        _("Save"),
        lambda: _draw(settings, view, found, corrected),
        key="save",
        focus="field",
        on_open=begin,
    )


def _draw(settings: Settings, view: View, found: Answer, corrected: Corrected) -> None:
    desk = desk_of(view)
    st.caption(plain(_state(view, desk)))
    kinds = [
        kind
        for kind, possible in (("corrections", desk.history.done), ("session", not view.session))
        if possible
    ]
    if not kinds:
        return

    def save() -> None:
        name = str(st.session_state[state.SAVE_NAME]).strip()
        what = st.session_state.get(state.SAVE_KIND) if len(kinds) > 1 else kinds[0]
        try:
            if what == "corrections":
                _save_corrections(settings, view, found, corrected, name)
            else:
                _save_session(settings, view, found, name)
        except SubclustError as error:
            st.session_state[state.SAVE_REJECTED] = error_words(error)
        # pydantic's, for an answer beyond the bounds of a session.
        except ValueError:
            told = _("This answer is too large, or contains characters that cannot be saved.")
            st.session_state[state.SAVE_REJECTED] = told
        else:
            st.session_state[state.SAVE_REJECTED] = ""

    with st.form("save-form", border=False):
        st.text_input(_("Name"), key=state.SAVE_NAME, max_chars=120)
        if len(kinds) > 1:
            st.radio(
                _("What is saved"),
                kinds,
                key=state.SAVE_KIND,
                format_func=lambda kind: _(_KINDS[kind][0]),
                captions=[_(_KINDS[kind][1]) for kind in kinds],
            )
        else:
            st.caption(_(_KINDS[kinds[0]][1]))
        st.caption(_who_opens())
        pressed = st.form_submit_button(_("Save"), key="save-now", type="primary", on_click=save)
    if refused := st.session_state.get(state.SAVE_REJECTED):
        st.warning(plain(refused))
    else:
        close_after(pressed)


def _who_opens() -> str:
    """Return who can open what is saved: who signs in shares it, or not, later."""
    if acting().name:
        return _("Only you can open what you save, until you share it.")
    return _("Everyone who can open this page can open what you save.")


def _basis_of(view: View, found: Answer) -> Basis:
    """Return what corrections of an answer are made on."""
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


def _save_corrections(
    settings: Settings, view: View, found: Answer, corrected: Corrected, wanted: str
) -> None:
    desk, name = desk_of(view), suggested_name(wanted)
    kept = CorrectionStore(settings.corrections_dir).save(
        name,
        _basis_of(view, found),
        desk.history,
        kept_groups(corrected),
        # The store refuses to write over a revision that somebody else has saved since.
        known=desk.revision if name == desk.name else None,
    )
    drop_draft(view)
    take_up(view, kept, partial(_saved, name))
    st.session_state[state.SAVED_CORRECTIONS] = name
    change_view(corrections=name)


def _save_session(settings: Settings, view: View, found: Answer, name: str) -> None:
    drawn = known_map(view, found)
    kept = session_of(
        as_recorded(found.subtopics),
        found.ranking.hits,
        found.origin(),
        address=replace(view, corrections="").to_params(),
        other_maps=[as_recorded(drawn)] if drawn else [],
        corrections=_as_values(desk_of(view)),
    )
    header = SessionStore(settings.sessions_dir).save(kept, (name or view.query)[:120])
    st.session_state[state.SAVED_SESSION] = header.id
    say_of_desk(known_view(), partial(_saved, header.name))


def _saved(name: str) -> str:
    return _("Saved as “{name}”.").format(name=name)


def _as_values(desk: Desk) -> list[Any]:
    """List what the groups that are shown were corrected by, as JSON values."""
    edits = [to_object(edit) for edit in desk.history.done]
    # A session holds JSON values only, so the tuples of edits must become lists.
    found: list[Any] = json.loads(json.dumps(edits))
    return found


def _state(view: View, desk: Desk) -> str:
    count = n_corrections(len(desk.history.done))
    if desk.is_saved:
        if desk.name:
            return _("The corrections are saved as {name}.").format(name=desk.name)
        if view.session:
            return _("This answer is a saved session.")
        return _("No corrections yet. You can save the whole answer as a session.")
    if not desk.stamp:
        return _("{corrections} not saved yet.").format(corrections=count)
    kept = _n("{count} day", "{count} days", DRAFT_DAYS)
    return _("{corrections} not saved yet; a draft stays in this browser for {days}.").format(
        corrections=count, days=kept
    )
