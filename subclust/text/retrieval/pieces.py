"""What a question is cut into before its operators are read, and the names of its fields."""

import re

from subclust.grouping.naming.words import is_function_word
from subclust.text.retrieval.conditions import Field, Term, tokens_of

_NAMES: dict[Field, str] = {
    "title": "title ti titel",
    "text": "text abstract ab",
    "author": "author authors au creator autor autorin verfasser",
    "year": "year py jahr",
    "keyword": "keyword keywords kw subject subjects schlagwort",
    "venue": "venue journal so zeitschrift",
    "publisher": "publisher verlag",
    "language": "language lang la sprache",
    "doi": "doi",
    "isbn": "isbn",
    "issn": "issn",
    "source": "source",
    "collection": "collection",
}

FIELDS = {name: kept for kept, names in _NAMES.items() for name in names.split()}
"""Names of fields as they are typed, and which field each means."""

TAGS: dict[str, Field] = {
    **FIELDS, "dp": "year", "pdat": "year", "ta": "venue", "jour": "venue", "ot": "keyword",
    "mh": "keyword", "lid": "doi",
}  # fmt: skip
"""Names of fields as PubMed has them, behind the words: ``kilns[ti]``."""

CATALOGUED = frozenset(
    """
    affiliation class classification corporation country date ddc descriptor edition editor
    format genre id issue mesh note notes page pages pmid place region series size su tag tags tiab
    topic translator type url volume herausgeber ort reihe signatur thema
    """.split()
)
"""Fields that catalogues have and libraries here have not."""

_DEEPEST = 20
"""Parentheses within each other that count."""

_MARKS = '"„“”«»＂「」『』'
HINT = re.compile(
    rf"[{_MARKS}:*+(\[]|(?<!\S)-|\b(?:AND|OR|NOT|XOR|NEAR|ADJ|UND|ODER|NICHT)\b|\b[WN]/\d|ADJ\d"
)
_PIECE = re.compile(
    rf"""
    (?P<years>\b(?:year|py|jahr):\s*(?:
        \[\s*\d{{4}}\s+(?:TO|to|-)\s+\d{{4}}\s*\]
        |[<>]=?\s*\d{{4}}\b
        |(?:\d{{4}}\s*(?:-|–|—|\.\.)\s*(?:\d{{4}}|\d\d)?|(?:-|–|\.\.)?\d{{4}})(?![\w-])
        |"\d{{4}}"
    ))
    |(?P<field>(?<![\w:])[^\W\d_]{{2,20}}:(?=\S|\s+[{_MARKS}]))
    |(?P<phrase>(?<!\w)[{_MARKS}](?P<inside>[^{_MARKS}]*)[{_MARKS}](?!\w))
    |(?P<sign>(?<![^\s(])[-+](?=[^\W\d_]|[{_MARKS}(]))
    |(?P<open>\()|(?P<close>\))
    |(?P<mark>[{_MARKS}])
    |(?P<tag>(?<=[){_MARKS}])\[[a-z]{{2,10}}\])
    |(?P<word>[^\s(){_MARKS}]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?P<sign>[<>]=?|-|–|\.\.)?\s*(?P<first>\d{4})(?:\s*(?P<to>-|–|—|\.\.|to)\s*(?P<last>\d*))?",
    re.IGNORECASE,
)
TAGGED = re.compile(r"(?P<word>.+)(?P<tag>\[[A-Za-z/ ]{2,20}\])")


def pieces_of(question: str) -> list[tuple[str, str]]:
    """Cut a question into its pieces, each a kind and a text, from left to right."""
    pieces: list[tuple[str, str]] = []
    is_shouted = _is_shouted(question)
    n_open = 0
    for found in _PIECE.finditer(question):
        kind, text = found.lastgroup or "", found[0]
        if kind == "phrase":
            text = " ".join(found["inside"].split())
            kind = kind if tokens_of(text) else ""
        elif kind == "sign":
            kind = "NOT" if text == "-" else "+"
        elif kind == "open":
            kind = kind if n_open < _DEEPEST else ""
            n_open += kind == "open"
        elif kind == "close":
            kind = kind if n_open else ""
            n_open -= kind == "close"
        elif kind == "mark" and question[: found.start()][-1:].isdigit():
            kind = ""  # inches
        elif kind == "word" and text in ("AND", "OR", "NOT"):
            kind = "shouted" if is_shouted else text
        elif kind == "word" and (tagged := TAGGED.fullmatch(text)) and _is_tag(tagged["tag"]):
            pieces.append(("word", tagged["word"]))
            kind, text = "tag", tagged["tag"]
        elif kind == "tag" and not _is_tag(text):
            kind = "word"
        if kind:
            pieces.append((kind, text))
    return pieces


def _is_shouted(question: str) -> bool:
    """Return whether a sentence is in capitals throughout, so that AND is one of its words."""
    if any(letter.islower() for letter in question):
        return False
    words = [word for word in tokens_of(question) if word not in ("AND", "OR", "NOT")]
    return any(is_function_word(word) for word in words if word.isalpha())


def _is_tag(text: str) -> bool:
    return text[1:-1].lower() in TAGS


def is_year(text: str) -> bool:
    """Return whether a text stands for years, as a value of ``year:`` does."""
    found = _PIECE.fullmatch(f"year:{text}")
    return found is not None and found.lastgroup == "years"


def year_term(text: str) -> Term:
    """Return what ``year:`` with its value asks for."""
    value = text.partition(":")[2].strip('"[] ')
    found = _YEARS.fullmatch(value)
    assert found is not None, value
    year, sign, last = int(found["first"]), found["sign"] or "", found["last"] or ""
    years: tuple[int | None, int | None] = (year, year)
    if sign.startswith(">"):
        years = (year + (sign == ">"), None)
    elif sign:
        years = (None, year - (sign == "<"))
    elif len(last) == 2 and int(last) <= year % 100:
        pass  # a month
    elif last:
        other = int(last if len(last) == 4 else f"{year // 100}{last}")
        years = (min(year, other), max(year, other))
    elif found["to"]:
        years = (year, None)
    return Term(value, "year", years=years)
