"""Words of what can be taken away and kept."""

from subclust.sessions import Change, SessionHeader
from subclust.ui.components.times import day
from subclust.ui.i18n.language import N_, _

FORMATS: dict[str, tuple[str, str]] = {
    ".csv": (N_("CSV"), N_("A table for any program.")),
    ".xlsx": (
        N_("Excel"),
        N_("A workbook with the passages, the groups and how they came about."),
    ),
    ".ris": (N_("RIS"), N_("For Zotero, EndNote, Citavi and most reference managers.")),
    ".bib": (N_("BibTeX"), N_("For LaTeX and JabRef.")),
    ".csl.json": (N_("CSL-JSON"), N_("For Zotero, Pandoc and citation processors.")),
    ".json": (N_("JSON"), N_("For programs: everything, as one JSON object.")),
    ".html": (
        N_("Report (HTML)"),
        N_("To read, print and send: all groups with the map, in one file."),
    ),
    ".svg": (N_("Map (SVG)"), N_("A drawing that stays sharp at any size.")),
    ".png": (N_("Map (PNG)"), N_("A picture for slides and papers.")),
}
"""Of each format of `subclust.exports` its name and what it is good for."""


def changed_since(change: Change) -> str:
    """Say in a sentence what has changed since a session was saved."""
    match change.kind:
        case "library":
            told = _("The library has changed: it had {then} passages then and has {now} now.")
        case "encoder":
            told = _("Texts were read by {then} then and are by {now} now.")
        case "model":
            told = _("The groups were made by {then}; {now} is in use now.")
        case "program":
            told = _("It was saved by Subclust {then}; this is {now}.")
    return told.format(then=change.then, now=change.now)


def session_line(header: SessionHeader) -> str:
    """Write a session in a line: name, question and day."""
    when = day(header.saved)
    if header.name == header.question:
        return _("{name} ({day})").format(name=header.name, day=when)
    return _("{name}: {question} ({day})").format(
        name=header.name, question=header.question[:80], day=when
    )
