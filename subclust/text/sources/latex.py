"""LaTeX as bibliographies have it, in letters."""

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_SIGNS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "dj": "đ", "DJ": "Đ", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textbraceleft": "{", "textbraceright": "}", "textunderscore": "_", "textdollar": "$",
    "textless": "<", "textgreater": ">", "textbar": "|", "textendash": "–", "textemdash": "—",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "ldots": "…", "dots": "…",
    "textellipsis": "…", "textdegree": "°", "textmu": "µ", "texttimes": "×", "textpm": "±",
    "textregistered": "®", "texttrademark": "™", "textcopyright": "©", "copyright": "©",
    "textsection": "§", "S": "§", "P": "¶", "pounds": "£", "euro": "€", "texteuro": "€",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "newblock": "", "slash": "/",
}  # fmt: skip
_PLAIN = frozenset(
    "emph textit textbf textsl textsc textrm texttt textsf textup textmd text mbox hbox url "
    "enquote path nolinkurl ensuremath textsuperscript textsubscript uppercase lowercase".split()
)
"""Macros of which what they hold is left."""

_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
_SWITCHES = frozenset(
    "em it bf sl sc rm tt sf itshape slshape scshape bfseries mdseries upshape normalfont rmfamily "
    "sffamily ttfamily small large protect noindent par linebreak newline null relax".split()
)
_TOKEN = re.compile(
    r"(?P<math>(?<!\\)\$(?:[^$\\]|\\.)*\$)"
    r"|\\(?P<accent>[`'^~=.\"])\s*(?:\{\s*(?P<a1>\\?[A-Za-z])\s*\}|(?P<a2>\\?[A-Za-z]))"
    r"|\\(?P<letter>[urHvdckb])(?:\s*\{\s*(?P<l1>\\?[A-Za-z])\s*\}|\s+(?P<l2>[A-Za-z]))"
    r"|\\(?P<macro>[A-Za-z]+)(?P<after>\*?(?:\s*\{\}|\s+(?=[A-Za-z])|))"
    r"|\\(?P<sign>[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<tie>~)",
    re.DOTALL,
)


_CITED = re.compile(
    r"[\s~]*\\(?:no|paren|text|auto|foot)?[Cc]ite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}"
    r"|\\(?:label|index)\s*\{[^{}]*\}|\\href\s*\{[^{}]*\}"
)
_DEGREES = re.compile(r"\$\s*\^\s*\{?\s*\\circ\s*\}?\s*\$")


def from_latex(text: str) -> str:
    """Write a LaTeX text in letters.

    Formulas between dollar signs and macros that are not known stay as they are written, so that
    nothing is lost.
    """
    if not any(sign in text for sign in "\\{}~`'-"):
        return text
    if "\\" in text:
        text = _DEGREES.sub("°", _CITED.sub("", text))
    if "--" in text or "``" in text or "''" in text:
        for written, sign in _LIGATURES:
            text = text.replace(written, sign)
    if any(sign in text for sign in "\\{}~"):
        text = _TOKEN.sub(_letters, text)
    return unicodedata.normalize("NFC", text)


def _letters(match: re.Match[str]) -> str:
    if match["math"] is not None:
        return match["math"]
    if match["brace"] is not None:
        return ""
    if match["tie"] is not None:
        return " "
    if match["accent"] or match["letter"]:
        base = match["a1"] or match["a2"] or match["l1"] or match["l2"] or ""
        return base.removeprefix("\\") + _ACCENTS[match["accent"] or match["letter"]]
    if match["sign"] is not None:
        return {",": " ", ";": " ", "-": "", "/": "", "\\": " ", "\n": " "}.get(
            match["sign"], match["sign"]
        )
    name = match["macro"]
    if name in _SIGNS:
        return _SIGNS[name]
    if name in _PLAIN or name in _SWITCHES:
        return ""
    is_with_text = match.string[match.end() : match.end() + 1] == "{" and name not in (
        "frac",
        "sqrt",
    )
    return "" if is_with_text else match[0]  # of a macro that is not known, its text is left
