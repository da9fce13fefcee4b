"""The formats that are read, in the visitor's language."""

import html

from subclust.text.sources import SOURCES
from subclust.ui.i18n.language import N_, _

LABELS: dict[str, str] = {
    "jsonl": N_("JSON Lines, one document or one labelled query a line"),
    "csv": N_("CSV table with a header"),
    "tsv": N_("TSV table with a header"),
    "xlsx": N_("Excel workbook with a header"),
    "wikidump": N_("MediaWiki XML dump (pages-articles)"),
    "text": N_("Plain text; paragraphs are passages"),
    "pdf": N_("PDF with a text layer"),
    "ris": N_("RIS, of Zotero, EndNote, Ovid, Embase, Scopus and most catalogues"),
    "nbib": N_("PubMed's tagged format (MEDLINE)"),
    "wos": N_("Web of Science, tagged plain text"),
    "ovid": N_("Ovid, tagged or with field names"),
    "endnote": N_("EndNote and Refer, tagged with %"),
    "jats": N_("JATS XML, with or without the whole text"),
    "csl-json": N_("CSL JSON, or any list of objects"),
    "zotero": N_("Zotero's and Better BibTeX's JSON"),
}
"""What the cards say, of those that are more than a name."""

SHORT = {
    one: one
    for one in (
        N_("PubMed's tagged format"),
        N_("plain text"),
        N_("EndNote or Refer"),
        N_("CSV or TSV table"),
        N_("Excel workbook"),
        N_("Wikipedia dump"),
        N_("Web of Science, plain text"),
    )
}
"""What readers call what they read, of those that are more than a name."""


def format_label(label: str) -> str:
    """Say in the visitor's language what a reader calls its format."""
    return _(SHORT[label]) if label in SHORT else label


def formats_html() -> str:
    """Write all formats as a list, with the endings of their files."""
    items = "".join(
        f"<li>{html.escape(_(LABELS[name]) if name in LABELS else card.label)} "
        f"({', '.join(card.extensions)})</li>"
        for name, card in SOURCES.items()
    )
    return f"<ul class='sc-notes'>{items}</ul>"
