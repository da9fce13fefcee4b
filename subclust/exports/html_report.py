"""A report to read, print and send: one file that asks nothing of any other."""

from html import escape
from pathlib import Path

from subclust.core.records import OTHER_PASSAGES, MappedPassage, Subtopic
from subclust.core.records.links import is_web_address
from subclust.core.translation import number, spoken
from subclust.exports.records import UNANSWERED, Report, facts, lead
from subclust.figures.map_svg import dark_style, group_mark, map_svg
from subclust.figures.palette import DARK, LIGHT, FigureTheme
from subclust.figures.wrapping import printable

_CREDITS = ("authors", "year", "venue", "source", "licence")

# Even if a text slipped through as markup, the browser would load and run nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = Path(__file__).with_name("report.css")


def write_html(report: Report) -> bytes:
    """Write the map, the groups with all their passages, and how they came about."""
    subtopics = report.subtopics
    language = report.language
    _, _n = spoken(language)
    drawing = map_svg(
        subtopics, legend=False, link=lambda member: f"#{_anchor(member)}", language=language
    )
    unanswered = subtopics.answered is False
    question = _text(subtopics.query.text)
    title = _("Subtopics of “{question}”").format(question=subtopics.query.text)
    caption = _("Each mark is a passage. Marks that lie close together stand for similar passages.")
    on_screen = _("Point at a mark to read its title; click it to go to the passage.")
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{language}"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="Subclust"><meta name="referrer" content="no-referrer">',
        f"<title>{_text(title)}</title>",
        f"<style>{_style_sheet(dark_style(subtopics))}</style></head><body>",
        f"<header><h1>{question}</h1>",
        f'<p class="lead">{_text(lead(report))}</p>',
        *([f"<p><strong>{_text(_(UNANSWERED))}</strong></p>"] if unanswered else []),
        "</header><main>",
        f"<figure>{_without_declaration(drawing)}<figcaption>{_text(caption)} "
        f'<span class="on-screen">{_text(on_screen)}</span></figcaption></figure>',
        f'<nav aria-label="{_text(_("Groups"))}"><ol>',
        *(_entry(group) for group in subtopics.subtopics),
        "</ol></nav>",
        *(_group(group, language, praised=not unanswered) for group in subtopics.subtopics),
        "</main><footer>",
        f"<h2>{_text(_('How this came about'))}</h2><dl>",
        *(f"<dt>{_text(name)}</dt><dd>{_value(str(value))}</dd>" for name, value in facts(report)),
        "</dl></footer></body></html>",
    ]
    return "\n".join(parts).encode() + b"\n"


def _entry(group: Subtopic) -> str:
    return (
        f'<li>{group_mark(group.id)}<a href="#group-{group.id}">{_text(group.name)}</a> '
        f'<span class="facts">({group.size})</span></li>'
    )


def _group(group: Subtopic, language: str, *, praised: bool) -> str:
    _, _n = spoken(language)
    told = _n("{count} passage", "{count} passages", group.size)
    if group.id == OTHER_PASSAGES:
        told = _n(
            "{count} passage that fits no group well",
            "{count} passages that fit no group well",
            group.size,
        )
    elif praised:
        fit = _("{passages}, mean fit {fit} (from −1 to 1)")
        told = fit.format(passages=told, fit=_number(group.quality, language))
    if group.term:
        told += " · " + _("term {term}").format(term=_value(group.term))
    members = "\n".join(_passage(member, language) for member in group.passages)
    return (
        f'<section><h2 id="group-{group.id}">{group_mark(group.id)}{_text(group.name)}</h2>\n'
        f'<p class="facts">{told}</p>\n<ol class="passages">\n{members}\n</ol></section>'
    )


def _passage(member: MappedPassage, language: str) -> str:
    _, _n = spoken(language)
    passage = member.passage
    heading = ": ".join(part for part in (passage.title, passage.path or "") if part)
    found = [
        _("Hit {rank}").format(rank=member.rank),
        _("fit {fit}").format(fit=_number(member.strength, language)),
    ]
    found += [_text(passage.metadata[name]) for name in _CREDITS if passage.metadata.get(name)]
    url = passage.metadata.get("url", "")
    if url:
        found.append(_value(url))
    return (
        f'<li id="{_anchor(member)}" data-passage="{escape(printable(passage.id))}">'
        + (f"<h3>{_text(heading)}</h3>" if heading else "")
        + f"<p>{_text(passage.text)}</p>"
        + f'<p class="source">{" · ".join(found)}</p></li>'
    )


def _number(value: float, language: str) -> str:
    return number(value, language, 2).replace("-", "−")


def _anchor(member: MappedPassage) -> str:
    return f"hit-{member.rank}"


def _value(text: str) -> str:
    """Write a text, as a link where it is an address on the web."""
    if not is_web_address(text):
        return _text(text)
    return f'<a href="{escape(printable(text))}" rel="noreferrer">{_text(text)}</a>'


def _text(text: str) -> str:
    return escape(printable(text), quote=False)


def _without_declaration(drawing: str) -> str:
    """Leave out what only a file of its own needs."""
    return drawing.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


def _colours(theme: FigureTheme, link: str, rule: str) -> str:
    """Write a theme's colours as CSS properties."""
    return (
        f"--page: {theme.page}; --text: {theme.text}; --muted: {theme.muted}; "
        f"--link: {link}; --rule: {rule}"
    )


def _style_sheet(dark_map: str) -> str:
    """Put the style sheet together, with the rules that the map has in the dark."""
    return (
        f":root {{ color-scheme: light dark; {_colours(LIGHT, '#0B63A5', '#C9D1DB')} }} "
        "@media screen and (prefers-color-scheme: dark) { "
        f":root {{ {_colours(DARK, '#86BDF0', '#3A4553')} }} {dark_map} }} "
        f"\n{_STYLE.read_text('utf-8')}"
    )
