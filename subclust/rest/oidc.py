"""Access tokens of the OpenID Connect provider that people sign in at."""

import threading
import time
import tomllib
from typing import Any, Optional

from subclust.core.access import Person
from subclust.core.accounts import Accounts
from subclust.core.exceptions import ClusterError, SettingsError

_FRESH = 3600.0
"""Seconds for which the provider's keys are not asked for again."""

_AT_LEAST = 10.0
"""Seconds between two askings, however many tokens name a key that nobody knows."""

_PATIENCE = 10.0
# No HMAC: anybody could sign with the public key as the secret.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]


class Provider:
    """A provider of OpenID Connect, by whose keys its tokens are checked (RFC 9068).

    Parameters
    ----------
    accounts : Accounts
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
