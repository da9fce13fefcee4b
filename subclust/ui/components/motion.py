"""Whether a visitor wants no motion, as the browser or the computer is set."""

import streamlit as st

from subclust.ui import state

_ASKER = """
const wish = matchMedia('(prefers-reduced-motion: reduce)');

export default function ({ data, setTriggerValue }) {
  const tell = () => {
    if (wish.matches !== data.still) setTriggerValue('still', wish.matches ? 'yes' : 'no');
  };
  wish.addEventListener('change', tell);
  tell();
  return () => wish.removeEventListener('change', tell);
}
"""

_asker = st.components.v2.component("subclust_motion", js=_ASKER)


def wants_no_motion() -> bool:
    """Return whether things are to be in their place at once; asks the browser the first time."""
    still: bool = st.session_state.setdefault(state.REDUCED_MOTION, False)

    with st.container(key="script-motion"):
        said = _asker(key="motion", data={"still": still}, on_still_change=lambda: None)
    told = getattr(said, "still", None)
    if told in ("yes", "no"):
        st.session_state[state.REDUCED_MOTION] = still = told == "yes"
    return still
