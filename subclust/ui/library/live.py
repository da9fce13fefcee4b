"""The panel "Search live": ask a service on the network, see what comes, keep it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.library import with_own_encoder
from subclust.text.library.names import settle_name
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.base import LiveRequest, collection_name
from subclust.text.sources.live.opening import open_live, why_off
from subclust.text.sources.live.searching import LiveHits, search_live
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes
from subclust.ui.components.resources import library_name, library_names, shared_encoder
from subclust.ui.i18n.language import _, _n, language
from subclust.ui.library.live_style import draw_live_style
from subclust.ui.library.live_words import (
    LEAD,
    OFF,
    age_line,
    found_line,
    hits_html,
    kept_line,
    label_of,
    refusals_csv,
    sent_note,
    sources_html,
    without_abstract,
)

HITS = (20, 50, 100, 200)
"""How many hits may be asked for."""

FORMATS = ("dc", "oai_dc", "marcxml", "MARC21-xml")
"""Names that catalogues have for the formats that are read."""

_ANSWER = "live-answer"
_KEPT = "live-kept"


@dataclass(frozen=True)
class _Answer:
    """What a visitor has asked last, and what came; `error` is a sentence, or empty."""

    name: str
    request: LiveRequest
    count: int
    collection: str
    hits: LiveHits | None
    error: str = ""


def live_panel(settings: Settings) -> None:
    """Draw the panel. Nothing is asked before somebody asks, and nothing that is switched off."""
    draw_live_style()
    st.header(_("Search live"), anchor=False)
    st.html(f"<p class='sc-lead'>{_(LEAD)}</p>")
    cards = [card for card in LIVE.values() if card.searchable and not why_off(settings, card)]
    if not cards:
        st.info(_(OFF))
        _draw_sources(settings, opened=True)
        return
    _draw_question(settings, cards)
    answer: _Answer | None = st.session_state.get(_ANSWER)
    if answer is not None and any(card.name == answer.name for card in cards):
        _draw_answer(settings, answer)
    _draw_sources(settings, opened=False)


def _draw_question(settings: Settings, cards: list[LiveCard]) -> None:
    names = [card.name for card in cards]
    name = st.segmented_control(
        _("Source"),
        names,
        default=names[0],
        format_func=lambda one: label_of(LIVE[one]),
        key="live-source",
        required=True,
    )
    card = LIVE[name or names[0]]
    access = settings.live_access(card.name)
    addresses = list(access.urls) if access else []
    with st.form("live-form", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom", key="live-ask"):
            query = st.text_input(_("What are you looking for?"), key="live-query")
            count = st.selectbox(_("At most"), HITS, index=1, key="live-count", width=110)
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
                    FORMATS,
                    key="live-format",
                    help=_("The catalogue's own name for Dublin Core or MARCXML."),
                    width=170,
                )
            asked = st.form_submit_button(
                _("Ask {source}").format(source=label_of(card)), type="primary"
            )
    host = _host(url or next(iter(addresses), "") or card.url)
    host = host.replace("{language}", tongue.strip() or "en")
    if access is not None:
        note = sent_note(host, access.contact, key=bool(access.key))
        st.html(f"<p class='sc-note'>{note}</p>")
    if asked:
        request = LiveRequest(query, url=url, format=format, language=tongue.strip() or "en")
        _ask(settings, card, request, count)


def _ask(
    settings: Settings, card: LiveCard, request: LiveRequest, count: int, *, fresh: bool = False
) -> None:
    """Ask, and keep what comes for this visitor."""
    collection = collection_name(card, request)
    hits, said = None, ""
    try:
        with st.spinner(_("Asking {source} …").format(source=label_of(card))):
            source = open_live(settings, card.name, request, collection, fresh=fresh)
            hits = search_live(source, count)
    except SubclustError as error:
        said = str(error)
    st.session_state[_ANSWER] = _Answer(card.name, request, count, collection, hits, said)
    st.session_state.pop(_KEPT, None)


def _draw_answer(settings: Settings, answer: _Answer) -> None:
    hits = answer.hits
    if hits is None:
        st.warning(plain(error_words(answer.error)))
        return
    if not hits.documents:
        st.info(
            _("{source} finds nothing for this; try other or fewer words.").format(
                source=label_of(LIVE[answer.name])
            )
        )
        return
    st.html(f"<h2 class='sc-headline'>{found_line(hits, label_of(LIVE[answer.name]))}</h2>")
    notes = " ".join(filter(None, (age_line(hits), without_abstract(hits))))
    if notes:
        with st.container(horizontal=True, vertical_alignment="center", key="live-notes"):
            st.html(f"<p class='sc-note'>{notes}</p>", width="content")
            again = hits.from_cache and st.button(_("Ask anew"), type="tertiary", key="live-anew")
        if again:
            _ask(settings, LIVE[answer.name], answer.request, answer.count, fresh=True)
            st.rerun()
    _draw_keeping(settings, answer, hits)
    st.html(hits_html(hits.documents))


@changes
def _draw_keeping(settings: Settings, answer: _Answer, hits: LiveHits) -> None:
    libraries = library_names(settings)
    with (
        st.container(key="live-keep", border=True),
        st.form("live-keeping", border=False),
    ):
        with st.container(horizontal=True, vertical_alignment="bottom", key="live-where"):
            library = st.selectbox(
                _("Library"),
                libraries,
                index=None,
                placeholder=_("Choose one, or type a new name"),
                accept_new_options=True,
                key="live-library",
                format_func=library_name,
            )
            collection = st.text_input(
                _("Collection"), answer.collection, key=f"live-collection-{answer.collection}"
            )
            keep = st.form_submit_button(
                _n("Keep this {count} hit", "Keep these {count} hits", len(hits.documents))
            )
        if keep:
            st.session_state[_KEPT] = _kept(settings, answer, library, collection.strip())
        _draw_kept(st.session_state.get(_KEPT))


def _kept(
    settings: Settings, answer: _Answer, library: str | None, collection: str
) -> tuple[IngestReport | None, str]:
    """Import the hits; give the report and the collection, or None and a sentence."""
    if not library or not collection or answer.hits is None:
        return None, _("Choose a library, or type a name for a new one, and name the collection.")
    bar = st.progress(0.0, _("Reading the hits"))

    def drawn(done: int, total: int | None) -> None:
        bar.progress(min(done / max(total or done, 1), 1.0), _("Reading the hits"))

    try:
        library = settle_name(settings.library_dir, library)
        report = ingest(
            answer.hits.named(collection).items,
            shared_encoder(with_own_encoder(settings, library)),
            settings.library_dir,
            library,
            progress=drawn,
        )
    except SubclustError as error:
        return None, error_words(error)
    finally:
        bar.empty()
    return report, collection


def _draw_kept(kept: tuple[IngestReport | None, str] | None) -> None:
    if kept is None:
        return
    report, told = kept
    if report is None:
        st.warning(told)
        return
    st.success(kept_line(report, told))
    st.page_link(
        "pages/explore.py",
        label=_("Group this library"),
        query_params={"library": report.library},
    )
    if report.refusals:
        st.download_button(
            _("What was refused, as CSV"),
            refusals_csv(told, report.refusals),
            file_name="refused.csv",
            mime="text/csv",
            on_click="ignore",
            key="live-refused",
        )


def _draw_sources(settings: Settings, *, opened: bool) -> None:
    with st.expander(_("Live sources and how to switch them on"), expanded=opened):
        st.html(sources_html(settings))
        st.html(
            "<p class='sc-note'>"
            + _(
                "Set these where Subclust is started, then start it again; the README tells of "
                "keys, repositories and catalogues."
            )
            + "</p>"
        )
        st.code(
            'SUBCLUST_OFFLINE=0\nSUBCLUST_LIVE="arxiv europe-pmc"\n'
            "SUBCLUST_CONTACT=you@library.example",
            language=None,
        )


def _host(url: str) -> str:
    return urlsplit(url).netloc or url
