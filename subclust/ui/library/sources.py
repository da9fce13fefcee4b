"""The import formats and the live sources, in the visitor's language."""

from subclust.core.settings import Settings
from subclust.text.sources import SOURCES
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.opening import obstacle
from subclust.ui.i18n.language import N_, _, said

LABELS: dict[str, str] = {
    "jsonl": N_("JSON Lines, one document or one labelled question a line"),
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
    "refworks": N_("RefWorks, tagged"),
    "pubmed-summary": N_("PubMed's summaries as text, without abstracts"),
    "endnote": N_("EndNote and Refer, tagged with %"),
    "jats": N_("JATS XML, with or without the whole text"),
    "csl-json": N_("CSL JSON, or any list of objects"),
    "zotero": N_("Zotero's and Better BibTeX's JSON"),
}
"""Of the import formats that are more than a name, as their cards say."""

_SHORT = {
    one: one
    for one in (
        N_("PubMed's tagged format"),
        N_("plain text"),
        N_("EndNote or Refer"),
        N_("RefWorks, tagged"),
        N_("PubMed's summaries"),
        N_("CSV or TSV table"),
        N_("Excel workbook"),
        N_("Wikipedia dump"),
        N_("Web of Science, plain text"),
    )
}
"""What readers call their formats, where it is more than a name."""

SUMMARIES: dict[str, str] = {
    "arxiv": N_("preprints of physics, mathematics, computer science and their neighbours"),
    "openalex": N_("works of all subjects, with abstracts where publishers give them"),
    "crossref": N_("everything with a Crossref DOI, some of it with abstracts"),
    "europe-pmc": N_("abstracts of the life sciences, those of PubMed among them"),
    "wikipedia": N_("articles, paragraph by paragraph, in any of its languages"),
    "oai-pmh": N_("the records of any repository that supports OAI-PMH, or of one of its sets"),
    "sru": N_("the records of any library catalogue that supports SRU"),
}
"""What each live source has, as its card says."""

_LIVE_LABELS = {"oai-pmh": N_("OAI-PMH repository"), "sru": N_("SRU catalogue")}


def format_label(label: str) -> str:
    """Return what a reader calls its format, in the visitor's language."""
    return _(_SHORT[label]) if label in _SHORT else label


def formats() -> list[str]:
    """Return the import formats, each with the endings of its files."""
    return [
        f"{_(LABELS[name]) if name in LABELS else said(card.label)} ({', '.join(card.extensions)})"
        for name, card in SOURCES.items()
    ]


def live_label(name: str) -> str:
    """Return the label of a live source; an unknown one keeps its name."""
    if name in _LIVE_LABELS:
        return _(_LIVE_LABELS[name])
    return LIVE[name].label if name in LIVE else name


def live_sources(settings: Settings) -> list[tuple[str, str, str]]:
    """Return of each live source its label, what it has, and whether it is on."""
    return [
        (live_label(name), _(SUMMARIES[name]), _state(settings, card))
        for name, card in LIVE.items()
    ]


def _state(settings: Settings, card: LiveCard) -> str:
    """Return whether a source is on, and what is missing where it is not."""
    match obstacle(settings, card):
        case None:
            return _("On") if card.searchable else _("On, for harvests only")
        case "offline":
            return _("Off: Subclust works offline (SUBCLUST_OFFLINE)")
        case "contact":
            return _("Off: no contact is set (SUBCLUST_CONTACT)")
        case "key":
            variable = f"SUBCLUST_KEY_{card.variable}"
            return _("Off: no key is set ({variable})").format(variable=variable)
        case "address":
            variable = f"SUBCLUST_URL_{card.variable}"
            return _("Off: no address is set ({variable})").format(variable=variable)
    return _("Off")
