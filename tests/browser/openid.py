"""A provider of OpenID Connect of its own: whoever asks chooses who to be."""

import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.routing import Route
from waiting import wait_until

CLIENT, SECRET = "subclust", "the-secret-of-the-client"


class Provider:
    """Knows some people, each by claims; see OpenID Connect Core 1.0, section 3.1.

    Parameters
    ----------
    people : mapping of str to dict
        Claims by subject.
    """

    def __init__(self, people: Mapping[str, Mapping[str, Any]]) -> None:
        self.people = people
        self.url = ""
        self._key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})
        self._codes: dict[str, tuple[str, str]] = {}
        self.told: list[str] = []
        """Codes, and tokens, that it gave away."""
        self.access: dict[str, str] = {}
        """The last access token of each subject."""
        self.app = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._configuration),
                Route("/keys", self._keys),
                Route("/authorize", self._authorize),
                Route("/chosen", self._chosen),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _configuration(self, request: Request) -> JSONResponse:
        places = {
            "authorization_endpoint": "authorize",
            "token_endpoint": "token",
            "jwks_uri": "keys",
        }
        told = {name: f"{self.url}/{place}" for name, place in places.items()}
        algorithms = {"id_token_signing_alg_values_supported": ["RS256"]}
        return JSONResponse({"issuer": self.url, **told, **algorithms})

    async def _keys(self, request: Request) -> JSONResponse:
        return JSONResponse({"keys": [self._key.as_dict(private=False)]})

    async def _authorize(self, request: Request) -> HTMLResponse:
        asked = dict(request.query_params)
        assert asked["client_id"] == CLIENT and asked["response_type"] == "code"
        links = [
            f"<a href='/chosen?{urlencode({**asked, 'person': one})}'>{one}</a>"
            for one in self.people
        ]
        return HTMLResponse("<br>".join(links))

    async def _chosen(self, request: Request) -> RedirectResponse:
        asked = request.query_params
        code = secrets.token_urlsafe()
        self._codes[code] = asked["person"], asked.get("nonce", "")
        self.told += [code, asked["state"]]
        answer = {"code": code, "state": asked["state"]}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}")

    async def _token(self, request: Request) -> JSONResponse:
        async with request.form() as form:
            person, nonce = self._codes.pop(str(form["code"]))
        now = int(time.time())
        told = {"iss": self.url, "aud": CLIENT, "sub": person, "iat": now, "exp": now + 600}
        claims = {**told, "nonce": nonce, **self.people[person]}
        token, access = (
            jwt.encode({"alg": "RS256", "kid": "one"}, made, self._key)
            for made in (claims, {**claims, "nonce": "of an access token"})
        )
        self.told += [token, access]
        self.access[person] = access
        given = {"access_token": access, "id_token": token}
        return JSONResponse({**given, "token_type": "Bearer", "expires_in": 600})


@contextmanager
def provided(people: Mapping[str, Mapping[str, Any]]) -> Iterator[Provider]:
    """Serve a provider on a port of its own until the block ends."""
    provider = Provider(people)
    server = uvicorn.Server(uvicorn.Config(provider.app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    provider.url = f"http://127.0.0.1:{port}"
    try:
        yield provider
    finally:
        server.should_exit = True
        thread.join()
