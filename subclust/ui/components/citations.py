"""How a record is cited on one line, and its address on the web."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from subclust.figures.wrapping import excerpt
from subclust.ui.i18n.language import _

_MOST_AUTHORS = 3
_LONGEST = 90
"""Characters of the authors, or of the name of a journal."""

_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d{2}(?!\d)")


def cited(metadata: Mapping[str, str]) -> str:
    """Return authors, year and where it was published; of the rest, the source.

    Examples
    --------
    >>> cited({"authors": "Garfield, Eugene", "year": "1955", "venue": "Science", "volume": "122",
    ...        "issue": "3159", "pages": "108-111"})
    'Garfield, Eugene (1955), Science 122(3159), 108–111'
    """
    authors, year = _authors(metadata.get("authors", "")), metadata.get("year", "")
    if found := _YEAR.search(year):
        year = found[0]
    made = f"{authors} ({year})" if authors and year else authors or year
    return ", ".join(filter(None, (made, *_published(metadata))))


def web_address(metadata: Mapping[str, str]) -> str:
    """Return the address of a record on the web, empty where it has none."""
    url = metadata.get("url", "")
    try:
        return url if urlsplit(url).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def record_link(metadata: Mapping[str, str]) -> str:
    """Return where a record is found: its address, or that of its DOI; empty where it has none."""
    doi = metadata.get("doi", "")
    return web_address(metadata) or (f"https://doi.org/{doi}" if doi.startswith("10.") else "")


def _authors(names: str) -> str:
    """Return the first three names; a name may be "Family, Given"."""
    several = [one for one in re.split(r"\s*;\s*|\s+and\s+", names) if one]
    if len(several) == 1:
        # "Given Family, Given Family": each part has a space.
        parts = re.split(r"\s*,\s*", names)
        several = parts if all(" " in one.strip() for one in parts) else several
    if len(several) > _MOST_AUTHORS:
        first = excerpt("; ".join(several[:_MOST_AUTHORS]), _LONGEST)
        return _("{authors} et al.").format(authors=first)
    return excerpt("; ".join(several), _LONGEST)


def _published(metadata: Mapping[str, str]) -> tuple[str, ...]:
    venue = excerpt(metadata.get("venue", ""), _LONGEST)
    if not venue:
        return (metadata.get("source", ""),)
    volume, issue = metadata.get("volume", ""), metadata.get("issue", "")
    numbered = f"{volume}({issue})" if volume and issue else volume or issue
    pages = re.sub(r"(?<=\d)\s*-+\s*(?=\w)", "–", metadata.get("pages", ""))
    return " ".join(filter(None, (venue, numbered))), pages
