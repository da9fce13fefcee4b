"""Who asks the API: by an access token, an OpenID Connect access token, or a proxy's header."""

from http import HTTPStatus
from typing import Any

from anyio import to_thread
from fastapi import Depends
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from subclust.core.access import (
    LOCAL,
    STRANGER,
    Person,
    Role,
    Thing,
    acting_as,
    check_may_change,
    may_change,
)
from subclust.core.accounts import Accounts
from subclust.core.exceptions import SubclustError
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.core.storage.presence import check_there
from subclust.core.tokens import PREFIX, TokenStore
from subclust.rest.oidc import Provider
from subclust.rest.problems import problem, status_of, told_to

_OPEN = ("/docs", "/openapi.json")

_NO_TOKEN = N_(
    "Send an access token: 'Authorization: Bearer …'. Make one under your name on any page."
)
_WRONG_TOKEN = N_("This access token is unknown, revoked or over; make another one.")


def takes(thing: Thing) -> Any:
    """Return a dependency that refuses whoever may not change a thing of some kind.

    Stores ask again; with it the refusal comes before all that is wrong with the request.
    """

    def check() -> None:
        if not may_change(thing):
            check_may_change(thing)

    return Depends(check)


class Identify:
    """ASGI middleware: has the person act who asks, and refuses strangers.

    Without accounts whoever reaches the server acts, as on the pages; a token that is sent is
    looked at all the same.

    Parameters
    ----------
    app : ASGI application
    settings : Settings
    accounts : Accounts, optional
    """

    def __init__(self, app: ASGIApp, settings: Settings, accounts: Accounts | None) -> None:
        self.app = app
        self.accounts = accounts
        self.tokens = TokenStore(settings.tokens_dir, accounts)
        self.provider = Provider.of(accounts) if accounts is not None else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            check_there()
            # Reads token files and may ask the provider: nothing for the event loop.
            person = await to_thread.run_sync(self._person, headers)
        except SubclustError as error:
            detail = told_to(headers, error.sentence)
            await problem(status_of(error), detail)(scope, receive, send)
            return
        is_open = scope["path"].removeprefix(scope.get("root_path", "")) in _OPEN
        if person is None or (person.role is Role.NOBODY and not is_open):
            detail = told_to(headers, _WRONG_TOKEN if person is None else _NO_TOKEN)
            challenge = {"WWW-Authenticate": "Bearer"}
            await problem(HTTPStatus.UNAUTHORIZED, detail, challenge)(scope, receive, send)
            return
        with acting_as(person):
            await self.app(scope, receive, send)

    def _person(self, headers: Headers) -> Person | None:
        """Return who asks; None where what they show is worth nothing."""
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            token = token.strip()
            if token.startswith(PREFIX) or self.provider is None:
                return self.tokens.person_of(token)
            return self.provider.person_of(token)
        if self.accounts is None:
            return LOCAL
        if self.accounts.header is not None:
            return self.accounts.person(headers.get(self.accounts.header.name, ""))
        return STRANGER
