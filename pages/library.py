"""Library: documents from services on the network, kept as collections."""

import streamlit as st

from subclust.exceptions import SubclustError
from subclust.settings import Settings
from subclust.ui.language import _
from subclust.ui.library_live import live_panel
from subclust.ui.style import draw_style

draw_style(st.context.theme.type)
st.title(_("Library"), anchor=False)

try:
    live_panel(Settings.from_environment())
except SubclustError as error:
    st.warning(str(error))
