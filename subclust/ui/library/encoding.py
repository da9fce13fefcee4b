"""Whether a library's vectors are those of the encoder in use, and how they come to be."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import ENDED, JobStore, is_alive, job_state
from subclust.text.encoders import Encoder
from subclust.text.library.catalogue import LibraryEntry
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes
from subclust.ui.i18n.language import _
from subclust.ui.library.shown import show_job

KIND = "reembed"


def draw_encoding(settings: Settings, entry: LibraryEntry, encoder: Encoder | None) -> None:
    """Say by which encoder the library is searched, and offer that of the settings."""
    job = _job_of(settings, entry.name)
    if job is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(
                _("It is being prepared anew; until that has ended it is searched as it was."),
                width="stretch",
            )
            st.button(_("Look at it"), key="library-encoding-look", on_click=show_job, args=(job,))
        return
    if entry.is_current is False and encoder is not None:
        _tell_other(entry, encoder)
    _draw_encode(settings, entry)


@changes
def _draw_encode(settings: Settings, entry: LibraryEntry) -> None:
    """Offer to prepare a library anew, or to go back."""
    with st.container(horizontal=True, vertical_alignment="center", key="library-encode"):
        if entry.is_current is False:
            st.button(
                _("Prepare it anew"),
                key="library-reembed",
                type="primary",
                on_click=_submit,
                args=(settings, entry.name, "reembed"),
                help=_("In the background; the library can be read meanwhile"),
            )
        if entry.can_roll_back:
            st.button(
                _("Go back to the language model before"),
                key="library-rollback",
                on_click=_submit,
                args=(settings, entry.name, "rollback"),
                help=_("What it was prepared with before is still on disk"),
            )


def _tell_other(entry: LibraryEntry, encoder: Encoder) -> None:
    """Say what follows from vectors of another encoder than that of the settings."""
    if entry.encoder_name != encoder.name:
        told = _(
            "It was prepared with the language model {theirs}, and is searched with it; new "
            "libraries get {ours}. A model that was trained over one of them cannot group what "
            "was prepared with the other: prepare it anew to use the models of {ours}."
        ).format(theirs=entry.encoder_name, ours=encoder.name)
        st.info(plain(told))
        return
    told = _(
        "It was prepared with another version of the language model {name} ({theirs}): it cannot "
        "be searched until it is prepared anew. Nothing has to be imported again."
    ).format(name=entry.encoder_name, theirs=entry.encoder_revision)
    st.warning(plain(told))


def _job_of(settings: Settings, name: str) -> str | None:
    jobs = JobStore(settings.jobs_dir).jobs()
    return next(
        (
            job.id
            for job in reversed(jobs)
            if (job.kind, job.title) == (KIND, name) and job_state(job, is_alive(job)) not in ENDED
        ),
        None,
    )


def _submit(settings: Settings, name: str, action: str) -> None:
    try:
        queue = job_queue(settings)
        job = queue.submit(
            ["library", action, name],
            kind=KIND,
            title=name,
            device=settings.resolve_device(),
        )
        queue.advance()
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    show_job(job.id)
