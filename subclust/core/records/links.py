"""Where a record is found on the web."""

from collections.abc import Mapping
from urllib.parse import quote, urlsplit


def is_web_address(text: str) -> bool:
    """Return whether a text is an address that a browser may be sent to: only http and https."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    printable = text.isprintable() and " " not in text
    return printable and parts.scheme in {"http", "https"} and bool(parts.netloc)


def web_address(metadata: Mapping[str, str]) -> str:
    """Return the address of a record on the web, empty where it has none."""
    url = metadata.get("url", "")
    return url if is_web_address(url) else ""


def record_link(metadata: Mapping[str, str]) -> str:
    """Return where a record is found: its address, or that of its DOI; empty where it has none."""
    doi = metadata.get("doi", "")
    # Whatever stands in a DOI stays within its path.
    resolver = f"https://doi.org/{quote(doi, safe='/:;')}" if doi.startswith("10.") else ""
    return web_address(metadata) or resolver
