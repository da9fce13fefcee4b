"""What the Train page shows: the walk to a new training, or the runs, and which of them."""

import streamlit as st

from subclust.ui.components.address import changed_on, to_show, write_address
from subclust.ui.i18n.language import N_, _

SHOW = "show"
"""Name of the switch between a new training and the runs, also in the address."""

_RUN = "job"
_SHOWN_RUN = "train-shown-run"
_NEXT = "train-next-run"
_PAGE = "train"

_VIEWS = {"new": N_("New training"), "runs": N_("Trainings")}


def draw_switch() -> str:
    """Draw the switch between a new training and the runs, and give ``"new"`` or ``"runs"``."""
    now = None
    if _NEXT in st.session_state:
        show_run(st.session_state.pop(_NEXT))
    if SHOW in st.session_state:
        now = _in_address(st.session_state[SHOW], shown_run())
    shown = to_show(_PAGE, (SHOW, _RUN), now)
    asked = "runs" if shown[SHOW] == _VIEWS["runs"] else "new"
    if st.session_state.get(SHOW) != asked:
        st.session_state[SHOW] = asked
    if asked == "runs":
        st.session_state[_SHOWN_RUN] = shown[_RUN]
    chosen = st.segmented_control(
        _("What to see"),
        list(_VIEWS),
        format_func=lambda name: _(_VIEWS[name]),
        required=True,
        key=SHOW,
        on_change=changed_on,
        args=(_PAGE,),
        label_visibility="collapsed",
    )
    write_address(_PAGE, _in_address(chosen or "new", shown_run()))
    return chosen or "new"


def show_run(id: str) -> None:
    """Look at a run; for callbacks."""
    st.session_state[SHOW] = "runs"
    st.session_state[_SHOWN_RUN] = id
    changed_on(_PAGE)


def show_run_next(id: str) -> None:
    """Look at a run when the page is drawn the next time; for where the switch is drawn already."""
    st.session_state[_NEXT] = id


def shown_run() -> str:
    """Return the id of the run that is looked at, empty if the visitor chose none."""
    chosen: str = st.session_state.get(_SHOWN_RUN, "")
    return chosen


def _in_address(view: str, run: str) -> dict[str, str]:
    """Write it as the address has it: in the words of the switch, and a run only among the runs."""
    return {SHOW: _VIEWS["runs"], _RUN: run} if view == "runs" else {SHOW: "", _RUN: ""}
