"""The switch between languages, in the bar at the top of every page."""

import streamlit as st

from subclust.ui.i18n.language import (
    LANGUAGES,
    _,
    choose_language,
    keep_language_in_address,
    language,
)

_KEY = "language"

_SHEET = """
:has(> .st-key-document-language), .st-key-document-language { display: none }
.st-key-language-switch { position: fixed; top: .55rem; right: 3.25rem; width: auto;
  z-index: 999991 }
.st-key-language-switch button { min-height: 2rem; padding: 0 .6rem }
@media (max-width: 640px) { .st-key-language-switch { right: 2.75rem } }
@media print { .st-key-language-switch { display: none } }
"""

_document = st.components.v2.component(
    "subclust_language",
    js="export default ({ data }) => { document.documentElement.lang = data.language }",
)


def draw_language_switch() -> None:
    """Draw the switch, keep the choice in the address, and tell the browser the page's language."""
    keep_language_in_address()
    now = language()
    if st.session_state.get(_KEY) != now:
        st.session_state[_KEY] = now
    st.html(f"<style>{_SHEET}</style>")
    with st.container(key="language-switch"):
        st.segmented_control(
            _("Language"),
            list(LANGUAGES),
            key=_KEY,
            required=True,
            format_func=str.upper,
            on_change=lambda: choose_language(st.session_state[_KEY]),
            label_visibility="collapsed",
        )
    with st.container(key="document-language"):
        _document(key="document", data={"language": now})
