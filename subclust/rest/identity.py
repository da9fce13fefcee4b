"""Who asks the API: by an access token, an OpenID Connect access token, or a proxy's header."""

import threading
import time
import tomllib
from http import HTTPStatus
from typing import Any, Optional

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
from subclust.core.exceptions import ClusterError, SettingsError, SubclustError
from subclust.core.messages import N_
from subclust.core.settings import Settings
from subclust.core.storage.presence import check_there
from subclust.core.tokens import PREFIX, TokenStore
from subclust.rest.problems import problem, status_of, told_to

_OPEN = ("/docs", "/openapi.json")
_NO_TOKEN = N_(
    "Send an access token: 'Authorization: Bearer …'. Make one under your name on any page."
)
_WRONG_TOKEN = N_("This access token is unknown, revoked or over; make another one.")

_FRESH = 3600.0
"""Seconds for which the provider's keys are not asked for again."""
_AT_LEAST = 10.0
"""Seconds between two askings, however many tokens name a key that nobody knows."""
_PATIENCE = 10.0
# No HMAC: anybody could sign with the public key as the secret.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]


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


class Provider:
    """A provider of OpenID Connect, by whose keys its tokens are checked (RFC 9068).

    Parameters
    ----------
    metadata_url : str
        Address of its configuration.
    audience : str
        For whom a token must be made.
    """

    def __init__(self, accounts: Accounts, metadata_url: str, audience: str) -> None:
        self.accounts = accounts
        self.metadata_url = metadata_url
        self.audience = audience
        self._lock = threading.Lock()
        # Not 0: the monotonic clock may itself start near 0, and the first token must ask.
        self._asked = -_FRESH
        self._issuer = ""
        self._keys: Any = {"keys": []}

    @classmethod
    def of(cls, accounts: Accounts) -> Optional["Provider"]:
        """Return the provider of the accounts; None where a proxy signs people in."""
        if accounts.header is not None or accounts.file is None:
            return None
        auth = tomllib.loads(accounts.file.read_text(encoding="utf-8"))["auth"]
        audience = auth.get("api_audience") or auth["client_id"]
        return cls(accounts, auth["server_metadata_url"], audience)

    def person_of(self, token: str) -> Person | None:
        """Return for whom a token was made; None where it is over or another's.

        Raises
        ------
        ClusterError
            If the provider does not answer.
        """
        try:
            from joserfc import jwt
            from joserfc.errors import JoseError
            from joserfc.jwk import KeySet
        except ImportError as error:
            raise SettingsError(
                "Tokens of OpenID Connect take pip install 'subclust[accounts]'."
            ) from error
        for keys_may_be_old in (True, False):
            issuer, keys = self._configuration(anew=not keys_may_be_old)
            try:
                claims = jwt.decode(token, KeySet.import_key_set(keys), _ALGORITHMS).claims
                rules = jwt.JWTClaimsRegistry(
                    # The clocks of two machines differ.
                    leeway=60,
                    iss={"essential": True, "value": issuer},
                    aud={"essential": True, "value": self.audience},
                    exp={"essential": True},
                )
                rules.validate(claims)
            except (JoseError, ValueError):
                continue  # the provider may have other keys by now
            return self.accounts.person_of(claims)
        return None

    def _configuration(self, *, anew: bool) -> tuple[str, Any]:
        """Return issuer and keys, those of before for an hour, or for some seconds if `anew`."""
        import httpx2

        with self._lock:
            now = time.monotonic()
            if now - self._asked > (_AT_LEAST if anew else _FRESH):
                try:
                    told = (
                        httpx2.get(self.metadata_url, timeout=_PATIENCE).raise_for_status().json()
                    )
                    keys = httpx2.get(told["jwks_uri"], timeout=_PATIENCE).raise_for_status().json()
                except (httpx2.HTTPError, ValueError, KeyError) as error:
                    raise ClusterError(
                        "The provider of OpenID Connect does not answer; try again in a moment."
                    ) from error
                self._asked, self._issuer, self._keys = now, told["issuer"], keys
            return self._issuer, self._keys
