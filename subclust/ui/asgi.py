"""The app as a web server, as ``python -m subclust serve`` runs it: behind its door."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount

from subclust.core.settings import Settings
from subclust.ui import guards, starting
from subclust.ui.door import VisitorCookie
from subclust.ui.health import health_routes, serve_metrics
from subclust.ui.page_head import PageHead
from subclust.ui.search_engine import description_route

settings = Settings.from_environment()
accounts = guards.begin(settings)
routes: list[BaseRoute] = [*health_routes(settings, starting.is_ready), description_route()]
if settings.api:
    # Whoever serves pages alone does not wait for it at the start.
    from subclust.rest.application import PREFIX, application

    routes.append(Mount(PREFIX, application(settings, accounts)))

app = st.App(
    Path(__file__).with_name("app.py"),
    routes=routes,
    middleware=[
        *guards.middleware(settings, accounts),
        Middleware(VisitorCookie),
        Middleware(PageHead),
    ],
)
serve_metrics(settings)

starting.begin(settings)
