"""The page within another one (``?embed=true``): without what leads elsewhere."""

import streamlit as st

from subclust.ui.components.view import View
from subclust.ui.explore.export.files import permalink
from subclust.ui.i18n.language import _


def draw_way_out(view: View) -> None:
    """Draw a link that opens the whole page in a tab of its own."""
    st.link_button(_("Open in Subclust"), permalink(view), key="way-out")
