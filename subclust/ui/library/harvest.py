"""Fetching all that a service has of something, page by page, in the background."""

from datetime import date
from urllib.parse import urlsplit

import streamlit as st

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.settings import Settings
from subclust.text.ingest.harvest_state import HarvestState
from subclust.text.library.names import settle_name
from subclust.text.sources.live import LIVE, LiveCard
from subclust.text.sources.live.base import LiveRequest, collection_name
from subclust.text.sources.live.opening import access_to, why_off
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes
from subclust.ui.components.resources import library_name, library_names
from subclust.ui.i18n.language import N_, _, language
from subclust.ui.library.live_words import label_of

LEAD = N_(
    "Fetch everything that a service has of a subject, or all of a repository, into a library. It "
    "is asked page by page, as slowly as it wishes, and goes on after every interruption."
)

_FAILED = "library-harvest-failed"


@changes
def draw_harvest(settings: Settings) -> None:
    """Draw what is to be fetched and where it goes; nothing while every source is off."""
    cards = [card for card in LIVE.values() if not why_off(settings, card)]
    if not cards:
        return
    st.header(_("Harvest"), anchor=False)
    st.html(f"<p class='sc-lead'>{_(LEAD)}</p>")
    names = [card.name for card in cards]
    name = st.segmented_control(
        _("Source to harvest"),
        names,
        default=names[0],
        format_func=lambda one: label_of(LIVE[one]),
        key="harvest-source",
        required=True,
    )
    card = LIVE[name or names[0]]
    with (
        st.container(border=True, key="library-file-harvest"),
        st.form("harvest-form", border=False),
    ):
        request = _draw_request(settings, card)
        with st.container(horizontal=True, vertical_alignment="bottom", key="harvest-where"):
            library = st.selectbox(
                _("Library"),
                library_names(settings),
                index=None,
                placeholder=_("Choose one, or type a new name"),
                accept_new_options=True,
                key="harvest-library",
                format_func=library_name,
            )
            most = st.number_input(
                _("At most"),
                min_value=1,
                value=1000,
                step=500,
                key="harvest-most",
                help=_("Records; it can go on afterwards."),
                width=140,
            )
        if st.form_submit_button(_("Start the harvest"), type="primary"):
            _start(settings, card, request, (library or "").strip(), int(most))
        if sentence := st.session_state.pop(_FAILED, None):
            st.error(plain(sentence))


def _draw_request(settings: Settings, card: LiveCard) -> LiveRequest:
    access = settings.live_access(card.name)
    addresses = list(access.urls) if access else []
    query = url = set_ = since = until = ""
    tongue = "en"
    with st.container(horizontal=True, vertical_alignment="bottom", key="harvest-what"):
        if card.name != "oai-pmh":
            query = st.text_input(_("What is it about?"), key="harvest-query")
        if card.name in ("oai-pmh", "sru"):
            url = st.selectbox(
                _("Address"), addresses, key="harvest-url", format_func=lambda u: urlsplit(u).netloc
            )
        if card.name == "wikipedia":
            tongue = st.text_input(_("Language"), language(), key="harvest-language", width=110)
        if card.name == "oai-pmh":
            set_ = st.text_input(
                _("Set"), key="harvest-set", help=_("As the repository calls it; empty for all.")
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


def harvest_words(card: LiveCard, request: LiveRequest, library: str, most: int) -> list[str]:
    """Return the words of the command that harvests, as a job is submitted with."""
    asked = [request.query] if request.query else []
    options = {
        "url": request.url,
        "set": request.set,
        "from": request.since,
        "until": request.until,
        "language": request.language if card.name == "wikipedia" else "",
    }
    given = [f"--{name}={value}" for name, value in options.items() if value]
    return ["harvest", card.name, *asked, "--library", library, f"--max={most}", *given]


def _start(
    settings: Settings, card: LiveCard, request: LiveRequest, library: str, most: int
) -> None:
    if not library:
        st.session_state[_FAILED] = _("Choose a library, or type a name for a new one.")
        return
    try:
        library = settle_name(settings.library_dir, library)
        access_to(settings, card)
        if card.name != "oai-pmh" and not request.query:
            raise InputError(_("Say what it is to be about."))
        state = HarvestState(card.name, request, library, collection_name(card, request))
        queue = job_queue(settings)
        job = queue.submit(
            harvest_words(card, request, library, most),
            kind="harvest",
            title=state.name,
            device=settings.resolve_device(),
        )
        queue.advance()
    except SubclustError as error:
        st.session_state[_FAILED] = error_words(error)
        return
    st.session_state["library-after"] = job.id
    st.rerun()
