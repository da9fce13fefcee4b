"""What a page shows, in its address, so that links and the back button lead to it again."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

_FILLER = """
export default function ({ data }) {
  if (data.search && !location.search)
    history.replaceState(history.state, '', location.pathname + data.search + location.hash);
}
"""

_filler = st.components.v2.component("subclust_address", js=_FILLER)

_WRITTEN = "address-of"
_CHANGED = "address-changed-on"


def to_show(page: str, names: tuple[str, ...], now: Mapping[str, str] | None) -> dict[str, str]:
    """Decide what a page shows: what its widgets say, or what the visitor's address asks for.

    The address decides at the first visit and whenever the visitor changes it (a link, the back
    button). An empty one, as after coming back from another page, brings back what was shown
    last. One that comes with a change made on the page decides nothing, since a quick visitor's
    browser may still send the address of before.

    Parameters
    ----------
    page : str
    names : tuple of str
        Of its parameters in the address.
    now : mapping of str to str or None
        What its widgets say; None where they are not there yet.

    Returns
    -------
    dict of str to str
        Of each name what is to be shown, empty where nothing was asked for.
    """
    asked = {name: str(st.query_params.get(name, "")) for name in names}
    known: dict[str, str] | None = st.session_state.get(f"{_WRITTEN}-{page}")
    changed_here = st.session_state.pop(f"{_CHANGED}-{page}", False)
    if known is None:
        return asked if now is None or any(asked.values()) else dict(now)
    if changed_here or asked == known or not any(asked.values()):
        return dict(known if now is None else now)
    return asked


def fill_address(params: Mapping[str, str | Sequence[str]]) -> None:
    """Give an empty address parameters in place of itself, for it is no step of the visitor's.

    Streamlit can only add an entry to the browser's history, through which one would have to go
    back to the page one came from. To be called in every run, empty where there is nothing to fill,
    so that nothing after it is made anew.
    """
    search = f"?{urlencode(params, doseq=True)}" if params else ""
    with st.container(key="address-filler"):
        _filler(key="address", data={"search": search})


def changed_on(page: str) -> None:
    """Say that what a page shows was changed on it; for callbacks."""
    st.session_state[f"{_CHANGED}-{page}"] = True


def write_address(page: str, shown: Mapping[str, str]) -> None:
    """Have the address of a page say what it shows; what is empty is left out."""
    for name, value in shown.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]
    st.session_state[f"{_WRITTEN}-{page}"] = dict(shown)
