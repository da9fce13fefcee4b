"""The app as a web server, as ``python -m subclust serve`` runs it: behind its door."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from subclust.settings import Settings
from subclust.ui.door import Door
from subclust.ui.visitor import VisitorCookie

settings = Settings.from_environment()

app = st.App(
    Path(__file__).with_name("app.py"),
    middleware=[
        Middleware(Door, hosts=settings.hosts, embed_in=settings.embed_in),
        Middleware(VisitorCookie),
    ],
)
