"""The words of the panel "Search live", and its lists as HTML."""

import html
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from subclust.core.settings import Settings
from subclust.exports.refused import refused_row
from subclust.figures.wrapping import excerpt
from subclust.text.ingest.report import IngestReport
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.opening import obstacle
from subclust.text.sources.live.searching import LiveHits
from subclust.ui.i18n.language import N_, _, _n, language, number
from subclust.ui.library.refused import table_file

LEAD = N_(
    "Ask a service on the network for documents, look at what comes, and keep it as a collection "
    "that you can group."
)
OFF = N_(
    "All live sources are off, and nothing leaves this machine. Whoever runs Subclust can switch "
    "one on in its settings."
)
SUMMARIES: dict[str, str] = {
    "arxiv": N_("preprints of physics, mathematics, computer science and their neighbours"),
    "openalex": N_("works of all subjects, with abstracts where publishers give them"),
    "crossref": N_("whatever has a DOI of Crossref, some of it with abstracts"),
    "europe-pmc": N_("abstracts of the life sciences, those of PubMed among them"),
    "wikipedia": N_("articles, paragraph by paragraph, in any of its languages"),
    "oai-pmh": N_("the records of any repository that speaks OAI-PMH, or of a set in it"),
    "sru": N_("the records of any library catalogue that speaks SRU"),
}
"""What each source has, as its card says."""

LABELS: dict[str, str] = {"oai-pmh": N_("OAI-PMH repository"), "sru": N_("SRU catalogue")}
"""Of the sources that have no name of their own."""

_EXCERPT = 220
_CREDITS = ("authors", "venue", "year")


def label_of(card: LiveCard) -> str:
    """Return a source's name, in the visitor's language where it is no name of its own."""
    return _(LABELS[card.name]) if card.name in LABELS else card.label


def state_of(settings: Settings, card: LiveCard) -> str:
    """Return whether a source is on, and what is missing where it is not."""
    match obstacle(settings, card):
        case None if not card.searchable:
            return _("On, to be harvested")
        case None:
            return _("On")
        case "offline":
            return _("Off: Subclust is set to work offline (SUBCLUST_OFFLINE)")
        case "contact":
            return _("Off: a contact is missing (SUBCLUST_CONTACT)")
        case "key":
            return _("Off: its key is missing ({variable})").format(
                variable=f"SUBCLUST_KEY_{card.variable}"
            )
        case "address":
            return _("Off: no address is named ({variable})").format(
                variable=f"SUBCLUST_URL_{card.variable}"
            )
    return _("Off")


def sources_html(settings: Settings) -> str:
    """Write the sources as a table: what each has, and whether it is on."""
    rows = "".join(
        f"<tr><th scope='row'>{_escaped(label_of(card))}</th>"
        f"<td>{_escaped(_(SUMMARIES[name]))}</td><td>{_escaped(state_of(settings, card))}</td></tr>"
        for name, card in LIVE.items()
    )
    heads = "".join(
        f"<th scope='col'>{_escaped(head)}</th>"
        for head in (_("Source"), _("What it has"), _("State"))
    )
    return (
        f"<table class='sc-live'><caption class='sc-hidden'>{_escaped(_('Live sources'))}"
        f"</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def sent_note(host: str, contact: str, *, key: bool) -> str:
    """Return what will leave the machine, and where to; as HTML."""
    told = (
        _("Your words go to {host}, with your key and the address {contact} that it may write to.")
        if key
        else _("Your words go to {host}, with the address {contact} that it may write to.")
    )
    return _escaped(told.format(host=host, contact=contact))


def found_line(hits: LiveHits, label: str) -> str:
    """Return how many hits there are, of how many."""
    shown = _n("{count} record of {{source}}", "{count} records of {{source}}", len(hits.documents))
    if hits.total is None or hits.total <= len(hits.documents):
        return shown.format(source=label)
    return _("The first {count} of {total} records of {source}").format(
        count=number(len(hits.documents)), total=number(hits.total), source=label
    )


def age_line(hits: LiveHits, now: float | None = None) -> str:
    """Return how old an answer is that was kept; ``""`` for one that was just given."""
    if not hits.from_cache:
        return ""
    minutes = max(0, round(((time.time() if now is None else now) - hits.asked_at) / 60))
    if minutes < 1:
        return _("The same was asked a moment ago; this is that answer.")
    if minutes < 90:
        told = _n("{count} minute", "{count} minutes", minutes)
    else:
        told = _n("{count} hour", "{count} hours", round(minutes / 60))
    return _("The same was asked {time} ago; this is that answer.").format(time=told)


def without_abstract(hits: LiveHits) -> str:
    """Return how many records stand for themselves by their title alone; ``""`` where none does."""
    count = sum(
        len(one.passages) == 1 and one.passages[0].text == one.title for one in hits.documents
    )
    if not count:
        return ""
    return _n(
        "{count} has no abstract and stands for itself by its title.",
        "{count} have no abstract and stand for themselves by their titles.",
        count,
    )


def hits_html(documents: Sequence[Document]) -> str:
    """Write hits as a list; each opens to its whole text and its source."""
    return f"<ol class='sc-passages sc-hits'>{''.join(map(_item, documents))}</ol>"


def kept_line(report: IngestReport, collection: str) -> str:
    """Return what became of the hits that were kept, in passages."""
    parts = [
        _n("{count} read", "{count} read", report.n_read),
        _n("{count} imported", "{count} imported", report.n_imported),
    ]
    if report.n_unchanged:
        parts.append(_n("{count} there already", "{count} there already", report.n_unchanged))
    parts.append(_n("{count} refused", "{count} refused", report.n_refused))
    return _("Kept in {library} as “{collection}”: {counts}.").format(
        library=report.library, collection=collection, counts=", ".join(parts)
    )


def refusals_csv(source: str, refusals: Sequence[Refusal]) -> bytes:
    """Write what was refused as a table that spreadsheets open."""
    rows = [refused_row(source, refusal) for refusal in refusals]
    return table_file(rows, "csv", language())


def _item(document: Document) -> str:
    text = "\n\n".join(passage.text for passage in document.passages)
    whole = " ".join(text.split())
    short = "" if text == document.title else excerpt(whole, _EXCERPT)
    given = [document.metadata.get(name, "") for name in _CREDITS]
    credits = f"<span class='sc-credits'>{_escaped(' · '.join(filter(None, given)))}</span>"
    paragraphs = "".join(
        f"<p>{_escaped(part)}</p>" for part in text.split("\n\n") if short and short != whole
    )
    more = [document.metadata.get(name, "") for name in ("doi", "licence", "keywords")]
    source = " · ".join([*map(_escaped, filter(None, more)), *_link(document)])
    return (
        "<li><details><summary>"
        f"<span class='sc-title'>{_escaped(document.title)}</span>"
        f"{credits if any(given) else ''}"
        f"<span class='sc-excerpt'>{_escaped(short)}</span></summary>"
        f"{paragraphs}<p class='sc-source'>{source}</p></details></li>"
    )


def _link(document: Document) -> list[str]:
    url = document.metadata.get("url", "")
    if urlsplit(url).scheme not in {"http", "https"}:
        return []
    said = _escaped(_("Open the source"))
    return [f"<a href='{_escaped(url)}' target='_blank' rel='noreferrer'>{said}</a>"]


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
