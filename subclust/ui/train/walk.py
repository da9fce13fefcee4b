"""Where a visitor is on the Train page: the new training, or the trainings and the open one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

import streamlit as st

from subclust.labelled.reading.checker import CheckReport
from subclust.labelled.sets import Upload
from subclust.ui import state
from subclust.ui.components.address import asked, changed_on, to_show, write_address
from subclust.ui.i18n.language import N_, _

if TYPE_CHECKING:
    from subclust.ui.train.choose import Choice

STEPS: tuple[str, ...] = (
    N_("Your set"),
    N_("Columns"),
    N_("Check"),
    N_("Method"),
    N_("Start"),
)
"""Of the way to a new training."""

SHOW = "show"
"""Key of the switch between a new training and the trainings, also in the address."""

_RUN = "job"
_PAGE = "train"
_VIEWS = {"new": N_("New training"), "runs": N_("Trainings")}


@dataclass(frozen=True)
class Walk:
    """What the visitor has decided.

    Parameters
    ----------
    chosen : str or None
        ``NAME@VERSION`` of the stored set to train on.
    upload : Upload or None
        A file that is not stored as a set yet.
    columns : mapping of str to str or None
        Ours to the file's.
    agreed : bool
        Whether the visitor confirmed the columns for this upload.
    report : CheckReport or None
        Of the upload with these columns.
    name : str
        Of the new set.
    decided : subclust.ui.train.choose.Choice or None
        The training that the visitor settled on.
    """

    chosen: str | None = None
    upload: Upload | None = None
    columns: Mapping[str, str] | None = None
    agreed: bool = False
    report: CheckReport | None = None
    name: str = ""
    decided: "Choice | None" = None

    @property
    def step(self) -> int:
        """Number of the present step, from 0."""
        if self.chosen:
            return 3 if self.decided is None else 4
        if self.upload is None:
            return 0
        return 2 if self.agreed else 1


def walk() -> Walk:
    """Return the visitor's walk; a set that the address names is chosen."""
    if state.WALK not in st.session_state:
        st.session_state[state.WALK] = Walk(chosen=asked("set") or None)
    found: Walk = st.session_state[state.WALK]
    return found


def go(**changes: Any) -> None:
    """Change the walk, and write the chosen set to the address, so that a reload keeps it."""
    if "chosen" in changes:
        changes.setdefault("decided", None)
    changed = replace(walk(), **changes)
    st.session_state[state.WALK] = changed
    if changed.chosen:
        st.query_params["set"] = changed.chosen
    elif "set" in st.query_params:
        del st.query_params["set"]


def keep_in_address() -> None:
    """Write the chosen set to the address again, which is empty after returning to the page."""
    if (chosen := walk().chosen) and st.query_params.get("set") != chosen:
        st.query_params["set"] = chosen


def restart() -> None:
    """Restart the walk; stored sets stay."""
    go(chosen=None, upload=None, columns=None, agreed=False, report=None, name="", decided=None)


def upload_key(name: str) -> str:
    """Return the key of an upload field, another one after `forget_files`."""
    return f"{name}-{st.session_state.get(state.SET_UPLOADS, 0)}"


def forget_files() -> None:
    """Empty the upload fields, and free the memory of their files."""
    st.session_state[state.SET_UPLOADS] = st.session_state.get(state.SET_UPLOADS, 0) + 1


def steps_html(on: int) -> str:
    """Write the steps as a list, the present one marked."""
    items = []
    for number, step in enumerate(STEPS):
        mark = " class='sc-done'" if number < on else " aria-current='step'" * (number == on)
        items.append(f"<li{mark}>{_(step)}</li>")
    return f"<ol class='sc-steps' aria-label='{_('Steps')}'>{''.join(items)}</ol>"


def draw_switch() -> str:
    """Draw the switch between a new training and the trainings; return ``"new"`` or ``"runs"``."""
    # Before the switch is drawn, since Streamlit takes no value for a widget afterwards.
    if next_run := st.session_state.pop(state.TRAIN_STARTED, None):
        show_run(next_run)
    now = None
    if SHOW in st.session_state:
        now = _in_address(st.session_state[SHOW], opened_run())
    shown = to_show(_PAGE, (SHOW, _RUN), now)
    asked = "runs" if shown[SHOW] == _VIEWS["runs"] else "new"
    if st.session_state.get(SHOW) != asked:
        st.session_state[SHOW] = asked
    if asked == "runs":
        st.session_state[state.TRAIN_JOB] = shown[_RUN]
    chosen = st.segmented_control(
        _("View"),
        list(_VIEWS),
        format_func=lambda name: _(_VIEWS[name]),
        required=True,
        key=SHOW,
        on_change=changed_on,
        args=(_PAGE,),
        label_visibility="collapsed",
    )
    write_address(_PAGE, _in_address(chosen or "new", opened_run()))
    return chosen or "new"


def show_run(id: str) -> None:
    """Open a training; for callbacks."""
    st.session_state[SHOW] = "runs"
    st.session_state[state.TRAIN_JOB] = id
    changed_on(_PAGE)


def show_started(id: str) -> NoReturn:
    """Draw the page again with a training that was just started."""
    st.session_state[state.TRAIN_STARTED] = id  # the switch is already drawn
    st.rerun()


def opened_run() -> str:
    """Return the id of the training that the visitor opened, empty if none."""
    chosen: str = st.session_state.get(state.TRAIN_JOB, "")
    return chosen


def _in_address(view: str, run: str) -> dict[str, str]:
    """Return the view as the address has it, by the words of the switch."""
    return {SHOW: _VIEWS["runs"], _RUN: run} if view == "runs" else {SHOW: "", _RUN: ""}
