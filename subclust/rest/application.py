"""The API as an ASGI application."""

import re
from http import HTTPStatus

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from subclust import __version__
from subclust.core.accounts import Accounts
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.rest import kept, libraries, searching, work
from subclust.rest.engine import Engine
from subclust.rest.identity import Identify
from subclust.rest.problems import MEDIA_TYPE, Problem, add_handlers, problem, told_to
from subclust.rest.reference import reference_page

PREFIX = "/api/v1"
"""Where the application is mounted."""
_ABOUT = (
    "Questions to libraries of passages, answered in named groups. What comes back is what the "
    "commands print with `--json`. Errors are RFC 9457 problems; long work is answered with 202 "
    "and done in the background, see `GET /jobs/{id}`."
)

MOST_BYTES = 1 << 20
_FILES = re.compile(r"/libraries/[^/]+/imports|/sets")
_TOO_LONG = N_("The body of this request is too long; it may have 1 MB.")


def application(settings: Settings, accounts: Accounts | None = None) -> FastAPI:
    """Return the API over the data of some settings.

    Parameters
    ----------
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


class BodyLimit:
    """ASGI middleware: refuses bodies that would fill the memory, whatever size they claim.

    Files go to the disk piece by piece, and have limits of their own.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or _takes_a_file(scope):
            await self.app(scope, receive, send)
            return
        body, more = b"", True
        headers = Headers(scope=scope)
        claimed = headers.get("content-length", "0")
        # `int` raises for thousands of digits, and twelve are enough to be too many.
        is_short = claimed.isdecimal() and int(claimed[:12]) <= MOST_BYTES
        while is_short and more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            is_short = len(body) <= MOST_BYTES
        if not is_short:
            # The rest of the body stays unread, so the connection cannot carry another request.
            told, close = told_to(headers, _TOO_LONG), {"Connection": "close"}
            refusal = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told, close)
            await refusal(scope, receive, send)
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                # Later calls are how an application notices that the client has gone.
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, again, send)


def _takes_a_file(scope: Scope) -> bool:
    """Return whether a request is for an address that takes a file, and not for one that ends so.

    A library may be called "imports".
    """
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    return scope["method"] == "POST" and _FILES.fullmatch(path) is not None
