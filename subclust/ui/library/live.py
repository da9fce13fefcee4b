"""Live sources: search one on the network, look at the hits, import them; or harvest it all."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

import streamlit as st

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.settings import Settings
from subclust.exports.refused import refused_row
from subclust.jobs import start_job
from subclust.text.ingest.harvest import HarvestState
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.library import with_own_encoder
from subclust.text.library.names import settle_name
from subclust.text.sources.base import Refusal
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.base import LiveHits, LiveRequest, collection_name, search_live
from subclust.text.sources.live.opening import access_to, open_live, why_off
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.markup import draw_plain_table
from subclust.ui.components.resources import shared_encoder
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _, _n, language, number
from subclust.ui.library.records import hits_html, table_file, totals_words
from subclust.ui.library.shown import draw_group_link, draw_library_choice, show_started
from subclust.ui.library.sources import live_label, live_sources

_HITS = (20, 50, 100, 200)
_FORMATS = ("dc", "oai_dc", "marcxml", "MARC21-xml")
"""Names that catalogues have for the formats that can be read."""


@dataclass(frozen=True)
class _Answer:
    """The last request of a visitor and its hits, or the sentence of an error."""

    name: str
    request: LiveRequest
    count: int
    collection: str
    hits: LiveHits | None
    error: str = ""


def draw_live(settings: Settings) -> None:
    """Draw the search of live sources; none is asked without a click, and none that is off."""
    st.header(_("Search live"), anchor=False)
    lead = _("Search a source on the network, look at the hits, and import them as a collection.")
    st.markdown(lead)
    names = [card.name for card in LIVE.values() if card.searchable and not why_off(settings, card)]
    if not names:
        st.info(
            _(
                "All live sources are off, and nothing leaves this machine. The administrator of "
                "this installation can switch them on."
            )
        )
    else:
        _draw_question(settings, names)
        answer: _Answer | None = st.session_state.get(state.LIVE_ANSWER)
        if answer is not None and answer.name in names:
            _draw_answer(settings, answer)
    with st.expander(_("Live sources and how to switch them on"), expanded=not names):
        heads = (_("Source"), _("What it has"), _("State"))
        draw_plain_table(heads, live_sources(settings), _("Live sources"))
        told = _(
            "Set these variables where Subclust is started, then restart it. The documentation "
            "describes keys, repositories and catalogues."
        )
        st.caption(told)
        st.code(
            'SUBCLUST_OFFLINE=0\nSUBCLUST_LIVE="arxiv europe-pmc"\n'
            "SUBCLUST_CONTACT=you@library.example",
            language=None,
        )


def _draw_source(label: str, names: list[str], key: str) -> LiveCard:
    chosen = st.segmented_control(
        label, names, default=names[0], format_func=live_label, key=key, required=True
    )
    return LIVE[chosen or names[0]]


def _draw_question(settings: Settings, names: list[str]) -> None:
    # Outside the form, whose widgets rerun nothing: the fields below depend on the source.
    card = _draw_source(_("Source"), names, "live-source")
    access = settings.live_access(card.name)
    addresses = list(access.urls) if access else []
    with st.form("live-form", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom", key="live-ask"):
            query = st.text_input(_("What are you looking for?"), key="live-query")
            count = st.selectbox(_("At most"), _HITS, index=1, key="live-count", width=110)
            tongue = url = format = ""
            if card.name == "wikipedia":
                tongue = st.text_input(
                    _("Language"),
                    language(),
                    key="live-language",
                    help=_("The code of a Wikipedia, such as en, de or simple."),
                    width=110,
                )
            if card.name == "sru":
                url = st.selectbox(_("Catalogue"), addresses, key="live-url", format_func=_host)
                format = st.selectbox(
                    _("Format"),
                    _FORMATS,
                    key="live-format",
                    help=_("The catalogue's own name for Dublin Core or MARCXML."),
                    width=170,
                )
            asked = st.form_submit_button(
                _("Search {source}").format(source=live_label(card.name)), type="primary"
            )
    if access is not None:
        host = _host(url or next(iter(addresses), "") or card.url)
        host = host.replace("{language}", tongue.strip() or "en")
        told = (
            _("Your words are sent to {host}, with your key and the contact {contact}.")
            if access.key
            else _("Your words are sent to {host}, with the contact {contact}.")
        ).format(host=host, contact=access.contact)
        st.caption(plain(told))
    if asked:
        request = LiveRequest(query, url=url, format=format, language=tongue.strip() or "en")
        _ask(settings, card, request, count)


def _ask(
    settings: Settings, card: LiveCard, request: LiveRequest, count: int, *, fresh: bool = False
) -> None:
    """Search a source, and store the answer for this visitor."""
    collection = collection_name(card, request)
    hits, problem = None, ""
    try:
        with st.spinner(_("Searching {source} …").format(source=live_label(card.name))):
            source = open_live(settings, card.name, request, collection, fresh=fresh)
            hits = search_live(source, count)
    except SubclustError as error:
        problem = error.sentence
    st.session_state[state.LIVE_ANSWER] = _Answer(
        card.name, request, count, collection, hits, problem
    )
    st.session_state.pop(state.LIVE_IMPORTED, None)


def _draw_answer(settings: Settings, answer: _Answer) -> None:
    hits, label = answer.hits, live_label(answer.name)
    if hits is None:
        st.warning(plain(error_words(answer.error)))
        return
    if not hits.documents:
        st.info(_("No hits in {source}. Try other or fewer words.").format(source=label))
        return
    st.header(plain(_found_line(hits, label)), anchor=False)
    notes = " ".join(filter(None, (_age_line(hits), _without_abstract(hits))))
    if notes:
        with st.container(horizontal=True, vertical_alignment="center", key="live-notes"):
            st.caption(plain(notes), width="content")
            again = hits.from_cache and st.button(
                _("Search again"), type="tertiary", key="live-anew"
            )
        if again:
            _ask(settings, LIVE[answer.name], answer.request, answer.count, fresh=True)
            st.rerun()
    _draw_importing(settings, answer, hits)
    st.html(hits_html(hits.documents))


@changes("library")
def _draw_importing(settings: Settings, answer: _Answer, hits: LiveHits) -> None:
    with (
        st.container(key="live-keep", border=True),
        st.form("live-keeping", border=False),
    ):
        with st.container(horizontal=True, vertical_alignment="bottom", key="live-where"):
            library = draw_library_choice(settings, "live-library")
            collection = st.text_input(
                _("Collection"), answer.collection, key=f"live-collection-{answer.collection}"
            ).strip()
            label = _n("Import this {count} hit", "Import these {count} hits", len(hits.documents))
            asked = st.form_submit_button(label)
        if asked:
            st.session_state[state.LIVE_IMPORTED] = _import(settings, hits, library, collection)
        _draw_imported(*st.session_state.get(state.LIVE_IMPORTED, (None, "")))


def _import(
    settings: Settings, hits: LiveHits, library: str, collection: str
) -> tuple[IngestReport | None, str]:
    """Import the hits; return the report and the collection, or None and a sentence."""
    if not library or not collection:
        return None, _("Choose a library, or type a name for a new one, and name the collection.")
    bar = st.progress(0.0, _("Reading the hits"))

    def progress(done: int, total: int | None) -> None:
        bar.progress(min(done / max(total or done, 1), 1.0), _("Reading the hits"))

    try:
        library = settle_name(settings.library_dir, library)
        encoder = shared_encoder(with_own_encoder(settings, library))
        documents = hits.named(collection).items
        report = ingest(documents, encoder, settings.library_dir, library, progress=progress)
    except SubclustError as error:
        return None, error_words(error)
    finally:
        bar.empty()
    return report, collection


def _draw_imported(report: IngestReport | None, told: str) -> None:
    if report is None:
        if told:
            st.warning(plain(told))
        return
    counts = totals_words(
        report.n_read, report.n_imported, report.n_unchanged, report.n_merged, report.n_refused
    )
    imported = _("Imported into {library} as “{collection}”: {counts}.").format(
        library=report.library, collection=told, counts=counts
    )
    st.success(plain(imported))
    draw_group_link(report.library)
    if report.refusals:
        st.download_button(
            _("Rejected records as CSV"),
            _refusals_csv(told, report.refusals),
            file_name="rejected.csv",
            mime="text/csv",
            on_click="ignore",
            key="live-refused",
        )


def _refusals_csv(source: str, refusals: Sequence[Refusal]) -> bytes:
    """Write rejected records as a table that spreadsheets open."""
    return table_file([refused_row(source, refusal) for refusal in refusals], "csv", language())


def _found_line(hits: LiveHits, label: str) -> str:
    """Return how many hits there are, of how many."""
    shown = _n("{count} record of {{source}}", "{count} records of {{source}}", len(hits.documents))
    if hits.total is None or hits.total <= len(hits.documents):
        return shown.format(source=label)
    return _("The first {count} of {total} records of {source}").format(
        count=number(len(hits.documents)), total=number(hits.total), source=label
    )


def _age_line(hits: LiveHits, now: float | None = None) -> str:
    """Return how old a cached answer is; ``""`` for a fresh one."""
    if not hits.from_cache:
        return ""
    minutes = max(0, round(((time.time() if now is None else now) - hits.asked_at) / 60))
    if minutes < 1:
        return _("This is a cached answer, less than a minute old.")
    if minutes < 90:
        told = _n("{count} minute", "{count} minutes", minutes)
    else:
        told = _n("{count} hour", "{count} hours", round(minutes / 60))
    return _("This is a cached answer, {time} old.").format(time=told)


def _without_abstract(hits: LiveHits) -> str:
    """Return how many records have a title only; ``""`` where none does."""
    count = sum(
        len(one.passages) == 1 and one.passages[0].text == one.title for one in hits.documents
    )
    if not count:
        return ""
    return _n(
        "{count} has no abstract; its title is the passage.",
        "{count} have no abstract; their titles are the passages.",
        count,
    )


@changes("library")
def draw_harvest(settings: Settings) -> None:
    """Draw what is to be harvested, and into which library; nothing while every source is off."""
    names = [card.name for card in LIVE.values() if not why_off(settings, card)]
    if not names:
        return
    st.header(_("Harvest"), anchor=False)
    lead = _(
        "Fetch everything that a source has on a subject, or a whole repository, into a library. "
        "It is fetched page by page, as slowly as the source asks, and resumes after interruptions."
    )
    st.markdown(lead)
    card = _draw_source(_("Source to harvest"), names, "harvest-source")
    with (
        st.container(border=True, key="library-file-harvest"),
        st.form("harvest-form", border=False),
    ):
        request = _draw_request(settings, card)
        with st.container(horizontal=True, vertical_alignment="bottom", key="harvest-where"):
            library = draw_library_choice(settings, "harvest-library")
            most = st.number_input(
                _("At most"),
                min_value=1,
                value=1000,
                step=500,
                key="harvest-most",
                help=_("Records; you can resume the harvest afterwards."),
                width=140,
            )
        if st.form_submit_button(_("Start the harvest"), type="primary"):
            _start(settings, card, request, library, int(most))
        if sentence := st.session_state.pop(state.HARVEST_PROBLEM, None):
            st.error(plain(sentence))


def _draw_request(settings: Settings, card: LiveCard) -> LiveRequest:
    access = settings.live_access(card.name)
    addresses = list(access.urls) if access else []
    query = url = set_ = since = until = ""
    tongue = "en"
    with st.container(horizontal=True, vertical_alignment="bottom", key="harvest-what"):
        if card.name != "oai-pmh":
            query = st.text_input(_("Subject"), key="harvest-query")
        if card.name in ("oai-pmh", "sru"):
            url = st.selectbox(_("Address"), addresses, key="harvest-url", format_func=_host)
        if card.name == "wikipedia":
            tongue = st.text_input(_("Language"), language(), key="harvest-language", width=110)
        if card.name == "oai-pmh":
            set_ = st.text_input(
                _("Set"),
                key="harvest-set",
                help=_("The name that the repository uses; leave it empty for all."),
            )
            first = st.date_input(_("Changed since"), None, key="harvest-since", width=160)
            last = st.date_input(_("Changed until"), None, key="harvest-until", width=160)
            since = first.isoformat() if isinstance(first, date) else ""
            until = last.isoformat() if isinstance(last, date) else ""
    return LiveRequest(
        query.strip().lstrip("-"),  # a word of a command line must not look like an option
        url=url or "",
        set=set_.strip(),
        since=since,
        until=until,
        language=tongue.strip() or "en",
    )


def _start(
    settings: Settings, card: LiveCard, request: LiveRequest, library: str, most: int
) -> None:
    if not library:
        st.session_state[state.HARVEST_PROBLEM] = _(
            "Choose a library, or type a name for a new one."
        )
        return
    try:
        library = settle_name(settings.library_dir, library)
        access_to(settings, card)
        if card.name != "oai-pmh" and not request.query:
            raise InputError(_("Enter a subject."))
        harvest = HarvestState(card.name, request, library, collection_name(card, request))
        job = start_job(settings, harvest.words(most), kind="harvest", title=harvest.name)
    except SubclustError as error:
        st.session_state[state.HARVEST_PROBLEM] = error_words(error)
        return
    show_started(job.id)


def _host(url: str) -> str:
    return urlsplit(url).netloc or url
