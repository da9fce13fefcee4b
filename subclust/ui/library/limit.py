"""For whom a library is: everybody who signs in, or some teams."""

import streamlit as st

from subclust.core.access import acting
from subclust.core.exceptions import SubclustError
from subclust.core.limits import limit_library, teams_of
from subclust.core.settings import Settings
from subclust.text.library.catalogue import LibraryEntry
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.resources import library_name
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _
from subclust.ui.library.shown import report_done


@changes("library")
def draw_limit(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that limits a library to teams, where people sign in."""
    if acting().name:
        dialog_button(
            _("Who sees it"), lambda: _draw_teams(settings, entry.name), key="library-limit"
        )


def _draw_teams(settings: Settings, id_: str) -> None:
    now = teams_of(settings.library_dir, id_)
    key = f"library-limit-to-{id_}"
    st.write(_("Only members of these teams see and search it. Without a team, everybody does."))
    st.multiselect(
        _("Teams"),
        sorted({*now, *acting().teams}),
        default=now,
        key=key,
        accept_new_options=True,
    )
    if problem := st.session_state.pop(state.LIMIT_PROBLEM, None):
        st.error(plain(problem))
    st.button(_("Apply"), key="library-limit-yes", on_click=_apply, args=(settings, id_, key))


def _apply(settings: Settings, id_: str, key: str) -> None:
    teams = list(st.session_state[key])
    try:
        limit_library(settings.library_dir, id_, teams)
    except SubclustError as error:
        st.session_state[state.LIMIT_PROBLEM] = error_words(error)
        return
    told = _("{library} is for everybody who signs in now.")
    if teams:
        told = _("{library} is only for {teams} now.")
    report_done(told.format(library=library_name(id_), teams=", ".join(teams)))
    close_dialog()
