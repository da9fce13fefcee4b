"""What the Library page shows, also in its address: which view, library and job."""

from typing import NoReturn

import streamlit as st

from subclust.core.settings import Settings
from subclust.ui import state
from subclust.ui.components.address import changed_on, to_show, write_address
from subclust.ui.components.resources import library_name, library_names
from subclust.ui.components.words import plain
from subclust.ui.i18n.language import N_, _

SHOW = "show"
"""Name of the view in the address."""

LIBRARIES, IMPORT, SERVICES, JOBS = "libraries", "import", "services", "imports"


_VIEWS = {
    LIBRARIES: N_("Libraries"),
    IMPORT: N_("Import"),
    SERVICES: N_("Live sources"),
    JOBS: N_("History"),
}
_PAGE = "library"
_LIBRARY, _JOB = "open", "job"


def draw_switch() -> str:
    """Draw the switch between the views, and return the name of the one that is on."""
    # Before the switch is drawn, since Streamlit takes no value for a widget afterwards.
    if started := st.session_state.pop(state.LIBRARY_STARTED, None):
        show_job(started)
    if view := st.session_state.pop(state.LIBRARY_NEXT, None):
        show_view(view)
    now = None
    if state.LIBRARY_VIEW in st.session_state:
        now = _in_address(st.session_state[state.LIBRARY_VIEW])
    shown = to_show(_PAGE, (SHOW, _LIBRARY, _JOB), now)
    asked = shown[SHOW] if shown[SHOW] in _VIEWS else LIBRARIES
    if st.session_state.get(state.LIBRARY_VIEW) != asked:
        st.session_state[state.LIBRARY_VIEW] = asked
    if asked == LIBRARIES:
        st.session_state[state.LIBRARY_OPENED] = shown[_LIBRARY]
    if asked == JOBS:
        st.session_state[state.LIBRARY_JOB] = shown[_JOB]
    chosen = st.segmented_control(
        _("View"),
        list(_VIEWS),
        format_func=lambda name: _(_VIEWS[name]),
        required=True,
        key=state.LIBRARY_VIEW,
        on_change=changed_on,
        args=(_PAGE,),
        label_visibility="collapsed",
    )
    write_address(_PAGE, _in_address(chosen or LIBRARIES))
    return chosen or LIBRARIES


def show_view(view: str) -> None:
    """Show a view; for callbacks."""
    st.session_state[state.LIBRARY_VIEW] = view
    changed_on(_PAGE)


def open_library(name: str) -> None:
    """Open a library, or none where the name is empty, when the page is drawn the next time."""
    st.session_state[state.LIBRARY_OPENED] = name


def show_library(name: str) -> None:
    """Show a library, or the first where the name is empty; for callbacks."""
    open_library(name)
    show_view(LIBRARIES)


def show_job(id: str) -> None:
    """Open a job; for callbacks."""
    st.session_state[state.LIBRARY_JOB] = id
    show_view(JOBS)


def show_started(id: str) -> NoReturn:
    """Draw the page again with a job that was just started."""
    st.session_state[state.LIBRARY_STARTED] = id  # the switch is already drawn
    st.rerun()


def show_next(view: str) -> NoReturn:
    """Draw the page again with another view."""
    st.session_state[state.LIBRARY_NEXT] = view
    st.rerun()


def opened_library() -> str:
    """Return the library that the visitor opened, empty if none."""
    name: str = st.session_state.get(state.LIBRARY_OPENED, "")
    return name


def opened_job() -> str:
    """Return the id of the job that the visitor opened, empty if none."""
    id: str = st.session_state.get(state.LIBRARY_JOB, "")
    return id


def report_done(sentence: str) -> None:
    """Have `draw_done` report a change when the page is drawn the next time."""
    st.session_state[state.LIBRARY_DONE] = sentence


def draw_done() -> None:
    """Report the last change, once."""
    if sentence := st.session_state.pop(state.LIBRARY_DONE, None):
        st.success(plain(sentence))


def draw_library_choice(settings: Settings, key: str, target: str | None = None) -> str:
    """Draw the choice of a library, which may be a new one, and return its name or ``""``."""
    names = library_names(settings)
    chosen: str | None = st.selectbox(
        _("Library"),
        names,
        index=names.index(target) if target in names else None,
        placeholder=_("Choose one, or type a new name"),
        accept_new_options=True,
        key=key,
        format_func=library_name,
    )
    return (chosen or "").strip()


def draw_group_link(library: str) -> None:
    """Draw the link that opens a library in Explore."""
    st.page_link(
        "pages/explore.py", label=_("Explore this library"), query_params={"library": library}
    )


def _in_address(view: str) -> dict[str, str]:
    """Return the view as the address has it; a library and a job only in their own views."""
    return {
        SHOW: "" if view == LIBRARIES else view,
        _LIBRARY: opened_library() if view == LIBRARIES else "",
        _JOB: opened_job() if view == JOBS else "",
    }
