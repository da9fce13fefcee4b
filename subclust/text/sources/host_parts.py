"""Volume, issue and pages, as catalogues write them in one line."""

import re

_CODED = re.compile(r"(volume|number|pages|year|month|day|extent|supplement):\s*(\S.*)")
_NUMBER = r"([\w/.–-]*\d[\w/–-]*|[IVXLC]+\b)"
_VOLUME = re.compile(
    rf"\b(?:volume|vol|v|bd|band|jg|jahrg|jahrgang|tome|t|tom|tomo|ročník|roč)\b\.?\s*(?::\s*)?{_NUMBER}",
    re.IGNORECASE,
)
_ISSUE = re.compile(
    r"(?:\b(?:number|num|no|nr|nos|issue|iss|heft|h|fasc|fascicule|číslo|č)\b\.?|\bn[°º]\.?|№)"
    rf"\s*(?::\s*)?{_NUMBER}",
    re.IGNORECASE,
)
_RANGE = r"([A-Za-z]{0,2}\d+(?:\s*[-–]\s*[A-Za-z]{0,2}\d+)?)"
_PAGES = re.compile(
    rf"\b(?:pages?|pp?|seiten?|s|str|pág|págs|pag)\b\.?\s*(?::\s*)?{_RANGE}", re.IGNORECASE
)
_SPAN = re.compile(r"(?:[,:;]\s*|(?<!\s)\s+)([A-Za-z]?\d+\s*[-–]\s*[A-Za-z]?\d+)\s*\.?$")
_BARE = re.compile(
    r"(?P<volume>\d+[A-Za-z]?)\s*"
    r"(?:\((?:[^()]*\b(?:1[5-9]|20)\d\d)\)\s*[,:/]?\s*(?P<after>\d{1,4}(?:[-/]\d+)?)?(?![\d–-])"
    r"|\.\s?(?:1[5-9]|20)\d\d(?:\s*,\s*(?P<dotted>\d{1,4})(?![\d–-]))?"
    r"|\((?P<within>\d{1,3}(?:[-/]\d+)?)\)|[:.](?P<point>\d{1,4})(?![\d–-])|(?=[,;<]|$))"
)
_COUNTED = re.compile(r"(?P<volume>[^:<]*)(?::(?P<issue>[^:<]*))?(?::[^<]*)?(?:<(?P<pages>.+))?")


def parts_of_host(*lines: str, counted: str = "") -> dict[str, str]:
    """Return volume, issue and pages of what a record stands in.

    Parameters
    ----------
    *lines : str
        In words of some languages, in numbers alone, or coded, as ``"volume:9"``.
    counted : str
        As MARC 21 counts them in 773 $q: ``"9:38<24590"``.

    Examples
    --------
    >>> parts_of_host("Bd. 12 (2018), Heft 3, S. 101-120")
    {'volume': '12', 'issue': '3', 'pages': '101-120'}
    >>> parts_of_host("volume:9", "number:38", counted="9:38<24590")
    {'volume': '9', 'issue': '38', 'pages': '24590'}
    """
    parts: dict[str, str] = {}
    for line in lines:
        if coded := _CODED.fullmatch(line):
            name = {"number": "issue"}.get(coded[1], coded[1])
            if name in ("volume", "issue", "pages"):
                parts.setdefault(name, coded[2])
            continue
        for name, value in _in_words(line).items():
            parts.setdefault(name, value)
    if counted and (found := _COUNTED.fullmatch(counted)):
        for name, value in found.groupdict().items():
            if value and value.strip():
                parts.setdefault(name, value.strip())
    return {name: parts[name] for name in ("volume", "issue", "pages") if name in parts}


def is_part_known(line: str) -> bool:
    """Return whether all that a line tells is taken from it."""
    return bool(_CODED.fullmatch(line) or _in_words(line))


def _in_words(line: str) -> dict[str, str]:
    parts = {}
    named = (("volume", _VOLUME), ("issue", _ISSUE), ("pages", _PAGES))
    for name, pattern in named:
        if found := pattern.search(line):
            parts[name] = found[1]
    if "volume" not in parts and (bare := _BARE.match(line)) and not _is_year(bare["volume"]):
        parts["volume"] = bare["volume"]
        issue = next(
            (bare[name] for name in ("after", "dotted", "within", "point") if bare[name]), ""
        )
        if issue and "issue" not in parts and (issue != parts.get("pages")):
            parts["issue"] = issue
    if "pages" not in parts and parts and (span := _SPAN.search(line)):
        parts["pages"] = span[1]
    return {name: re.sub(r"\s*–\s*", "-", value).strip(".-") for name, value in parts.items()}


def _is_year(number: str) -> bool:
    return len(number) == 4 and number[:2] in ("17", "18", "19", "20")
