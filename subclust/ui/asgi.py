"""The app as a web server, as ``python -m subclust serve`` runs it: behind its door."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from subclust.core.settings import Settings
from subclust.core.storage.disk import forbid_changes
from subclust.ui import starting
from subclust.ui.door import MOST_UPLOADED, Door, VisitorCookie

settings = Settings.from_environment()
if settings.read_only:
    forbid_changes()

app = st.App(
    Path(__file__).with_name("app.py"),
    middleware=[
        Middleware(
            Door,
            hosts=settings.hosts,
            embed_in=settings.embed_in,
            most_uploaded=0 if settings.read_only else MOST_UPLOADED,
        ),
        Middleware(VisitorCookie),
    ],
)

starting.begin(settings)
