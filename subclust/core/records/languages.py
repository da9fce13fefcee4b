"""Languages of records by one code each, however they are written."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

_BIBLIOGRAPHIC = {
    "sq": "alb", "hy": "arm", "eu": "baq", "my": "bur", "zh": "chi", "cs": "cze", "nl": "dut",
    "fr": "fre", "ka": "geo", "de": "ger", "el": "gre", "is": "ice", "mk": "mac", "ms": "may",
    "mi": "mao", "fa": "per", "ro": "rum", "sk": "slo", "bo": "tib", "cy": "wel", "sr": "srp",
    "hr": "hrv", "et": "est", "mn": "mon", "sa": "san", "om": "orm", "ku": "kur", "ps": "pus",
    "yi": "yid",
}  # fmt: skip
"""Where there are several codes of three letters, that of libraries."""

_NAMED_IN = ("en", "de", "fr", "es", "it", "pt", "nl")
_UNKNOWN = frozenset({"und", "undetermined", "zxx", "unknown", "|||"})
_MOST_NAMED = 4
# The look-behind tries a run of blanks from its first one only; without it, time is quadratic.
_PARTS = re.compile(r"(?:(?<!\s)\s+)?(?:[;,/|]|\band\b|\bund\b|\bet\b)\s*")


def language_codes(given: str) -> list[str]:
    """Return the languages that a record says, as ISO 639-2 codes of libraries (MARC's).

    What is no known code or name is kept as it is.

    >>> language_codes("English"), language_codes("de-AT; fra"), language_codes("engfreger")
    (['eng'], ['ger', 'fre'], ['eng', 'fre', 'ger'])
    """
    return list(_codes_in(given))


@lru_cache(4096)
def _codes_in(given: str) -> tuple[str, ...]:
    codes: list[str] = []
    if given.strip().casefold() in _UNKNOWN:
        return ()
    if whole := _codes().get(_key(given.strip(" .[]()"))):  # "et" is Estonian, if it is all
        return (whole,)
    for part in _PARTS.split(given.strip()):
        whole = part.strip(" .[]()")
        known = _codes().get(_key(whole))
        thirds = re.findall("...", whole) if len(whole) % 3 == 0 and len(whole) > 3 else []
        if known:
            codes.append(known)
        elif thirds and all(_key(one) in _codes() for one in thirds):
            codes += [_codes()[_key(one)] for one in thirds]
        elif whole:
            codes.append(whole)
    return tuple(dict.fromkeys(codes))


def language_spellings(code: str) -> list[str]:
    """Return all that is read as the same language, such as "en", "eng" and "english"."""
    wanted = language_codes(code)[:1]
    return [name for name, known in _codes().items() if [known] == wanted] or [code]


def language_name(code: str, tongue: str = "en") -> str:
    """Return the name of a language in another one; what is no code stays as it is.

    >>> language_name("ger"), language_name("ger", "de")
    ('German', 'Deutsch')
    """
    from babel import Locale
    from babel.core import get_global

    code = (language_codes(code) or [code])[0]
    short = get_global("language_aliases").get(code, code)  # ger is de
    return str(Locale.parse(tongue).languages.get(short, code))


def languages_in_words(codes: Iterable[str], tongue: str = "en") -> str:
    """Return the names of languages, the first few of many."""
    names = [language_name(code, tongue) for code in codes]
    return ", ".join([*names[:_MOST_NAMED], *(["…"] if len(names) > _MOST_NAMED else [])])


def _key(name: str) -> str:
    plain = name.casefold()
    return re.split(r"[-_]", plain)[0] if re.fullmatch(r"[a-z]{2,3}([-_]\w+)+", plain) else plain


@cache
def _codes() -> dict[str, str]:
    """Return the code of each code and name, in lower case."""
    from babel import Locale
    from babel.core import get_global

    threes: dict[str, str] = {}
    two_of = {
        three: two
        for three, two in get_global("language_aliases").items()
        if len(three) == 3 and len(two) == 2
    }
    for three, two in sorted(two_of.items()):
        threes.setdefault(two, _BIBLIOGRAPHIC.get(two, three))
    codes = {three: threes[two] for three, two in two_of.items()}
    codes |= {two: three for two, three in threes.items()}
    for tongue in _NAMED_IN:
        for code, name in Locale(tongue).languages.items():
            if (three := threes.get(code, code if len(code) == 3 else "")) and len(name) > 3:
                codes.setdefault(name.casefold(), three)
                codes.setdefault(three, three)
    return codes
