"""The API as an ASGI application."""

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import HTMLResponse

from subclust import __version__
from subclust.core.accounts import Accounts
from subclust.core.settings import Settings
from subclust.rest import kept, libraries, searching, work
from subclust.rest.body_limit import BodyLimit
from subclust.rest.engine import Engine
from subclust.rest.identity import Identify
from subclust.rest.problems import MEDIA_TYPE, Problem, add_handlers
from subclust.rest.reference import reference_page

PREFIX = "/api/v1"
"""Where the application is mounted."""

_ABOUT = (
    "Questions to libraries of passages, answered in named groups. What comes back is what the "
    "commands print with `--json`. Errors are RFC 9457 problems; long work is answered with 202 "
    "and done in the background, see `GET /jobs/{id}`."
)


def application(settings: Settings, accounts: Accounts | None = None) -> FastAPI:
    """Return the API over the data of some settings.

    Parameters
    ----------
    settings : Settings
    accounts : Accounts, optional
        Without them whoever reaches it may do everything, as on the pages.
    """
    middleware = [
        Middleware(Identify, settings=settings, accounts=accounts),
        Middleware(BodyLimit),
    ]
    if settings.api_origins:
        # Outermost, since a browser's preflight carries no token and `Identify` would reject it.
        middleware.insert(
            0,
            Middleware(
                CORSMiddleware,
                allow_origins=settings.api_origins,
                allow_methods=["GET", "POST", "PATCH", "DELETE"],
                allow_headers=["Authorization", "Content-Type"],
            ),
        )
    app = FastAPI(
        title="Subclust",
        version=__version__,
        description=_ABOUT,
        # FastAPI's own documentation pages load scripts from a CDN; `/docs` below does not.
        docs_url=None,
        redoc_url=None,
        middleware=middleware,
        servers=[{"url": PREFIX}],
        responses={
            "4XX": {
                "description": "The request cannot be met; `detail` says why.",
                "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
            }
        },
    )
    add_handlers(app)
    engine = Engine(settings)
    app.include_router(searching.routes(engine))
    app.include_router(libraries.routes(settings))
    app.include_router(work.routes(settings))
    app.include_router(kept.routes(engine))

    @app.get("/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        """Return the page that describes every address."""
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        headers = {"Content-Security-Policy": policy}
        return HTMLResponse(reference_page(app.openapi()), headers=headers)

    return app
