"""A library's backup in one file, and its restore."""

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.core.exceptions import SubclustError
from subclust.core.records.names import LONGEST_NAME
from subclust.core.settings import Settings
from subclust.text.ingest.uploads import ReceivedFile, forget_uploads, receive_file
from subclust.text.library import PassageLibrary
from subclust.text.library.backup import back_up, read_manifest, restore
from subclust.text.library.catalogue import LibraryEntry
from subclust.text.library.names import settle_name
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.resources import library_name
from subclust.ui.components.words import day, error_words, plain
from subclust.ui.i18n.language import _, _n, file_size
from subclust.ui.library.shown import open_library, report_done
from subclust.ui.library.upkeep import name_problem

_MOST_BYTES = 500_000_000
"""Of a library that can be backed up here; a larger one takes the command line."""

_MOST_MEGABYTES = 200


def draw_backup(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that backs up a library."""
    dialog_button(_("Back up"), lambda: _draw_backup(settings, entry), key="library-backup")


def _draw_backup(settings: Settings, entry: LibraryEntry) -> None:
    if entry.n_bytes > _MOST_BYTES:
        st.write(
            _(
                "This library is too large to download. Ask the administrator of this installation "
                "to back it up."
            )
        )
        return
    st.write(
        _(
            "One file with all passages and everything that a search needs. Keep it in a safe "
            "place; “Restore a backup” reads it, here or on another machine."
        )
    )
    st.download_button(
        _("Download the backup"),
        lambda: _backup(settings, entry.name),
        file_name=f"{entry.name}.zip",
        mime="application/zip",
        on_click="ignore",
        key=f"library-backup-file-{entry.name}",
    )


@changes("library")
def draw_restore(settings: Settings) -> None:
    """Draw the upload of a backup, and what it holds before it becomes a library."""
    with st.expander(_("Restore a backup"), key="library-restore"):
        turn = st.session_state.get(state.BACKUP_ROUND, 0)
        file = st.file_uploader(
            _("A backup of a library (.zip)"),
            key=f"library-restore-{turn}",
            max_upload_size=_MOST_MEGABYTES,
            help=_("The administrator of this installation can restore larger files."),
        )
        received: ReceivedFile | None = st.session_state.get(state.BACKUP_FILE)
        if file is not None:
            received = _receive(settings, file)
        if received is not None:
            _draw_received(settings, received)


def _receive(settings: Settings, file: UploadedFile) -> ReceivedFile | None:
    try:
        received = receive_file(settings.uploads_dir, file, file.name, n_bytes=file.size)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return None
    _forget(settings)
    st.session_state[state.BACKUP_FILE] = received
    st.session_state[state.BACKUP_ROUND] = st.session_state.get(state.BACKUP_ROUND, 0) + 1
    st.rerun()


def _draw_received(settings: Settings, received: ReceivedFile) -> None:
    try:
        manifest = read_manifest(received.path)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        st.button(
            _("Choose another file"),
            key="library-restore-other",
            on_click=_forget,
            args=(settings,),
        )
        return
    told = _n(
        "{count} passage of the library {{library}}, backed up on {{day}}.",
        "{count} passages of the library {{library}}, backed up on {{day}}.",
        manifest.n_passages,
    ).format(library=manifest.name, day=day(str(manifest.created)))
    st.write(plain(f"{told} ({file_size(received.n_bytes)})"))
    taken = PassageLibrary.names(settings.library_dir)
    name = st.text_input(
        _("Name of the library"),
        _free(manifest.name, taken),
        key=f"library-restore-name-{received.path.parent.name}",
        max_chars=LONGEST_NAME,
        help=_("No library will be replaced."),
    ).strip()
    problem = name_problem(settings, name)
    if problem:
        st.warning(plain(problem))
    with st.container(horizontal=True):
        if st.button(
            _("Restore it"), key="library-restore-yes", type="primary", disabled=bool(problem)
        ):
            _restore(settings, received, name)
        st.button(
            _("Choose another file"), key="library-restore-no", on_click=_forget, args=(settings,)
        )


def _restore(settings: Settings, received: ReceivedFile, name: str) -> None:
    try:
        with st.spinner(_("Restoring …")):
            id_ = settle_name(settings.library_dir, name)
            report = restore(settings.library_dir, received.path, name=id_)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    _forget(settings)
    told = _n(
        "{count} passage was restored as the library {{library}}.",
        "{count} passages were restored as the library {{library}}.",
        report.n_passages,
    )
    report_done(told.format(library=library_name(report.library)))
    open_library(report.library)
    st.rerun()


def _free(wanted: str, taken: list[str]) -> str:
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name


def _forget(settings: Settings) -> None:
    received: ReceivedFile | None = st.session_state.pop(state.BACKUP_FILE, None)
    if received is not None:
        forget_uploads(settings.uploads_dir, [received.path])


def _backup(settings: Settings, name: str) -> bytes:
    settings.uploads_dir.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="backup-", dir=settings.uploads_dir) as folder:
        file = Path(folder) / f"{name}.zip"
        back_up(settings.library_dir, name, file)
        return file.read_bytes()
