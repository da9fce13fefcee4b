"""The app: its pages and what they share. Start it with ``make run``."""

from contextlib import nullcontext

import streamlit as st

from subclust.core.settings import SHIPPED
from subclust.core.storage.presence import check_there
from subclust.ui.components.browser import draw_colour_scheme, follow_theme, keep_focus, name_tables
from subclust.ui.i18n.language import _, draw_language_switch
from subclust.ui.sign_in import draw_sign_in, is_known
from subclust.ui.starting import first_served, wait

IMAGES = SHIPPED / ".streamlit"

# A PNG, since browsers fetch a Material icon of the page from another server.
st.set_page_config(page_title="Subclust", page_icon=str(IMAGES / "icon.png"), layout="wide")
st.logo(IMAGES / "logo.svg", size="large")
draw_colour_scheme()

ANSWERING = [
    st.Page("pages/explore.py", title=_("Explore"), default=True),
    st.Page("pages/compare.py", title=_("Compare")),
]
PAGES = [
    *ANSWERING,
    st.Page("pages/library.py", title=_("Library")),
    st.Page("pages/train.py", title=_("Train")),
    st.Page("pages/models.py", title=_("Models")),
    st.Page("pages/benchmarks.py", title=_("Benchmarks")),
]

# Before any store is opened: writing into the mount point of a missing disk would lose the data.
check_there()
page = st.navigation(PAGES, position="top" if is_known() else "hidden")
draw_language_switch()
keep_focus()
name_tables()
follow_theme()
# Stops the run for strangers, so it comes before anything that loads or shows the product.
draw_sign_in(page)
wait(for_models=page in ANSWERING)
with first_served() if page in ANSWERING else nullcontext():
    page.run()
