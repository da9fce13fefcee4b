"""What the Train page shows: the walk to a new training, or the runs, and which of them."""

import streamlit as st

SHOW = "show"
"""Name of the switch between a new training and the runs, also in the address."""

_RUN = "job"

_VIEWS = {"new": "New training", "runs": "Trainings"}


def draw_switch() -> str:
    """Draw the switch between a new training and the runs, and give ``"new"`` or ``"runs"``."""
    if SHOW not in st.session_state and SHOW not in st.query_params:
        st.session_state[SHOW] = "new"
    chosen = st.segmented_control(
        "What to see",
        list(_VIEWS),
        format_func=_VIEWS.__getitem__,
        required=True,
        key=SHOW,
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or "new"


def show_run(id: str) -> None:
    """Look at a run; for callbacks."""
    st.session_state[SHOW] = "runs"
    st.query_params[_RUN] = id


def shown_run() -> str:
    """Give the id of the run that the address asks for, empty if it asks for none."""
    asked: str = st.query_params.get(_RUN, "")
    return asked
