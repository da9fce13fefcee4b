"""The page within another one (``?embed=true``): without what leads elsewhere."""

import streamlit as st

from subclust.ui.components.view import View
from subclust.ui.explore.export.files import permalink
from subclust.ui.i18n.language import _

_SHEET = """
[data-testid="stHeader"], [data-testid="stSidebar"] { display: none !important }
.st-key-examples, .st-key-language-switch, .st-key-explore-what { display: none !important }
.block-container, .stMainBlockContainer { padding: .75rem 1rem 1rem !important }
:has(> .st-key-map-panel) { top: .5rem !important }
h2.sc-headline { font-size: 1.125rem !important; padding: 0 !important }
"""


def trim_when_embedded() -> None:
    """Take away navigation, examples, switches and most of the margin."""
    if st.context.is_embedded:
        st.html(f"<style>{_SHEET}</style>")


def draw_way_out(view: View) -> None:
    """Draw a link that opens the whole page in a tab of its own."""
    st.link_button(_("Open in Subclust"), permalink(view), key="way-out")
