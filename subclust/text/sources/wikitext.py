"""Wikitext to clean paragraphs with their section paths."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

import mwparserfromhell
from mwparserfromhell.nodes import ExternalLink, HTMLEntity, Tag, Template, Text, Wikilink

ADMINISTRATIVE = frozenset(
    "references,see also,external links,further reading,notes,bibliography,footnotes,citations,"
    "sources,notes and references,references and notes,works cited,gallery,notes and citations,"
    "references and further reading,other uses,primary sources,secondary sources,"
    "selected bibliography,general references,explanatory notes,endnotes,external sources,"
    "cited references,general sources,sources and references,literature cited,links,"
    "further information,cited sources,references and sources,informational notes,image gallery,"
    "footnotes and references,bibliography and references,historiography and sources,websites,"
    "general information,notes and sources,online sources,multimedia,footnotes and citations,"
    "reference literature,etymological bibliography,filmography,discography,video,videos,"
    "in other languages,external audio,external video,see also and references".split(",")
)
"""Headings of sections that hold no text of their own; their subsections go with them."""

MIN_CHARACTERS = 100
MIN_WORDS = 10
"""Less than this is a caption, a lone list item or a left-over, not a passage."""

_DROPPED_TAGS = frozenset(
    "ref references gallery table timeline imagemap score syntaxhighlight source pre hiero "
    "inputbox templatedata graph mapframe maplink categorytree del s noinclude includeonly".split()
)
_BLOCK_TAGS = frozenset("div center poem p".split())
_DROPPED_LINKS = re.compile(r"\s*(file|image|media|category|wikt|s|commons|[a-z]{2,3}):", re.I)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_HEADING = re.compile(r"^(?P<marks>={1,6})(?P<title>[^=\n].*?)(?P=marks)[ \t]*$", re.M)
# Characters that no article holds mark what the clean-up must still know about.
_ITEM, _HOLE, _QUOTE = "\x02", "\x03", "\x04"
# What is left of tables, pictures and templates whose marks are not balanced in the source.
_TABLE_LINE = re.compile(r"\s*(\{\||\|[-}+|]?|![^!|]*[!|])")
_BROKEN = re.compile(r"\|\s*[\w-]+\s*=|\b(style|class|rowspan|colspan)\s*=|\b(File|Image):\S", re.I)
_LONE_BAR = re.compile(r"(?<=\s)\|\s?")
_UNBALANCED = re.compile(r"'{2,}|\[\[|\]\]|\{\{|\}\}|\{\||\|\}")
_TIDYING = [
    (re.compile(r"__[A-Z]+__"), ""),  # switches such as __NOTOC__
    (re.compile(r"</?[A-Za-z][^<>]{0,200}>"), ""),  # unbalanced HTML that the parser left as text
    (re.compile(r"\[?\bhttps?://[^\s\]]+\]?"), ""),
    (_UNBALANCED, ""),  # wiki marks
    (re.compile(r"(?<=[.,;\"”])\[\d{1,3}\]"), ""),  # reference marks copied as text
    (re.compile(r"[\u200b-\u200f\u2060\ufeff]"), ""),
    (re.compile(r"\s+"), " "),
    # Possessive, since the parts can match nothing: a long run of blanks would be tried in all
    # ways.
    (re.compile(r"\(\s*+[;,:/]*+\s*+(?:or|and)?\s*+[;,:]*+\s*+\)"), ""),  # emptied brackets
    (re.compile(r"\(\s*[;,:]\s*"), "("),
    (re.compile(r"\s*[;,:]\s*\)"), ")"),
    (re.compile(r"\(\s+"), "("),
    (re.compile(r"\s+([,.;:!?)])"), r"\1"),
    (re.compile(r",(\s*,)+"), ","),
    (re.compile(r"  +"), " "),
]
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
_A_NUMBER = re.compile(r"[-+−]?[\d.,]*\d[\d./,]*")


@dataclass(frozen=True)
class Section:
    """A paragraph and the headings it stands under.

    Parameters
    ----------
    path : tuple of str
        From the top-level heading down; empty for the lead.
    text : str
    """

    path: tuple[str, ...]
    text: str


def paragraphs(wikitext: str) -> Iterator[Section]:
    """Read the paragraphs of a page in order.

    Tables, boxes, references, galleries, images, categories and formulas are left out, and so are
    the sections of `ADMINISTRATIVE`. Paragraphs with a formula that plain letters cannot say are
    left out whole, because a sentence with a hole says something else. A list is joined to
    the paragraph that announces it with a colon; list items that are sentences of their own are
    paragraphs; other items are left out.

    Yields
    ------
    Section
        Of at least `MIN_CHARACTERS` characters and `MIN_WORDS` words.
    """
    headings: list[tuple[int, str]] = []
    for heading, body in _sections(_COMMENT.sub("", wikitext)):
        if heading is not None:
            level = len(heading["marks"])
            headings = [(above, name) for above, name in headings if above < level]
            headings.append((level, _tidy(_render(mwparserfromhell.parse(heading["title"])))))
        path = tuple(title for _, title in headings)
        if not any(title.casefold() in ADMINISTRATIVE for title in path):
            for text in _clean_paragraphs(_render(mwparserfromhell.parse(body))):
                yield Section(path, text)


def _sections(wikitext: str) -> Iterator[tuple[re.Match[str] | None, str]]:
    """Cut a page at its headings before it is parsed: an unclosed tag then spoils one section."""
    heading, end = None, 0
    for match in _HEADING.finditer(wikitext):
        yield heading, wikitext[end : match.start()]
        heading, end = match, match.end()
    yield heading, wikitext[end:]


def _render(code: Any) -> str:
    return "" if code is None else "".join(map(_plain, code.nodes))


def _plain(node: Any) -> str:
    match node:
        case Text():
            return str(node.value)
        case HTMLEntity():
            return str(node.normalize())
        case Wikilink():
            title = str(node.title)
            if _DROPPED_LINKS.match(title):
                return ""
            return _render(node.text) if node.text is not None else title.lstrip(":")
        case ExternalLink():
            return _render(node.title)
        case Template():
            return _expand(node, _render, _QUOTE)
        case Tag():
            return _plain_tag(node)
    return ""  # comments and arguments


def _plain_tag(tag: Any) -> str:
    name = str(tag.tag).strip().lower()
    if name in _DROPPED_TAGS:
        return ""
    if name in ("li", "dd", "dt"):
        # In wiki markup the tag is the bullet alone; in HTML it encloses the item.
        return _ITEM if tag.wiki_markup else f"\n{_ITEM}{_render(tag.contents)}\n"
    if name == "math":
        formula = str(tag.contents).strip()
        return formula if re.fullmatch(r"[\w\s+=<>().,-]{1,20}", formula) else _HOLE
    if name == "br":
        return " "
    inner = _render(tag.contents)
    if name == "sup" and re.fullmatch(r"[-+−–]?\d+", inner.strip()):
        return f"^{inner.strip()}"
    if name == "blockquote":
        return f"\n\n{_QUOTE}{inner.strip()}\n\n"
    return f"\n\n{inner}\n\n" if name in _BLOCK_TAGS else inner


def _clean_paragraphs(text: str) -> Iterator[str]:
    """Join lines to paragraphs, and lists and quotations to the colon that announces them."""
    pending = ""
    for kind, lines in _blocks(text):
        if kind == _ITEM:
            items = [item for item in map(_tidy, lines) if item and _HOLE not in item]
            if pending and items and not all(map(_is_passage, items)):
                yield from _kept(f"{pending} {'; '.join(i.rstrip(';,.') for i in items)}.")
            else:
                yield from _kept(_without_announcement(pending))
                for item in items:
                    if item[-1:] in '.!?"”)' and "ISBN" not in item:
                        yield from _kept(item)
            pending = ""
            continue
        paragraph = _tidy(" ".join(lines))
        if kind == _QUOTE and pending:
            yield from _kept(f"{pending} {paragraph}")
            pending = ""
            continue
        yield from _kept(_without_announcement(pending))
        pending = paragraph if paragraph.endswith(":") else ""
        if not pending:
            yield from _kept(paragraph)
    yield from _kept(_without_announcement(pending))


def _without_announcement(text: str) -> str:
    """Leave out the last sentence, which announces something that has been left out."""
    return text[: max(text.rfind(mark) for mark in (". ", "! ", "? ", '." ')) + 1]


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Cut text into paragraphs, lists (`_ITEM`) and quotations (`_QUOTE`), each with its lines."""
    kind, lines = "", list[str]()
    for line in [*text.split("\n"), ""]:
        if _TABLE_LINE.match(line):
            continue
        mark = line.lstrip()[:1]
        mark = mark if mark in (_ITEM, _QUOTE) else ""
        if lines and (not line.strip() or (mark or kind) != kind or kind == _ITEM != mark):
            yield kind, lines
            lines = []
        if line.strip():
            kind = kind if lines and not mark else mark
            lines.append(line.translate({ord(_ITEM): None, ord(_QUOTE): None}))


def _kept(tidy: str) -> Iterator[str]:
    if _HOLE not in tidy and _is_passage(tidy) and not _BROKEN.search(tidy):
        yield _LONE_BAR.sub("", tidy)


def _is_passage(text: str) -> bool:
    return len(text) >= MIN_CHARACTERS and len(text.split()) >= MIN_WORDS


def _tidy(text: str) -> str:
    text = unescape(text)  # some editors wrote "&amp;nbsp;"
    marked = True
    while marked:  # what stood around a mark that was taken out may be one itself
        for pattern, replacement in _TIDYING:
            text = pattern.sub(replacement, text)
        marked = _UNBALANCED.search(text) is not None
    return text.strip(" *#:;" if text[:1] in "*#:; " else " ")


def _expand(template: Any, render: Render, quote_mark: str) -> str:
    """Return what a template shows inside a sentence; "" for all that are no part of one."""
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
        if len(rest) >= 2 and _A_NUMBER.fullmatch(rest[0]) and not _A_NUMBER.fullmatch(rest[1]):
            shown += rest[:2]
    return " ".join(shown)


def _coordinates(plain: list[str]) -> str:
    """``30|12|N|74|7|W`` is "30°12′N 74°7′W", ``-32.7|86.7`` "-32.7°, 86.7°"."""
    numbers: list[str] = []
    shown = []
    for part in plain:
        if _A_NUMBER.fullmatch(part):
            numbers.append(part)
        elif part in tuple("NSEW"):
            shown.append("".join(map("".join, zip(numbers, "°′″", strict=False))) + part)
            numbers = []
    return " ".join(shown) or ", ".join(f"{number}°" for number in numbers[:2])
