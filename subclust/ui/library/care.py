"""Care for an opened library: records of one work are merged, and copies made and restored."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.core.access import may_change
from subclust.core.exceptions import SubclustError
from subclust.core.records import Passage
from subclust.core.records.names import LONGEST_NAME
from subclust.core.settings import Settings
from subclust.deleting.removal import merge_duplicates
from subclust.jobs import start_job
from subclust.text.ingest.duplicates import (
    FIELD_WORDS,
    DuplicateGroup,
    duplicates,
    first_passages,
)
from subclust.text.ingest.uploads import ReceivedFile, forget_uploads, receive_file
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.backup import back_up, read_manifest, restore
from subclust.text.library.catalogue import LibraryEntry, stamp
from subclust.text.library.names import settle_name
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.resources import library_name, shared_encoder
from subclust.ui.components.words import cited, day, error_words, plain
from subclust.ui.i18n.language import _, _n, file_size, number
from subclust.ui.library.shown import draw_done, open_library, report_done, show_job
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
    # Streamlit holds the upload in memory until its field is gone; a new key makes a new field.
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


_MOST_SHOWN = 20
MOST_AT_ONCE = 20
"""Groups that are merged while the page waits; more are merged by a job."""


def draw_duplicates(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that looks for records of one work."""
    if entry.n_passages:
        dialog_button(
            _("Possible duplicates"),
            lambda: _draw_groups(settings, entry.name),
            key="library-duplicates",
            width="large",
            changes_page=True,
        )


def _draw_groups(settings: Settings, name: str) -> None:
    folder = settings.library_dir
    draw_done()  # a merge of one group leaves the dialog open
    try:
        with st.spinner(_("Comparing the records …")):
            groups = _groups(str(folder), name, stamp(folder, name))
            shown = groups[:_MOST_SHOWN]
            library = PassageLibrary.open(folder, name)
            records = first_passages(library, [id_ for group in shown for id_ in group.ids])
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    if not groups:
        st.info(_("No two records of this library seem to describe the same work."))
        return
    same = [group for group in groups if group.certainty == "same"]
    if same and may_change("library"):
        st.button(
            _("Merge all certain duplicates ({count})").format(count=number(len(same))),
            key="duplicates-merge-all",
            type="primary",
            on_click=_merge_all,
            args=(settings, name, same),
        )
        st.caption(
            _(
                "A merged record has the fields of all. Restore the records under “Recently "
                "deleted passages” to undo it."
            )
        )
    for group in shown:
        _draw_group(settings, name, group, records)
    if len(groups) > len(shown):
        more = _n("{count} more group", "{count} more groups", len(groups) - len(shown))
        st.caption(more)


# `mark` changes with every write to the library; it is there for the key of the cache only.
@st.cache_data(max_entries=8, show_spinner=False)
def _groups(folder: str, name: str, mark: str) -> list[DuplicateGroup]:
    return duplicates(PassageLibrary.open(Path(folder), name))


def _draw_group(
    settings: Settings, name: str, group: DuplicateGroup, records: dict[str, Passage]
) -> None:
    with st.container(border=True, key=f"duplicates-{group.ids[0]}"):
        columns = st.columns(min(len(group.ids), 3))
        for at, id_ in enumerate(group.ids):
            record = records[id_]
            doi = record.metadata.get("doi", "")
            told = [cited(record.metadata), doi, record.collection]
            facts = " · ".join(filter(None, told))
            columns[at % 3].markdown(f"**{plain(record.title)}**  \n:small[{plain(facts)}]")
        certain = group.certainty == "same"
        lines = [_("Certainly the same.") if certain else _("Probably the same.")]
        if group.evidence.agree:
            lines.append(_("Same: {fields}.").format(fields=_names(group.evidence.agree)))
        if group.evidence.differ:
            lines.append(_("Different: {fields}.").format(fields=_names(group.evidence.differ)))
        st.caption(plain(" ".join(lines)))
        if may_change("library"):
            st.button(
                _("Merge"),
                key=f"duplicates-merge-{group.ids[0]}",
                on_click=_merge,
                args=(settings, name, [group]),
            )


def _names(fields: Sequence[str]) -> str:
    return ", ".join(_(FIELD_WORDS[name]) for name in fields)


def _merge_all(settings: Settings, name: str, groups: Sequence[DuplicateGroup]) -> None:
    close_dialog()
    # Jobs on a cluster may not reach the library, so there the page has to do the work itself.
    if len(groups) <= MOST_AT_ONCE or settings.jobs_backend != "local":
        _merge(settings, name, groups)
        return
    words = ["library", "duplicates", name, "--merge"]
    try:
        job = start_job(settings, words, kind="merge", title=name)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    show_job(job.id)


def _merge(settings: Settings, name: str, groups: Sequence[DuplicateGroup]) -> None:
    try:
        encoder = shared_encoder(
            settings_of(settings, PassageLibrary.open(settings.library_dir, name))
        )
        n_merged = merge_duplicates(settings, name, groups, encoder)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    told = _n(
        "{count} record was merged into another one.",
        "{count} records were merged into others.",
        n_merged,
    )
    report_done(told)
