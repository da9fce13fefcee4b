"""What stands before pages and API alike, whichever of them a server serves."""

from starlette.middleware import Middleware

from subclust import __version__
from subclust.core import logs
from subclust.core.access import forbid_changes
from subclust.core.accounts import Accounts
from subclust.core.rates import RateLimit, bearer_or_address
from subclust.core.settings import Settings
from subclust.core.storage.version import check_version
from subclust.ui.door import MOST_UPLOADED, Door
from subclust.ui.health import CountedResponses
from subclust.ui.request_log import RequestLog
from subclust.ui.sign_in import TrustedProxies, is_signing_in, require_sign_in


def begin(settings: Settings) -> Accounts | None:
    """Have this process keep to the settings, and return the accounts that they name.

    Raises
    ------
    SettingsError
        If the data folder is of a newer version, or the accounts cannot be used.
    """
    logs.begin(settings.log)
    check_version(settings.data_dir, __version__)
    if settings.read_only:
        forbid_changes()
    return require_sign_in(settings)


def middleware(settings: Settings, accounts: Accounts | None) -> list[Middleware]:
    """Return what every request passes, in order."""
    passed = [
        Middleware(RequestLog),
        Middleware(CountedResponses),
        Middleware(
            Door,
            hosts=settings.hosts,
            embed_in=settings.embed_in,
            api_origins=settings.api_origins,
            most_uploaded=0 if settings.read_only else MOST_UPLOADED,
        ),
    ]
    if accounts is not None:
        passed += [
            Middleware(RateLimit, per_minute=30, burst=30, applies=is_signing_in),
            Middleware(RateLimit, per_minute=3000, burst=1000, applies=_is_api),
            Middleware(
                RateLimit, per_minute=600, burst=300, applies=_is_api, key=bearer_or_address
            ),
        ]
    if accounts is not None and accounts.header is not None:
        header = accounts.header
        passed.append(Middleware(TrustedProxies, name=header.name, proxies=header.proxies))
    return passed


def _is_api(path: str) -> bool:
    return "/api/" in path
