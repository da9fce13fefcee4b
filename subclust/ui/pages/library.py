"""Library: its libraries, imports of files, live sources, and the progress of imports."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.ui.components.data_folder import draw_read_only
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _
from subclust.ui.library.importing import draw_import
from subclust.ui.library.jobs import draw_jobs, draw_strip
from subclust.ui.library.libraries import draw_libraries
from subclust.ui.library.live import draw_harvest, draw_live
from subclust.ui.library.shown import IMPORT, JOBS, SERVICES, draw_switch

st.title(_("Library"), anchor=False)

try:
    settings = Settings.from_environment()
    shown = draw_switch()
    if shown == JOBS:
        draw_jobs(settings)
    else:
        draw_strip(settings)
        if shown == IMPORT:
            draw_read_only("library")
            draw_import(settings)
        elif shown == SERVICES:
            draw_live(settings)
            draw_read_only("library")
            draw_harvest(settings)
        else:
            lead = _("A library holds documents that are searched and grouped together.")
            st.markdown(lead)
            draw_libraries(settings)
except SubclustError as error:
    st.warning(plain(error_words(error)))
