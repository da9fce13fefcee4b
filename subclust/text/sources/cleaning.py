"""What people read of a record's texts: words, without markup, signs of cataloguing and rights."""

import html
import re
from functools import cache, lru_cache
from typing import Any

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,24}\d{0,2});")
_NAMES = (
    "i b u em strong sub sup inf small big span div p br hr a ul ol li dl dt dd h[1-6] table tr td "
    "th tbody thead font center blockquote code tt pre img italic bold sc underline monospace "
    "title sec label list list-item xref ext-link named-content inline-formula inline-graphic "
    "disp-formula tex-math alternatives break abstract abstracttext styled-content math mrow mi mn "
    "mo msub msup msubsup mtext mfrac msqrt mover munder mstyle semantics annotation mspace "
    "mfenced mtable mtr mtd formula roman para simplepara it bf emph "
    "(?:ce|mml|jats|xhtml|html):[a-z0-9-]+"
)
_TAG = re.compile(
    rf"<(/?)({_NAMES.replace(' ', '|')})(\s+[\w:-]+\s*=[^<>]*|\s*/?\s*)>", re.IGNORECASE
)
_UNSEEN = re.compile(
    r"<!--.*?-->|<\?[^<>]*\?>|<!\[CDATA\[|\]\]>"
    r"|<(?:mml:)?(annotation|tex-math)\b[^<>]*>.*?</(?:mml:)?\1>",
    re.DOTALL | re.IGNORECASE,
)
_HEADING = re.compile(
    r"<(?:jats:)?title\b[^<>]*>(.*?)</(?:jats:)?title\s*>(?:\s*<(?:jats:)?p\b[^<>]*>)?",
    re.DOTALL | re.IGNORECASE,
)
_LABEL = re.compile(r"\blabel\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_BLOCKS = frozenset(
    "p br hr div li ul ol tr table sec abstract abstracttext list list-item h1 h2 h3 h4 h5 h6 "
    "break para simplepara dt dd td th blockquote disp-formula".split()
)
_NOT_SORTED = re.compile(r"[\x88\x89\x98\x9c]|<<(.{1,20}?)>>|¬(.{1,20}?)¬")
_TEX = re.compile(
    r"(?<![\\$])(\$\$?)(?=\S)[^$\n]{1,200}(?<=\S)\1(?![\d$])|\\\([^\n]{1,200}?\\\)"
    r"|\\[A-Za-z]+(?:\s?\{[^{}]*\})+|\\[A-Za-z]{2,}|\\[\"'`^~=.](?:\{\\?[A-Za-z]\}|\\?[A-Za-z])|\\[%&_#$]"
)
_NOTHING = frozenset(
    {
        "NA", "N/A", "n/a", "N.A.", "null", "NULL", "NaN", "nan", "None", "#N/A", "#NAME?", "#REF!",
        "#VALUE!", "-", "--", "—", "[]", "{}", "\\N", "(null)", "No Specified", "Not Specified",
        "Not specified", "not specified", "Not available", "not available",
        "[No author name available]", "[No author id available]", "[Anonymous]",
    }
)  # fmt: skip
_NO_ABSTRACT = re.compile(
    r"[\[(]?\s*(?:no abstract(?:(?: is| was)? (?:available|provided|supplied))?[^.]{0,30}"
    r"|abstract (?:is )?(?:not |un)available|there is no abstract[^.]{0,40}"
    r"|kein(?:e)? (?:abstract|zusammenfassung)[^.]{0,30}|pas de résumé[^.]{0,30}"
    r"|sin resumen[^.]{0,30}|résumé (?:non |in)disponible)\s*[.!]?\s*[\])]?\.?",
    re.IGNORECASE,
)
_SHORT = r"(?:\b(?:B\.V|N\.V|S\.A|S\.p\.A|Inc|Ltd|Co|Corp|Pty|e\.V|St|U\.S|vol|no)\.[^.]{0,80}?)"
_RESERVED = r"(?:\s*all rights (?:are )?reserved\.?)"
_FROM = r"\(?abstract from (?:the )?(?:author|publisher|copyright holder)[^)]{0,20}\)?\.?"
_RIGHTS_BEFORE = re.compile(
    r"(?:copyright\s*)?(?:©|\(c\)\s*(?=\d{4})|copyright\s+(?=\d{4}))\s*[^.]{0,120}?"
    rf"{_SHORT}{{0,4}}(?:\.\s*){_RESERVED}?\s*(?:published by [^.]{{0,60}}"
    rf"{_SHORT}{{0,2}}\.?\s*)?{_RESERVED}?\s*(?=\S)",
    re.IGNORECASE,
)
# Without the look-behind, a long run of blanks would take quadratic time.
_RIGHTS_AFTER = re.compile(
    rf"(?:(?<!\s)\s+)?(?:(?:{_FROM}\s*)?"
    r"(?:©|\(c\)\s*(?=\d{4})|copyright\s*(?:©|\(c\)|\d{4}|of [^.]{1,120} is the property of)"
    r"|all rights reserved\b|\(?psycinfo database record\b"
    r"|published by (?:elsevier|john wiley|springer|oxford university press|taylor)\b).{0,600}"
    rf"|{_FROM})$",
    re.IGNORECASE | re.DOTALL,
)
_RIGHTS_SIGNS = (
    "©", "(c)", "copyright", "rights reserved", "abstract from", "published", "psycinfo",
)  # fmt: skip
_SECTIONS = (
    "Abstract Background Objective Objectives Aim Aims Purpose Introduction Method Methods "
    "Methodology Design Setting Result Results Finding Findings Conclusion Conclusions Discussion "
    "Significance Summary Context Interpretation Funding Originality Hintergrund Zielsetzung "
    "Methoden Ergebnisse Schlussfolgerung Schlussfolgerungen Fragestellung Zusammenfassung"
).split()
_LABELS = tuple(sorted({*_SECTIONS, *(one.upper() for one in _SECTIONS)}, key=len, reverse=True))
_LABEL_STARTS = frozenset(one[:3].casefold() for one in _SECTIONS)
_BEGUN = re.compile(r"(^|[.!?;:]\s?)([A-Z][A-Za-z]{2,40}:?)(?=(.?.?))")
_GLUED = re.compile(r"[A-ZÄÖÜ](?:[a-zäöü]| [a-z])")
_HEADED = re.compile(
    r"(?:abstract|summary|zusammenfassung|résumé|resumen)\s*(?:[:.–—-]\s*|\n\s*)(?=\S)"
    r"|(?-i:A(?:bstract|BSTRACT))\s+(?=(?-i:[A-ZÄÖÜ]))",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")
_LINE_ENDS = re.compile(r" *\n *")
_SIGN = re.compile("[<&$\\\\\x88\x89\x98\x9c¬]")


def is_nothing(value: str) -> bool:
    """Return whether a cell only says that there is no value, as statistics programs write it."""
    return value in _NOTHING


def clean_text(text: str) -> str:
    r"""Return a text as its readers see it.

    Entities, also escaped twice, become signs; tags of HTML, JATS and MathML go, those of blocks
    leave a line end, and headings a colon; TeX becomes letters; marks of non-sorting words go.

    Examples
    --------
    >>> clean_text("<p>Willows &amp;amp; CO<sub>2</sub>, p &lt; 0.05</p>")
    'Willows & CO2, p < 0.05'
    >>> clean_text(r"$\alpha$-waves")
    'α-waves'
    """
    if not _SIGN.search(text):
        return text
    for _ in range(3):
        if "&" not in text or not _ENTITY.search(text):
            break
        text = html.unescape(text)
    if "<" in text:
        text = _without_tags(text)
    if "\\" in text or text.count("$") > 1:
        text = _TEX.sub(lambda match: _letters(match[0]), text)
    text = _NOT_SORTED.sub(lambda match: match[1] or match[2] or "", text)
    return _LINE_ENDS.sub("\n", _BLANKS.sub(" ", text)).strip()


def clean_abstract(text: str) -> str:
    """Return an abstract without what is none of it.

    A line of rights before or after it, a heading that only says "Abstract", and a sentence that
    there is no abstract go; labels glued to their text are set apart.

    Examples
    --------
    >>> clean_abstract("BACKGROUNDWillows grow. © 2019 Loom Press. All rights reserved.")
    'BACKGROUND: Willows grow.'
    """
    if len(text) < 120 and _NO_ABSTRACT.fullmatch(text):
        return ""
    text = _BEGUN.sub(_apart, text)
    text = _HEADED.sub("", text, count=1) if _HEADED.match(text) else text
    if found := _RIGHTS_BEFORE.match(text):
        text = text[found.end() :]
    end = text[-700:].casefold()
    # Few abstracts name rights, and the expression is slow: look for a sign of them first.
    is_told = any(sign in end for sign in _RIGHTS_SIGNS)
    if is_told and (found := _RIGHTS_AFTER.search(text, max(0, len(text) - 700))):
        text = text[: found.start()] if found.start() else text
    return text.strip()


def _apart(begun: re.Match[str]) -> str:
    """Set a label apart from the sentence that it is glued to."""
    before, word, after = begun.groups()
    if word[:3].casefold() not in _LABEL_STARTS:
        return begun[0]
    label = next((one for one in _LABELS if word.startswith(one)), "")
    rest = word[len(label) :].removeprefix(":")
    if not label or not _GLUED.match(rest + after):
        return begun[0]
    return f"{before.rstrip()}{' ' if before else ''}{label}: {rest}"


def _without_tags(text: str) -> str:
    text = _UNSEEN.sub("", text)
    text = _HEADING.sub(_heading, text)
    return _TAG.sub(_put, text)


def _heading(match: re.Match[str]) -> str:
    words = _TAG.sub("", match[1]).strip().rstrip(":.")
    return f"\n{words}: " if words and words.casefold() != "abstract" else "\n"


def _put(match: re.Match[str]) -> str:
    name = match[2].casefold().rpartition(":")[2]
    if name == "abstracttext" and not match[1] and (label := _LABEL.search(match[3])):
        return f"\n{label[1] or label[2]}: "
    return "\n" if name in _BLOCKS else ""


@cache
def _known_tex() -> tuple[Any, Any]:
    """Return the macros that are read and those that are written, which take long to list."""
    from pylatexenc import latex2text, latexwalker  # type: ignore[import-untyped]

    return latexwalker.get_default_latex_context_db(), latex2text.get_default_latex_context_db()


@lru_cache(4096)
def _letters(tex: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]

    read, told = _known_tex()
    # keep_comments: a percent sign in a title begins no comment.
    writer = LatexNodes2Text(math_mode="text", keep_comments=True, latex_context=told)
    try:
        written: str = writer.latex_to_text(tex, latex_context=read)
    except Exception:  # anything at all from broken TeX
        return tex
    if tex.startswith("$") and "$" in written:  # no formula, as "$%$"
        return tex
    if not written.strip() or re.search(
        "<(?=cit|ref|http)|< g", written
    ):  # what stands for a citation or a picture
        return tex
    return re.sub(r"[_^](?=\d)", "", written.strip())
