"""The inline templates of Wikipedia whose text belongs to the sentence around them."""

import re
from collections.abc import Callable
from typing import Any

Render = Callable[[Any], str]

# Templates that show their first or their last parameter.
_FIRST = frozenset(
    "nowrap nobr smaller small big larger sc smallcaps vanchor visible_anchor nihongo abbr ipa "
    "unicode script_text keypress key mono mvar math var em strong smallsup sup sub angle_bracket "
    "nowrap_begin illm ill interlanguage_link flag flagcountry angbr not_a_typo sic hover tooltip "
    "pslink noitalic polytonic okina hamza bdo gaps sronly nihongo2 nihongo_krt".split()
)
_LAST = frozenset("lang transl script rtl-lang lang_unset color colour fontcolor".split())
_QUOTES = frozenset(
    "quote blockquote cquote quotation bquote rquote quote_box quotebox quote_frame".split()
)
_SHIPS = frozenset("uss hms ss rms sms css mv hmas hmcs usns uscgc".split())
_CHARACTERS = {
    "'s": "'s", "'": "'", '\' "': "' \"", "nbsp": " ", "thinsp": " ", "space": " ", "spaces": " ",
    "mdash": "—", "mdashb": "—", "emdash": "—", "ndash": "–", "snd": " – ", "spnd": " – ",
    "spaced_ndash": " – ", "en_dash": "–", "!": "", "=": "=", "pi": "π", "times": "×", "dot": " · ",
    "minus": "−", "·": " · ", "bull": " • ", "shy": "", "zwsp": "", "hsp": " ", "en-dash": "–",
    "sharp": "♯", "flat": "♭", "euro": "€", "gbp": "£", "inr": "₹", "ad": "AD", "bc": "BC",
}  # fmt: skip
_RANGES = {
    "to": "to", "-": "to", "–": "to", "to(-)": "to", "and": "and", "or": "or", "by": "by",
    "x": "by", "×": "by", "+/-": "±", "±": "±", "and(-)": "and",
}  # fmt: skip
_NUMBER = re.compile(r"[-+−]?[\d.,]*\d[\d./,]*")


def expand(template: Any, render: Render, quote_mark: str) -> str:
    """Return the text that a template shows inside a sentence.

    Parameters
    ----------
    template : mwparserfromhell Template
    render : callable
        Gives the plain text of wikicode.
    quote_mark : str
        What a quotation that stands by itself begins with.

    Returns
    -------
    str
        Empty for the templates that are no part of a sentence: boxes, citations, notices,
        pronunciations and all that are not known here.
    """
    name = re.sub(r"[\s_]+", "_", str(template.name).strip().lower())
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    given = {str(p.name).strip(): render(p.value).strip() for p in template.params}
    plain = [given[str(n)] for n in range(1, len(given) + 1) if str(n) in given]
    first = plain[0] if plain else ""
    if name in _FIRST:
        return first
    if name in _LAST or name.startswith("lang-"):
        return plain[-1] if name in _LAST and plain else first
    if name in _QUOTES:
        return f"\n\n{quote_mark}{given.get('text') or given.get('quote') or first}\n\n"
    if name in _SHIPS:
        return f"{name.upper()} {first}"
    return _computed(name, plain, given)


def _computed(name: str, plain: list[str], given: dict[str, str]) -> str:
    """Expand the templates that make something of their parameters."""
    if not plain:
        return ""
    match name:
        case "convert" | "cvt":
            return _convert(plain)
        case "as_of":
            word = "as of" if given.get("lc", "n")[:1] == "y" else "As of"
            return given.get("alt") or " ".join([word, *reversed(plain)])
        case "circa" | "c." | "ca.":
            return " – ".join(f"c. {year}" for year in plain)
        case "chem" | "chem2" | "chem/link":
            return "".join(plain)
        case "frac" | "sfrac" | "fraction":
            return (f"{plain[0]} " if len(plain) == 3 else "") + "/".join(
                plain[-2:] if len(plain) > 1 else ["1", plain[0]]
            )
        case "val":
            power = f"×10^{given['e']}" if "e" in given else ""
            unit = f" {given['u']}" if "u" in given else ""
            return f"{plain[0]}{power}{unit}"
        case "railgauge" | "track_gauge":
            return re.sub(r"(?<=\d)(?=[a-z])", " ", plain[0])
        case "formatnum":
            return plain[0]
        case "music":
            return _CHARACTERS.get(plain[0], "")
        case "coord" if given.get("display", "inline").startswith("inline"):
            return _coordinates(plain)
    return f"{name.removeprefix('formatnum:')}" if name.startswith("formatnum:") else ""


def _convert(plain: list[str]) -> str:
    """``1300|mi|km`` is "1300 mi", ``2|to|3|m`` "2 to 3 m", ``5|ft|8|in`` "5 ft 8 in"."""
    shown = [plain[0]]
    position = 1
    while len(plain) > position + 1 and plain[position] in _RANGES:
        shown += [_RANGES[plain[position]], plain[position + 1]]
        position += 2
    if len(plain) > position:
        unit = plain[position]
        shown.append(
            {"sqmi": "square miles", "sqkm": "km²", "km2": "km²", "m2": "m²"}.get(unit, unit)
        )
        rest = plain[position + 1 :]
        if len(rest) >= 2 and _NUMBER.fullmatch(rest[0]) and not _NUMBER.fullmatch(rest[1]):
            shown += rest[:2]
    return " ".join(shown)


def _coordinates(plain: list[str]) -> str:
    """``30|12|N|74|7|W`` is "30°12′N 74°7′W", ``-32.7|86.7`` "-32.7°, 86.7°"."""
    numbers: list[str] = []
    shown = []
    for part in plain:
        if _NUMBER.fullmatch(part):
            numbers.append(part)
        elif part in tuple("NSEW"):
            shown.append("".join(map("".join, zip(numbers, "°′″", strict=False))) + part)
            numbers = []
    return " ".join(shown) or ", ".join(f"{number}°" for number in numbers[:2])
