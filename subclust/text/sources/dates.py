"""Years and dates as records write them, in some twenty ways."""

import re
from datetime import date, timedelta
from functools import lru_cache

_YEAR = r"(?:1[0-9]|20)[0-9]{2}"
_ISO = re.compile(
    rf"({_YEAR})[-/.](0?[1-9]|1[0-2])(?:[-/.](0?[1-9]|[12][0-9]|3[01]))?(?![0-9])[-/T ]?"
)
_DIGITS = re.compile(rf"({_YEAR})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])")
_ALONE = re.compile(rf"(?<![0-9]){_YEAR}(?![0-9])")
_BRACKETED = re.compile(rf"\[({_YEAR})\]")
_SERIAL = re.compile(r"([1-6][0-9]{4})(?:\.[0-9]+)?")
_FIRST_DAY = date(1899, 12, 30)
"""Day 0 of spreadsheets."""

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero gennaio", "feb february februar février febrero",
            "mar march märz mars marzo", "apr april avril abril aprile", "may mai mayo maggio",
            "jun june juni juin junio giugno", "jul july juli juillet julio luglio",
            "aug august août agosto", "sep sept september septembre septiembre settembre",
            "oct october oktober okt octobre octubre ottobre",
            "nov november novembre noviembre", "dec december dezember dez décembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")


@lru_cache(4096)
def read_date(given: str) -> str:
    """Read a date as exactly as it is said.

    Parameters
    ----------
    given : str
        ISO 8601 or without its hyphens, with slashes or points from the year down, in words of
        English, German, French, Spanish or Italian, with doubts in brackets, a range, of which the
        beginning counts, or the serial day of a spreadsheet. Of days and months in numbers alone
        (03/05/2019) only the year is known.

    Returns
    -------
    str
        ``"2019-05-03"``, ``"2019-05"`` or ``"2019"``; empty where no year is said.

    Examples
    --------
    >>> [read_date(one) for one in ("3 May 2019", "2019/5", "[c2019?]", "43588", "n.d.")]
    ['2019-05-03', '2019-05', '2019', '2019-05-03', '']
    """
    text = given.strip()
    if len(text) == 4 and _ALONE.fullmatch(text):
        return text
    if found := _ISO.match(text) or _DIGITS.fullmatch(text):
        return "-".join([found[1], *(f"{int(part):02d}" for part in found.groups()[1:] if part)])
    if found := _SERIAL.fullmatch(text):
        return (_FIRST_DAY + timedelta(days=int(found[1]))).isoformat()
    found = _BRACKETED.search(text) or _ALONE.search(text)
    if found is None:
        return ""
    year = found[1] if found.re is _BRACKETED else found[0]
    return "-".join([year, *_month_and_day(text, year)])


def _month_and_day(text: str, year: str) -> list[str]:
    """Return the month in words, and the day if one stands beside it."""
    words = [word.casefold() for word in _WORDS.findall(text)]
    months = [(at, _MONTHS[word]) for at, word in enumerate(words) if word in _MONTHS]
    if len(months) != 1 or words.count(year) != 1:
        return []
    at, month = months[0]
    beside = words[max(0, at - 1) : at] + words[at + 1 : at + 2]
    days = [int(word) for word in beside if word.isdecimal() and len(word) < 3]
    parts = [month, *(day for day in days if 1 <= day <= 31)]
    return [f"{part:02d}" for part in parts[:2]] if len(days) < 2 else [f"{month:02d}"]
