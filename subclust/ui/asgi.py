"""The app as a web server, as ``python -m subclust serve`` runs it: behind its door."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from subclust import __version__
from subclust.core import logs
from subclust.core.access import forbid_changes
from subclust.core.settings import Settings
from subclust.core.storage.version import check_version
from subclust.ui import starting
from subclust.ui.door import MOST_UPLOADED, Door, VisitorCookie
from subclust.ui.health import CountedResponses, health_routes, serve_metrics
from subclust.ui.request_log import RequestLog
from subclust.ui.search_engine import SearchLink, description_route
from subclust.ui.sign_in import TrustedProxies, require_sign_in

settings = Settings.from_environment()
logs.begin(settings.log)
check_version(settings.data_dir, __version__)
if settings.read_only:
    forbid_changes()
accounts = require_sign_in(settings)

middleware = [
    Middleware(RequestLog),
    Middleware(CountedResponses),
    Middleware(
        Door,
        hosts=settings.hosts,
        embed_in=settings.embed_in,
        most_uploaded=0 if settings.read_only else MOST_UPLOADED,
    ),
    Middleware(VisitorCookie),
    Middleware(SearchLink),
]
if accounts is not None and accounts.header is not None:
    header = accounts.header
    middleware.append(Middleware(TrustedProxies, name=header.name, proxies=header.proxies))

app = st.App(
    Path(__file__).with_name("app.py"),
    routes=[*health_routes(settings), description_route()],
    middleware=middleware,
)
serve_metrics(settings)

starting.begin(settings)
