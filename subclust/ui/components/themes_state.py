"""Which themes a visitor looks at, kept equal to the address of the page."""

import re
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from subclust.ui import state
from subclust.ui.components.address import address_values, whole_number
from subclust.ui.components.session import known_view
from subclust.ui.components.themes_switch import WHOLE
from subclust.ui.i18n.language import PARAMETER, language_params


@dataclass(frozen=True)
class Shown:
    """What is looked at.

    Parameters
    ----------
    library : str
    key : str
        Of the themes, found or being found; empty before any were asked for.
    theme : int or None
        The one that is open.
    """

    library: str = "demo"
    key: str = ""
    theme: int | None = None

    def to_params(self) -> dict[str, str]:
        """Write the parameters of the address."""
        params = {WHOLE: self.library}
        if self.key:
            params["themes"] = self.key
        if self.theme is not None:
            params["theme"] = str(self.theme)
        return params


def current() -> Shown:
    """Return what is looked at, once a run: the address decides where somebody has changed it."""
    here = {name: values[-1] for name, values in address_values().items() if name != PARAMETER}
    changed = st.session_state.pop(state.THEMES_CHANGED, False)
    known: Shown | None = st.session_state.get(state.THEMES_SHOWN)
    if known is None or (
        WHOLE in here and here != st.session_state.get(state.THEMES_WRITTEN) and not changed
    ):
        theme, key = here.get("theme", ""), here.get("themes", "")
        known = Shown(
            here.get(WHOLE) or known_view().library,
            key if re.fullmatch(r"[0-9a-f]{16}", key) else "",
            whole_number(theme, 0, 9999),
        )
        st.session_state[state.THEMES_SHOWN] = known
    written = known.to_params()
    if here != written:
        st.query_params.from_dict({**written, **language_params()})
    st.session_state[state.THEMES_WRITTEN] = written
    return known


def look_at(**changes: Any) -> None:
    """Look at something else; for callbacks."""
    known: Shown = st.session_state.get(state.THEMES_SHOWN) or Shown()
    st.session_state[state.THEMES_SHOWN] = replace(known, **changes)
    st.session_state[state.THEMES_CHANGED] = True
