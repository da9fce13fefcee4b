"""Which requests of a page stay on this machine."""

from urllib.parse import urlsplit

SCHEMES = {"about", "blob", "data", "file"}
HOSTS = {"127.0.0.1", "localhost"}


def outside(requests):
    """Give the addresses that are not of this machine."""
    told = [(url, urlsplit(url)) for url in requests]
    return [
        url for url, parts in told if parts.scheme not in SCHEMES and parts.hostname not in HOSTS
    ]
