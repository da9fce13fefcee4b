"""Changes to a library: its name, its encoder, and imports that are undone."""

import streamlit as st

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.records.languages import languages_in_words
from subclust.core.records.names import LONGEST_NAME, check_given_name
from subclust.core.settings import Settings
from subclust.deleting import check_unused
from subclust.deleting.removal import take_back_import
from subclust.jobs import ENDED, JobStore, is_alive, job_queue, job_state, start_job
from subclust.jobs.view import JobView
from subclust.text.encoders import Encoder
from subclust.text.encoders.e5 import packaged_file
from subclust.text.languages import MULTILINGUAL
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import LibraryEntry
from subclust.text.library.facets import UNKNOWN
from subclust.text.library.imports import ImportEntry, brought_alone, read_imports
from subclust.text.library.names import find_library, rename_collection, rename_library
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.resources import library_name
from subclust.ui.components.words import error_words, moment, plain
from subclust.ui.i18n.language import _, _n, language, number
from subclust.ui.library.shown import report_done, show_job, show_library

_MOST_NAMED = 3
_REEMBED = "reembed"


def name_problem(
    settings: Settings, name: str, own: str | None = None, *, may_exist: bool = False
) -> str:
    """Return why a library cannot have a name; empty where it can.

    Parameters
    ----------
    settings : Settings
    name : str
    own : str, optional
        Id of the library that is renamed.
    may_exist : bool
        Whether the name of an existing library will do.
    """
    try:
        check_given_name(name)
    except InputError as error:
        return error_words(error)
    found = find_library(settings.library_dir, name)
    if found is None or found == own or may_exist:
        return ""
    return _("A library of this name exists already. Choose another name.")


@changes("library")
def draw_rename(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that renames a library or a collection of it."""
    if st.button(_("Rename"), key="library-rename"):
        st.dialog(_("Rename"))(_draw_rename)(settings, entry)


def _draw_rename(settings: Settings, entry: LibraryEntry) -> None:
    called = library_name(entry.name)
    name = st.text_input(
        _("Name of the library"),
        called,
        key=f"library-rename-to-{entry.name}",
        max_chars=LONGEST_NAME,
    )
    problem = name_problem(settings, name, entry.name)
    if problem:
        st.warning(plain(problem))
    if st.button(
        _("Rename the library"),
        key="library-rename-yes",
        type="primary",
        disabled=bool(problem) or name.strip() == called,
    ):
        _rename(settings, entry.name, name)
    collections = [one for one in entry.collections if one and one != UNKNOWN]
    if not collections:
        return
    st.divider()
    old = st.selectbox(_("Collection"), collections, key=f"library-rename-of-{entry.name}")
    new = st.text_input(
        _("New name"), old, key=f"library-rename-part-{old}", max_chars=LONGEST_NAME
    ).strip()
    if new != old and new in collections:
        st.warning(_("A collection of this name exists already. The two will be merged."))
    if st.button(
        _("Rename the collection"), key="library-rename-part-yes", disabled=not new or new == old
    ):
        _rename_collection(settings, entry.name, old, new)


def _rename(settings: Settings, id_: str, name: str) -> None:
    try:
        rename_library(settings.library_dir, id_, name)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    report_done(_("The library is now called {library}.").format(library=library_name(id_)))
    st.rerun()


def _rename_collection(settings: Settings, id_: str, old: str, new: str) -> None:
    try:
        with st.spinner(_("Renaming …")):
            check_unused(settings, "library", id_)
            library = PassageLibrary.open(settings.library_dir, id_)
            n_passages = rename_collection(library, old, new)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    told = _n(
        "{count} passage is now in the collection {{collection}}.",
        "{count} passages are now in the collection {{collection}}.",
        n_passages,
    )
    report_done(told.format(collection=new))
    st.rerun()


def draw_encoding(settings: Settings, entry: LibraryEntry, encoder: Encoder | None) -> None:
    """Draw which encoder a library is searched with, and offer that of the settings."""
    job = _running_reembed(settings, entry.name)
    if job is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            told = _("Its embeddings are being recomputed. Until then, it is searched as before.")
            st.info(told, width="stretch")
            st.button(
                _("Show the job"), key="library-encoding-look", on_click=show_job, args=(job,)
            )
        return
    if entry.is_current is False and encoder is not None:
        _draw_other_encoder(entry, encoder)
    _draw_languages(entry)
    _draw_encode(settings, entry)


def _draw_languages(entry: LibraryEntry) -> None:
    """Say where the encoder does not know the languages of the passages."""
    if not entry.not_known:
        return
    names = languages_in_words(entry.not_known, language())
    count = number(sum(entry.not_known.values()))
    told = _(
        "The encoder {encoder} was not made for the languages of about {count} of {total} passages "
        "({languages}); it finds and groups them less well."
    ).format(
        encoder=entry.encoder_name, count=count, total=number(entry.n_passages), languages=names
    )
    st.info(plain(told))


def _offers_languages(entry: LibraryEntry) -> bool:
    """Return whether the encoder of many languages is installed and would know more."""
    if not entry.not_known or entry.encoder_name == MULTILINGUAL:
        return False
    try:
        return packaged_file().is_file()
    except SubclustError:
        return False


@changes("library")
def _draw_encode(settings: Settings, entry: LibraryEntry) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="library-encode"):
        if entry.is_current is False:
            st.button(
                _("Recompute the embeddings"),
                key="library-reembed",
                type="primary",
                on_click=_start_encoding,
                args=(settings, entry.name, _REEMBED),
                help=_("In the background; you can use the library meanwhile"),
            )
        if _offers_languages(entry):
            st.button(
                _("Switch to an encoder for many languages"),
                key="library-reembed-languages",
                on_click=_start_encoding,
                args=(settings, entry.name, _REEMBED, MULTILINGUAL),
                help=_("In the background; you can use the library meanwhile"),
            )
        if entry.can_roll_back:
            st.button(
                _("Go back to the previous encoder"),
                key="library-rollback",
                on_click=_start_encoding,
                args=(settings, entry.name, "rollback"),
                help=_("The previous embeddings are still on disk"),
            )


def _draw_other_encoder(entry: LibraryEntry, encoder: Encoder) -> None:
    """Explain what follows from embeddings of another encoder than that of the settings."""
    if entry.encoder_name != encoder.name:
        told = _(
            "This library uses the encoder {theirs}; new libraries use {ours}. A model trained "
            "with one encoder cannot group passages of the other. To use the models of {ours} "
            "here, recompute the embeddings."
        ).format(theirs=entry.encoder_name, ours=encoder.name)
        st.info(plain(told))
        return
    told = _(
        "This library was prepared with another version of the encoder {name} ({theirs}). It "
        "cannot be searched until its embeddings are recomputed. You need not import anything "
        "again."
    ).format(name=entry.encoder_name, theirs=entry.encoder_revision)
    st.warning(plain(told))


def _running_reembed(settings: Settings, name: str) -> str | None:
    jobs = JobStore(settings.jobs_dir).jobs()
    of_library = (job for job in reversed(jobs) if (job.kind, job.title) == (_REEMBED, name))
    return next((job.id for job in of_library if job_state(job, is_alive(job)) not in ENDED), None)


def _start_encoding(settings: Settings, name: str, action: str, encoder: str = "") -> None:
    chosen = ["--encoder", encoder] if encoder else []
    try:
        job = start_job(settings, ["library", action, name, *chosen], kind=_REEMBED, title=name)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    show_job(job.id)


def draw_unfinished(settings: Settings, library: str, entries: tuple[ImportEntry, ...]) -> None:
    """Warn that a library is incomplete, and offer to resume or undo the import."""
    for entry in entries:
        told = _(
            "This library is incomplete: the import of {files} was interrupted. Resume it, import "
            "the same files again, or undo it."
        ).format(files=_files(entry))
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.warning(plain(told))
            # The job may have been removed from the list, while the library still notes the import.
            if entry.job and any(job.id == entry.job for job in job_queue(settings).store.jobs()):
                st.button(
                    _("Show the job"),
                    key=f"library-unfinished-{entry.id}",
                    on_click=show_job,
                    args=(entry.job,),
                )
            _draw_undo(settings, library, entry)


def draw_imports(settings: Settings, library: str) -> None:
    """Draw the imports that ended, each with the button that undoes it."""
    entries = [one for one in read_imports(settings.library_dir, library) if one.ended is not None]
    if not entries:
        return
    st.subheader(_("Imports"), anchor=False)
    for entry in entries:
        count = _n("{count} passage", "{count} passages", entry.n_brought)
        if entry.n_removed:
            count += ", " + _n("{count} removed", "{count} removed", entry.n_removed)
        facts = f"{count} · {moment(entry.started)}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{plain(_files(entry))}  \n:gray[:small[{plain(facts)}]]")
            _draw_undo(settings, library, entry)


def draw_undo_job(settings: Settings, library: str, view: JobView) -> None:
    """Draw the button that undoes the import of a job, where there is something to undo."""
    for entry in read_imports(settings.library_dir, library):
        if entry.job == view.job.id and not entry.is_running:
            _draw_undo(settings, library, entry)


@changes("library")
def _draw_undo(settings: Settings, library: str, entry: ImportEntry) -> None:
    dialog_button(
        _("Undo the import"),
        lambda: _ask_to_undo(settings, library, entry),
        key=f"library-back-{entry.id}",
    )


def _ask_to_undo(settings: Settings, library: str, entry: ImportEntry) -> None:
    try:
        n_passages = len(brought_alone(settings.library_dir, library, entry.id))
    except SubclustError as error:
        st.write(plain(error_words(error)))
        return
    told = _n(
        "This removes {count} passage that only this import added to {{library}}.",
        "This removes {count} passages that only this import added to {{library}}.",
        n_passages,
    ).format(library=library_name(library))
    st.write(plain(told))
    st.caption(
        _(
            "Passages that were there before, or that another import added too, stay. Passages "
            "that it changed keep the change."
        )
    )
    st.button(
        _("Undo it"),
        key=f"library-back-yes-{entry.id}",
        on_click=_undo,
        args=(settings, library, entry),
    )


def _undo(settings: Settings, library: str, entry: ImportEntry) -> None:
    close_dialog()
    try:
        n_passages = take_back_import(settings, library, entry.id)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    told = _n(
        "The import of {{files}} was undone: {count} passage was removed. You can restore it for "
        "30 days.",
        "The import of {{files}} was undone: {count} passages were removed. You can restore them "
        "for 30 days.",
        n_passages,
    )
    report_done(told.format(files=_files(entry)))
    show_library(library)


def _files(entry: ImportEntry) -> str:
    named = ", ".join(entry.files[:_MOST_NAMED])
    more = len(entry.files) - _MOST_NAMED
    return _("{these} and {count} more").format(these=named, count=more) if more > 0 else named
