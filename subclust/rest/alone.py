"""The API as a web server of its own, as ``python -m subclust serve-api`` runs it."""

import threading

from starlette.applications import Starlette
from starlette.routing import Mount

from subclust.core.settings import Settings
from subclust.rest.application import PREFIX, application
from subclust.rest.engine import Engine
from subclust.serving import guards
from subclust.serving.health import health_routes, serve_metrics

settings = Settings.from_environment()
accounts = guards.begin(settings)
is_ready = threading.Event()
app = Starlette(
    routes=[
        *health_routes(settings, is_ready.is_set),
        Mount(PREFIX, application(settings, accounts)),
    ],
    middleware=guards.middleware(settings, accounts),
)
serve_metrics(settings)


def _load() -> None:
    Engine(settings).load()
    is_ready.set()


# In the background, so that health checks are answered while models load.
threading.Thread(target=_load, daemon=True).start()
