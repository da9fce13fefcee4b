"""A library's backup in one file, and its way back."""

import shutil
import tempfile
from pathlib import Path

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
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.read_only import changes
from subclust.ui.components.resources import library_name
from subclust.ui.components.times import day
from subclust.ui.i18n.language import _, _n
from subclust.ui.library.rename import name_problem
from subclust.ui.library.said import say
from subclust.ui.models.words import size_in_words

MOST_BYTES = 500_000_000
"""Of a library whose backup is handed to the browser; that of a larger one is a command's."""

MOST_MEGABYTES = 200
_RECEIVED, _ROUND = "library-restore-file", "library-restore-round"


def draw_backup(settings: Settings, entry: LibraryEntry) -> None:
    """Offer the library as one file."""
    dialog_button(_("Back it up"), lambda: _draw_backup(settings, entry), key="library-backup")


def _draw_backup(settings: Settings, entry: LibraryEntry) -> None:
    if entry.n_bytes > MOST_BYTES:
        st.write(
            _(
                "It is too large for a browser; ask whoever looks after this installation to back "
                "it up."
            )
        )
        return
    st.write(
        _(
            "One file with all passages and all that a search needs. Keep it in a safe place; "
            "“Restore a backup” brings it back, here or on another machine."
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


@changes
def draw_restore(settings: Settings) -> None:
    """Draw the upload of a backup, and what it holds before it becomes a library."""
    with st.expander(_("Restore a backup"), key="library-restore"):
        turn = st.session_state.get(_ROUND, 0)
        file = st.file_uploader(
            _("A backup of a library (.zip)"),
            key=f"library-restore-{turn}",
            max_upload_size=MOST_MEGABYTES,
            help=_("A larger one is restored by whoever looks after this installation."),
        )
        kept: ReceivedFile | None = st.session_state.get(_RECEIVED)
        if file is not None:
            kept = _receive(settings, file)
        if kept is not None:
            _draw_received(settings, kept)


def _receive(settings: Settings, file: UploadedFile) -> ReceivedFile | None:
    try:
        kept = receive_file(settings.uploads_dir, file, file.name, n_bytes=file.size)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return None
    _forget(settings)
    st.session_state[_RECEIVED] = kept
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    st.rerun()


def _draw_received(settings: Settings, kept: ReceivedFile) -> None:
    try:
        manifest = read_manifest(kept.path)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        st.button(
            _("Take another file"), key="library-restore-other", on_click=_forget, args=(settings,)
        )
        return
    told = _n(
        "{count} passage of the library {{library}}, kept on {{day}}.",
        "{count} passages of the library {{library}}, kept on {{day}}.",
        manifest.n_passages,
    ).format(library=manifest.name, day=day(str(manifest.created)))
    st.write(plain(f"{told} ({size_in_words(kept.n_bytes)})"))
    taken = PassageLibrary.names(settings.library_dir)
    name = st.text_input(
        _("Name of the library"),
        _free(manifest.name, taken),
        key=f"library-restore-name-{kept.path.parent.name}",
        max_chars=LONGEST_NAME,
        help=_("No library is replaced."),
    ).strip()
    problem = name_problem(settings, name)
    if problem:
        st.warning(plain(problem))
    with st.container(horizontal=True):
        if st.button(
            _("Restore it"), key="library-restore-yes", type="primary", disabled=bool(problem)
        ):
            _restore(settings, kept, name)
        st.button(
            _("Take another file"), key="library-restore-no", on_click=_forget, args=(settings,)
        )


def _restore(settings: Settings, kept: ReceivedFile, name: str) -> None:
    try:
        with st.spinner(_("Restoring …")):
            id_ = settle_name(settings.library_dir, name)
            report = restore(settings.library_dir, kept.path, name=id_)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    _forget(settings)
    say(
        _n(
            "{count} passage is back, as the library {{library}}.",
            "{count} passages are back, as the library {{library}}.",
            report.n_passages,
        ).format(library=library_name(report.library))
    )
    st.session_state["library-opened"] = report.library
    st.rerun()


def _free(wanted: str, taken: list[str]) -> str:
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name


def _forget(settings: Settings) -> None:
    kept: ReceivedFile | None = st.session_state.pop(_RECEIVED, None)
    if kept is not None:
        forget_uploads(settings.uploads_dir, [kept.path])


def _backup(settings: Settings, name: str) -> bytes:
    folder = Path(tempfile.mkdtemp(prefix="backup-", dir=_made(settings.uploads_dir)))
    try:
        file = folder / f"{name}.zip"
        back_up(settings.library_dir, name, file)
        return file.read_bytes()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
