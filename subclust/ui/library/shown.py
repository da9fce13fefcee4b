"""What the Library page shows, in its address too: which view, which library, which import."""

import streamlit as st

from subclust.ui.components.address import changed_on, to_show, write_address
from subclust.ui.i18n.language import N_, _

SHOW = "show"
"""Name of the view in the address."""

LIBRARIES, IMPORT, SERVICES, JOBS = "libraries", "import", "services", "imports"

_VIEWS = {
    LIBRARIES: N_("Libraries"),
    IMPORT: N_("Add documents"),
    SERVICES: N_("Ask a service"),
    JOBS: N_("Imports"),
}
_SWITCH = "library-show"
_PAGE = "library"
_LIBRARY, _JOB = "open", "job"
_OPENED, _SHOWN_JOB = "library-opened", "library-shown-job"


def draw_switch() -> str:
    """Draw the switch between the views, and give the name of the one that is on."""
    now = None
    if _SWITCH in st.session_state:
        now = _in_address(st.session_state[_SWITCH])
    shown = to_show(_PAGE, (SHOW, _LIBRARY, _JOB), now)
    asked = shown[SHOW] if shown[SHOW] in _VIEWS else LIBRARIES
    if st.session_state.get(_SWITCH) != asked:
        st.session_state[_SWITCH] = asked
    if asked == LIBRARIES:
        st.session_state[_OPENED] = shown[_LIBRARY]
    if asked == JOBS:
        st.session_state[_SHOWN_JOB] = shown[_JOB]
    chosen = st.segmented_control(
        _("What to see"),
        list(_VIEWS),
        format_func=lambda name: _(_VIEWS[name]),
        required=True,
        key=_SWITCH,
        on_change=changed_on,
        args=(_PAGE,),
        label_visibility="collapsed",
    )
    write_address(_PAGE, _in_address(chosen or LIBRARIES))
    return chosen or LIBRARIES


def show_view(view: str) -> None:
    """Look at a view; for callbacks."""
    st.session_state[_SWITCH] = view
    changed_on(_PAGE)


def show_library(name: str) -> None:
    """Open a library, or none where the name is empty; for callbacks."""
    st.session_state[_OPENED] = name
    show_view(LIBRARIES)


def show_job(id: str) -> None:
    """Look at an import; for callbacks."""
    st.session_state[_SHOWN_JOB] = id
    show_view(JOBS)


def opened_library() -> str:
    """Name the library that the visitor has opened, empty if none."""
    name: str = st.session_state.get(_OPENED, "")
    return name


def shown_job() -> str:
    """Return the id of the import that is looked at, empty if the visitor chose none."""
    id: str = st.session_state.get(_SHOWN_JOB, "")
    return id


def _in_address(view: str) -> dict[str, str]:
    """Write it as the address has it; a library and an import only in their own views."""
    return {
        SHOW: "" if view == LIBRARIES else view,
        _LIBRARY: opened_library() if view == LIBRARIES else "",
        _JOB: shown_job() if view == JOBS else "",
    }
