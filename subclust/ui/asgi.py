"""The app as a web server, as ``python -m subclust serve`` runs it: behind its door."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount

from subclust.core.settings import Settings
from subclust.serving import guards
from subclust.serving.health import health_routes, serve_metrics
from subclust.serving.page_head import PageHead
from subclust.serving.search_engine import description_route
from subclust.serving.visitor import VisitorCookie
from subclust.ui import starting
from subclust.ui.sign_in import held_uploads, require_sign_in

HERE = Path(__file__)

settings = Settings.from_environment()
accounts = guards.begin(settings)
# After `begin`, which treats every request as a stranger's; pages look up who signed in.
require_sign_in(accounts)
routes: list[BaseRoute] = [*health_routes(settings, starting.is_ready), description_route()]
if settings.api:
    # Whoever serves pages alone does not wait for it at the start.
    from subclust.rest.application import PREFIX, application

    routes.append(Mount(PREFIX, application(settings, accounts)))

app = st.App(
    HERE.with_name("app.py"),
    routes=routes,
    on_script_error=starting.show_fault,
    middleware=[
        *guards.middleware(settings, accounts, held_uploads),
        Middleware(VisitorCookie),
        Middleware(PageHead, style=HERE.with_name("style.css").read_bytes()),
    ],
)
serve_metrics(settings)

starting.begin(settings)
