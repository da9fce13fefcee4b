"""The imports into a library: which are not whole, and taking one back."""

import html

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import take_back_import
from subclust.jobs.view import JobView
from subclust.text.library.imports import ImportEntry, brought_alone, read_imports
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.queue import job_queue
from subclust.ui.components.read_only import changes
from subclust.ui.components.resources import library_name
from subclust.ui.components.times import moment
from subclust.ui.i18n.language import _, _n
from subclust.ui.library.said import say
from subclust.ui.library.shown import show_job, show_library

_MOST_NAMED = 3


def draw_unfinished(settings: Settings, library: str, entries: tuple[ImportEntry, ...]) -> None:
    """Warn that a library is not whole, with the ways on and back."""
    for entry in entries:
        told = _(
            "This library is not whole: the import of {files} was broken off. Go on with it or "
            "import the same files again, or take it back."
        ).format(files=_files(entry))
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.warning(plain(told))
            if entry.job and any(job.id == entry.job for job in job_queue(settings).store.jobs()):
                st.button(
                    _("Look at it"),
                    key=f"library-unfinished-{entry.id}",
                    on_click=show_job,
                    args=(entry.job,),
                )
            draw_take_back(settings, library, entry)


def draw_imports(settings: Settings, library: str) -> None:
    """Draw the imports that came to their end, each with the way to take it back."""
    entries = [one for one in read_imports(settings.library_dir, library) if one.ended is not None]
    if not entries:
        return
    with st.expander(_("Imports into it"), key="library-imports"):
        for entry in entries:
            count = _n("{count} passage", "{count} passages", entry.n_brought)
            facts = f"{count} · {moment(entry.started)}"
            with st.container(horizontal=True, vertical_alignment="center"):
                st.html(
                    f"<p>{html.escape(_files(entry))}<br>"
                    f"<span class='sc-facts-line'>{html.escape(facts)}</span></p>",
                    width="stretch",
                )
                draw_take_back(settings, library, entry)


def draw_job_take_back(settings: Settings, library: str, view: JobView) -> None:
    """Offer to take back what an import that is looked at brought; nothing where nothing is."""
    for entry in read_imports(settings.library_dir, library):
        if entry.job == view.job.id and not entry.is_running:
            draw_take_back(settings, library, entry)


@changes
def draw_take_back(settings: Settings, library: str, entry: ImportEntry) -> None:
    """Ask whether an import is to be taken back."""
    dialog_button(
        _("Take the import back"),
        lambda: _ask_to_take_back(settings, library, entry),
        key=f"library-back-{entry.id}",
    )


def _ask_to_take_back(settings: Settings, library: str, entry: ImportEntry) -> None:
    try:
        n_passages = len(brought_alone(settings.library_dir, library, entry.id))
    except SubclustError as error:
        st.write(plain(error_words(error)))
        return
    told = _n(
        "{count} passage that came by this import alone is removed from {{library}}.",
        "{count} passages that came by this import alone are removed from {{library}}.",
        n_passages,
    ).format(library=library_name(library))
    st.write(plain(told))
    st.caption(
        _(
            "What was there before or came by another import too stays; a passage that it "
            "changed stays as it is now."
        )
    )
    st.button(
        _("Take it back"),
        key=f"library-back-yes-{entry.id}",
        on_click=_take_back,
        args=(settings, library, entry),
    )


def _take_back(settings: Settings, library: str, entry: ImportEntry) -> None:
    close_dialog()
    try:
        n_passages = take_back_import(settings, library, entry.id)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    say(
        _n(
            "The import of {{files}} is taken back: {count} passage is removed, and can be put "
            "back for seven days.",
            "The import of {{files}} is taken back: {count} passages are removed, and can be put "
            "back for seven days.",
            n_passages,
        ).format(files=_files(entry))
    )
    show_library(library)


def _files(entry: ImportEntry) -> str:
    named = ", ".join(entry.files[:_MOST_NAMED])
    more = len(entry.files) - _MOST_NAMED
    return _("{these} and {count} more").format(these=named, count=more) if more > 0 else named
