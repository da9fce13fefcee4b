"""Where a visitor is on the walk to a new training, and what they brought so far."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from subclust.labelled.reading.checker import CheckReport
from subclust.labelled.sets import Upload
from subclust.ui.components.address import asked
from subclust.ui.i18n.language import _
from subclust.ui.train.words import STEPS

_WALK = "train-walk"
_UPLOADS = "train-uploads"


@dataclass(frozen=True)
class Walk:
    """What the visitor has decided.

    Parameters
    ----------
    chosen : str or None
        ``NAME@VERSION`` of the kept set to train on.
    upload : Upload or None
        A file that was received and is not kept yet.
    columns : mapping of str to str or None
        Ours to the file's; None until the visitor has agreed to some.
    agreed : bool
        Whether these columns are those of this upload, as far as the visitor said.
    report : CheckReport or None
        Of the upload with these columns.
    name : str
        That the set is to have.
    """

    chosen: str | None = None
    upload: Upload | None = None
    columns: Mapping[str, str] | None = None
    agreed: bool = False
    report: CheckReport | None = None
    name: str = ""

    @property
    def step(self) -> int:
        """Number of the step that is on, from 0; the last two are on together."""
        if self.chosen:
            return 3
        if self.upload is None:
            return 0
        return 2 if self.agreed else 1


def walk() -> Walk:
    """Return the visitor's walk; a set that the address names is chosen."""
    if _WALK not in st.session_state:
        st.session_state[_WALK] = Walk(chosen=asked("set") or None)
    found: Walk = st.session_state[_WALK]
    return found


def go(**changes: Any) -> None:
    """Change the walk; the chosen set stands in the address, so that a reload comes back to it."""
    changed = replace(walk(), **changes)
    st.session_state[_WALK] = changed
    if changed.chosen:
        st.query_params["set"] = changed.chosen
    elif "set" in st.query_params:
        del st.query_params["set"]


def keep_in_address() -> None:
    """Name the chosen set in the address again, which is empty after coming back to the page."""
    if (chosen := walk().chosen) and st.query_params.get("set") != chosen:
        st.query_params["set"] = chosen


def start_anew() -> None:
    """Forget what was brought; what is kept stays kept."""
    go(chosen=None, upload=None, columns=None, agreed=False, report=None, name="")


def upload_key(name: str) -> str:
    """Name an upload field, so that it is empty again once its file was received."""
    return f"{name}-{st.session_state.get(_UPLOADS, 0)}"


def forget_files() -> None:
    """Empty the upload fields; what they held leaves the memory."""
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1


def draw_steps(on: int) -> None:
    """Draw the steps of the walk, the present one marked."""
    st.html(steps_html(on))


def steps_html(on: int) -> str:
    """Write the steps as a list; those before the present one are done."""
    items = []
    for number, step in enumerate(STEPS):
        state = " class='sc-done'" if number < on else " aria-current='step'" * (number == on)
        items.append(f"<li{state}>{_(step)}</li>")
    return f"<ol class='sc-steps' aria-label='{_('Steps')}'>{''.join(items)}</ol>"
