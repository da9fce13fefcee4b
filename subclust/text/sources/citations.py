"""Where an article was published, in one line: taken apart into journal, volume, pages and year."""

import re

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter)"
_YEAR = r"(?:1[5-9]|20)\d\d"
_WORDS = rf"(?:{_MONTH}[a-z]*\.?(?:[-/]{_MONTH}[a-z]*\.?)?|\d{{1,2}}(?:st|nd|rd|th)?,?)"
_DATE = rf"(?P<date>(?:{_WORDS}\s+)*{_YEAR}(?:[ -]+{_WORDS}|[-/]\d+)*)"
_VOLUME = (
    r"(?:(?:Vol(?:ume)?\.?\s*)?(?P<volume>[A-Za-z]{0,3}\.?\d[\w./-]*)\s*"
    r"(?:\((?P<issue>(?!pp?\b)[^()]{1,40})\))?)?"
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
_PAGES = r"[A-Za-z]{0,3}\d+[A-Za-z]?(?:\s*[-–—]+\s*[A-Za-z]{0,3}\d+[A-Za-z]?)?"
_PATTERNS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        # Weaving (2019) 8:1 (1-9). Date of Publication: 1 May 2019
        rf"(?P<venue>[^()]+?(?:\([^()\d]*\))?)\s*\((?P<year>{_YEAR})\)\s*(?P<volume>[\w. -]+?)?\s*"
        rf"(?::\s*(?P<issue>[^\s(]+(?:\s[A-Z]\w*)*))?\s*(?:\((?P<pages>[^()]*)\))?"
        r"(?:[.,;]?\s*Article Number:\s*(?P<article_number>\w+))?"
        r"(?:[.,;]?\s*Date of Publication:\s*(?P<date>[^.]+))?\.?\s*",
        # Weaving. 2019 May 3;8(1):1-9. doi: 10.1234/abc
        rf"(?P<venue>.+?)\.\s*(?P<date>(?P<year>{_YEAR})[^;:]{{0,20}}?)\s*;\s*"
        r"(?P<volume>[^():;]+)?(?:\((?P<issue>[^()]+)\))?"
        rf"(?::\s*(?P<pages>{_PAGES}))?(?:[.;:]?\s.*?doi:\s*(?P<doi>10\.\S+?))?(?:\.?\s.*|\.?)",
        # Weaving 8(1), 1-9 (2019)
        rf"(?P<venue>.+?)[.,;]?\s+(?P<volume>\d+)\s*(?:\((?P<issue>[^()]+)\))?\s*[,:]\s*"
        rf"(?P<pages>{_PAGES})\s*\((?P<year>{_YEAR})\)\.?",
        # Weaving 8 (2019) 1, S. 1-9
        rf"(?P<venue>.+?)[.,;]?\s+(?:(?:vol|bd|jg)\.?\s*)?(?P<volume>\d+)\s*\((?P<year>{_YEAR})\)"
        r"\s*[,.:;]?\s*(?:(?:Heft|H|Nr|no|issue)\.?\s*)?(?P<issue>\d+)?\s*[,.:;]?\s*"
        rf"(?:(?:Seiten?|S|pp?)\.?\s*(?P<pages>{_PAGES}))?\.?",
    )
)
_PARTS = {
    "volume": re.compile(r"\b(?:vol(?:ume)?|bd|band|jg|jahrgang|tome)\b\.?\s*(\w+)", re.I),
    "issue": re.compile(r"(?:\b(?:no|nr|issue|iss|heft|h|num[ée]ro)\b|\bn[º°])\.?\s*(\w+)", re.I),
    "pages": re.compile(rf"(?:\b(?:pp?|pages?|s|seiten?)\b\.?|\bp(?=\d)|\):)\s*({_PAGES})", re.I),
    "year": re.compile(rf"(?<!\d)({_YEAR})(?!\d)"),
}
# The expressions take quadratic time on long texts.
_LONGEST = 500
"""Characters of a citation that is taken apart."""

_END_OF_VENUE = re.compile(
    r"\s*[.,;(]\s*(?=\S*\d|(?:vol|bd|band|jg|jahrgang|tome|no|nr|issue|heft)\b)|\s+(?=vol\b)", re.I
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
    forms = _FORMS if len(text) <= _LONGEST else ()
    found = next((match for form in forms if (match := form.match(text))), None)
    if found is None:
        return {"venue": text.rstrip(".")}
    parts = {name: (value or "").strip(" .,") for name, value in found.groupdict().items()}
    pages = parts.get("pages") or parts.get("in_brackets") or parts["behind"]
    return {
        "venue": parts["venue"],
        "volume": parts["volume"],
        "issue": parts["issue"],
        "pages": re.sub(r"(?:(?<!\s)\s+)?[-–]\s*", "-", pages),
        "year": parts["date"],
    }


def take_apart(citation: str) -> dict[str, str]:
    """Return the fields that a citation in one line names.

    Parameters
    ----------
    citation : str
        As Embase, PubMed, Ovid, EBSCO and German catalogues write it.

    Returns
    -------
    dict of str to str
        Venue and what else is there; empty where it is no citation.

    Examples
    --------
    >>> take_apart("Weaving (2019) 8:1 (1-9)")
    {'venue': 'Weaving', 'year': '2019', 'volume': '8', 'issue': '1', 'pages': '1-9'}
    """
    line = " ".join(citation.split())
    if len(line) > _LONGEST or not re.search(r"\d", line):
        return {}
    named = {name: found[1] for name, one in _PARTS.items() if (found := one.search(line))}
    if named.keys() & {"volume", "issue"}:
        venue = _END_OF_VENUE.split(line, maxsplit=1)[0].strip(" .,;")
        return {"venue": venue, **named} if venue else {}
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(line):
            parts = {
                name: value.strip(" .,;") for name, value in found.groupdict().items() if value
            }
            return {name: value for name, value in parts.items() if value}
    parts = {name: value for name, value in published(line).items() if value}
    if parts.keys() > {"venue", "year", "volume"} or parts.keys() > {"venue", "year", "issue"}:
        return parts
    return {}
