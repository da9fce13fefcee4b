"""Where an article was published, in one line: taken apart into journal, volume, pages and year."""

import re

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter)"
_YEAR = r"(?:1[5-9]|20)\d\d"
_WORDS = rf"(?:{_MONTH}[a-z]*\.?(?:[-/ ]{_MONTH}[a-z]*\.?)?|\d{{1,2}}(?:st|nd|rd|th)?,?)"
_DATE = rf"(?P<date>(?:{_WORDS}\s+)*{_YEAR}(?:[ -]+{_WORDS}|[-/]\d+)*)"
_VOLUME = (
    r"(?:(?:Vol(?:ume)?\.?\s*)?(?P<volume>[A-Za-z]{0,3}\.?\d[\w./-]*)\s*)?"
    r"(?:\((?P<issue>(?!pp?\b)[^()]{1,40})\))?"
)
_VENUE = r"(?P<venue>\S.*?)[.,]?\s+"
_SPAN = r"[A-Za-z]{0,3}\d[\w.]*(?:\s*[-–]\s*[A-Za-z]{0,3}\d[\w.]*)?"
_SPANS = rf"{_SPAN}(?:,\s*{_SPAN})*"
_BEFORE = rf"(?:\s*:\s*(?:pp?\.?\s*)?(?P<pages>{_SPANS})|\s*\(pp?\.?\s*(?P<in_brackets>[^()]+)\))?"
_AFTER = rf"(?:\s*[,:]\s*(?:pp?\.?|Art\w*\.?)?\s*(?P<behind>{_SPANS})(?=[.,;\s]|$))?"
_FORMS = (
    # Journal. 8(6):1048-64, 2015 Jun. | Journal. 8 (6) (pp 1048-1064), 2015.
    # Journal. Vol.8(6), Jun 2015, pp. 1048-1064.
    re.compile(rf"{_VENUE}{_VOLUME}{_BEFORE}\s*[,.;]\s*{_DATE}{_AFTER}"),
    # Journal. 2015 Jun;8(6):1048-64. | Journal June 2015;8(6):1048-64
    re.compile(rf"{_VENUE}{_DATE}(?:\s*;\s*{_VOLUME})?{_AFTER}"),
)


def published(citation: str) -> dict[str, str]:
    """Return journal, volume, issue, pages and date of a citation, as far as it tells them.

    Parameters
    ----------
    citation : str
        As Ovid, PsycINFO, Embase or PubMed write it.

    Examples
    --------
    >>> published("Lantern Review. 8(6):1048-64, 2015 Jun.")["pages"]
    '1048-64'
    >>> published("Lantern Review June 2015;8(6):688-696")["venue"]
    'Lantern Review'
    """
    text = " ".join(citation.split())
    found = next((match for form in _FORMS if (match := form.match(text))), None)
    if found is None:
        return {"venue": text.rstrip(".")}
    parts = {name: (value or "").strip(" .,") for name, value in found.groupdict().items()}
    pages = parts.get("pages") or parts.get("in_brackets") or parts["behind"]
    return {
        "venue": parts["venue"],
        "volume": parts["volume"],
        "issue": parts["issue"],
        "pages": re.sub(r"\s*[-–]\s*", "-", pages),
        "year": parts["date"],
    }
