"""The app: its pages and what they share. Start it with ``make run``."""

from pathlib import Path

import streamlit as st

IMAGES = Path(__file__).parent / ".streamlit"

st.set_page_config(page_title="Subclust", page_icon=str(IMAGES / "icon.png"), layout="wide")
st.logo(IMAGES / "logo.svg", size="large")

PAGES = [
    st.Page("pages/explore.py", title="Explore", default=True),
    st.Page("pages/train.py", title="Train"),
    st.Page("pages/models.py", title="Models"),
    st.Page("pages/benchmarks.py", title="Benchmarks"),
]

st.navigation(PAGES, position="top").run()
