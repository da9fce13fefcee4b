"""Adding documents: the files, a check of each, the target library, and the start."""

from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.core.exceptions import InputError, LibraryError, SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of
from subclust.exports.refused import mended_row, refused_row
from subclust.jobs import JobStore, start_job
from subclust.text.ingest.import_record import KIND, import_words, job_title
from subclust.text.ingest.preview import FilePreview, preview_apart
from subclust.text.ingest.uploads import ReceivedFile, forget_uploads, receive_file, sweep_uploads
from subclust.text.library.catalogue import stamp
from subclust.text.library.names import find_library, library_id, settle_name
from subclust.text.sources import KNOWN_BY_NAME, SOURCES
from subclust.ui import state
from subclust.ui.components.data_folder import changes
from subclust.ui.components.markup import draw_list, draw_verdict
from subclust.ui.components.resources import library_names
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import _, _n, file_size, number
from subclust.ui.library.correcting import (
    chosen_columns,
    chosen_encoding,
    draw_columns,
    draw_encoding,
    draw_mending,
    has_columns,
)
from subclust.ui.library.records import documents_html, draw_rows
from subclust.ui.library.shown import draw_library_choice, show_started
from subclust.ui.library.sources import format_label, formats
from subclust.ui.library.upkeep import name_problem

_MOST_MEGABYTES = 200
_FORMATS = "RIS, BibTeX, MARC 21, MARCXML, CSV, Excel, PubMed, JATS, Zotero, EndNote, PDF"


@changes("library")
def draw_import(settings: Settings) -> None:
    """Draw the upload, and under it each file that was received."""
    lead = _(
        "Upload files exported from your catalogue, database or reference manager. Subclust "
        "detects the format ({formats} and more). The files stay on this machine."
    )
    st.markdown(lead.format(formats=_FORMATS))
    with st.expander(_("All supported formats"), key="library-file-formats"):
        draw_list(formats())
    given = st.file_uploader(
        _("Files to import"),
        accept_multiple_files=True,
        key=f"library-files-{st.session_state.get(state.IMPORT_ROUND, 0)}",
        max_upload_size=_MOST_MEGABYTES,
        help=_(
            "At most {count} MB each. The administrator of this installation can import larger "
            "files."
        ).format(count=_MOST_MEGABYTES),
    )
    if given:
        _receive(settings, given)
    for sentence in st.session_state.get(state.IMPORT_REJECTED, ()):
        st.error(plain(error_words(sentence)))
    files = _received()
    if not files:
        return
    usable = [file for file in files if _draw_file(settings, file)]
    if usable:
        _draw_start(settings, usable)


def _received() -> list[ReceivedFile]:
    """Return the files that were received and are still there."""
    kept: list[ReceivedFile] = st.session_state.get(state.IMPORT_FILES, [])
    return [file for file in kept if file.path.is_file()]


def _receive(settings: Settings, given: list[UploadedFile]) -> None:
    """Write uploads to disk and empty the field; problems are shown when it is drawn again."""
    sweep_uploads(settings.uploads_dir, JobStore(settings.jobs_dir))
    bin_of(settings).sweep()
    files, rejected = _received(), []
    with st.spinner(_("Receiving the files …")):
        for file in given:
            try:
                _check_name(file.name, files)
                files.append(receive_file(settings.uploads_dir, file, file.name, n_bytes=file.size))
            except SubclustError as error:
                rejected.append(error.sentence)
    st.session_state[state.IMPORT_FILES] = files
    st.session_state[state.IMPORT_REJECTED] = rejected
    # A new key replaces the upload field, which frees the memory of the files it held.
    st.session_state[state.IMPORT_ROUND] = st.session_state.get(state.IMPORT_ROUND, 0) + 1
    st.rerun()


def _check_name(name: str, received: list[ReceivedFile]) -> None:
    endings = tuple(one for format_ in KNOWN_BY_NAME for one in SOURCES[format_].extensions)
    if name.lower().endswith(endings) and name in [one.filename for one in received]:
        raise InputError(
            "{file} was uploaded already, and a text or PDF is known by its name; remove that file "
            "first, or rename this one.",
            file=name,
        )


def _draw_file(settings: Settings, file: ReceivedFile) -> bool:
    """Draw the start of a file and what is rejected of it; False where there are no records."""
    key = file.path.parent.name
    with st.container(border=True, key=f"library-file-{key}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            said = f"{file.filename} ({file_size(max(file.n_bytes, 1000))})"
            st.subheader(plain(said), anchor=False, width="stretch")
            st.button(
                _("Remove"),
                key=f"library-drop-{key}",
                on_click=_drop,
                args=(settings, file),
                help=_("Deletes the upload from this machine"),
            )
        try:
            with st.spinner(_("Checking the file …")):
                seen = _checked(settings, file)
        except SubclustError as error:
            if has_columns(settings, file):
                st.warning(_("Say which column holds the titles or the texts, or remove the file."))
                draw_columns(settings, file, opened=True)
                return False
            told = _("{problem} Remove it, and upload another file.").format(
                problem=error_words(error)
            )
            st.error(plain(told))
            return False
        if seen is None:
            told = _("Checking this file would take long, so it is checked during the import.")
            draw_verdict(told, "sc-look")
            return True
        draw_verdict(_checked_words(seen), _kind(seen))
        draw_encoding(file, seen.decoding)
        draw_columns(settings, file)
        if seen.documents:
            st.caption(_("First records:"))
            st.html(documents_html(seen.documents))
        rows = [refused_row(file.path.name, one) for one in seen.refusals]
        rows += [
            mended_row(file.path.name, one.place, what)
            for one in seen.documents
            for what in one.mended
        ]
        draw_rows(rows, key)
        draw_mending(settings, rows, key)
        # Where all are in the library already, another one can be chosen.
        return bool(seen.n_documents or seen.n_there) or not seen.is_whole


def _checked(settings: Settings, file: ReceivedFile) -> FilePreview | None:
    """Check a file as an import into the library that is chosen below would."""
    # The choice is drawn below the files, so its value is taken from the session.
    chosen = _text(state.IMPORT_LIBRARY) or st.session_state.get(state.IMPORT_TARGET) or ""
    library = library_id(settings.library_dir, chosen)
    collection = _text(f"{state.IMPORT_COLLECTION}-{st.session_state.get(state.IMPORT_ROUND, 0)}")
    chosen = chosen_encoding(file), tuple(chosen_columns(settings, file).items())
    if library in library_names(settings):
        with suppress(LibraryError):  # a damaged library is reported elsewhere
            mark = stamp(settings.library_dir, library)
            where = (str(settings.library_dir), library, mark)
            return _preview(str(file.path), collection, *chosen, *where)
    return _preview(str(file.path), collection, *chosen)


def _text(key: str) -> str:
    return str(st.session_state.get(key) or "").strip()


def _checked_words(seen: FilePreview) -> str:
    """Return the format of a file, and what would become of the records that were checked."""
    if not seen.n_looked_at:
        return _("{format}, without records.").format(format=format_label(seen.label))
    if seen.is_whole:
        looked = _n(
            "{{format}}, {count} record:", "{{format}}, {count} records:", seen.n_looked_at
        ).format(format=format_label(seen.label))
    elif seen.n_guessed:
        looked = _("{format}, about {total} records. Of the first {count}:").format(
            format=format_label(seen.label),
            total=number(seen.n_guessed),
            count=number(seen.n_looked_at),
        )
    else:
        looked = _("{format}. Of the first {count} records:").format(
            format=format_label(seen.label), count=number(seen.n_looked_at)
        )
    if seen.n_there or seen.n_changed or seen.n_gone:
        parts = [_n("{count} new", "{count} new", seen.n_documents - seen.n_changed)]
        if seen.n_changed:
            parts.append(_n("{count} changed", "{count} changed", seen.n_changed))
    else:
        parts = [_n("{count} can be imported", "{count} can be imported", seen.n_documents)]
    if seen.n_there:
        parts.append(_n("{count} already there", "{count} already there", seen.n_there))
    if seen.n_mended:
        parts.append(
            _n("{count} of them is repaired", "{count} of them are repaired", seen.n_mended)
        )
    if seen.refusals:
        parts.append(_n("{count} is rejected", "{count} are rejected", len(seen.refusals)))
    told = f"{looked} {', '.join(parts)}."
    if seen.n_gone:
        gone = _n(
            "{count} record of the collection is no longer in the file (it stays).",
            "{count} records of the collection are no longer in the file (they stay).",
            seen.n_gone,
        )
        told += f" {gone}"
    if seen.n_gone and seen.n_unidentified:
        unclear = _n(
            "{count} rejected record cannot be identified and may be one of these.",
            "{count} rejected records cannot be identified and may be among these.",
            seen.n_unidentified,
        )
        told += f" {unclear}"
    return told


def _kind(seen: FilePreview) -> str:
    if not seen.n_documents and not seen.n_there:
        return "sc-failed"
    return "sc-look" if seen.refusals or not seen.n_documents else "sc-good"


@st.cache_data(max_entries=64, show_spinner=False)
def _preview(
    name: str,
    collection: str,
    encoding: str | None,
    columns: tuple[tuple[str, str], ...],
    folder: str = "",
    library: str = "",
    mark: str = "",
) -> FilePreview | None:
    # Each upload has a folder of its own, and the mark changes with each write to the library, so
    # that the cache needs no other key.
    known = (Path(folder), library) if mark else None
    return preview_apart(
        Path(name), collection or None, known, encoding=encoding, columns=dict(columns)
    )


def _draw_start(settings: Settings, files: list[ReceivedFile]) -> None:
    """Draw where the documents go, and the button that starts the import."""
    st.header(_("Import into"), anchor=False)
    turn = st.session_state.get(state.IMPORT_ROUND, 0)
    with st.container(border=True, key="library-file"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="library-where"):
            target = st.session_state.get(state.IMPORT_TARGET)
            library = draw_library_choice(settings, state.IMPORT_LIBRARY, target)
            collection = st.text_input(
                _("Collection"),
                key=f"{state.IMPORT_COLLECTION}-{turn}",
                placeholder=_("the file's name"),
                help=_("A part of the library that searches can be limited to."),
            )
        problem = name_problem(settings, library, may_exist=True)
        if not library:
            st.caption(_("Choose a library, or type a name for a new one."))
        elif problem:
            st.error(plain(problem))
        elif find_library(settings.library_dir, library) is None:
            st.caption(
                plain(_("A new library, {library}, will be created.").format(library=library))
            )
        started = st.button(
            _n("Import {count} file", "Import {count} files", len(files)),
            key="library-import-start",
            type="primary",
            disabled=not library or bool(problem),
        )
        if started:
            _start(settings, files, library, collection.strip())
        if sentence := st.session_state.pop(state.IMPORT_PROBLEM, None):
            st.error(plain(sentence))
    st.caption(
        _(
            "The import runs in the background. You can close this page, and pause or cancel the "
            "import. What is stored stays, and nothing is imported twice."
        )
    )


def _start(settings: Settings, files: list[ReceivedFile], library: str, collection: str) -> None:
    # One job per encoding, because `import` reads all its files in the same one.
    by_encoding: dict[str | None, list[Path]] = {}
    for file in files:
        by_encoding.setdefault(chosen_encoding(file), []).append(file.path)
    try:
        library = settle_name(settings.library_dir, library)
        for encoding, paths in by_encoding.items():
            words = import_words(paths, library, collection, encoding)
            job = start_job(settings, words, kind=KIND, title=job_title(library, paths))
    except SubclustError as error:
        st.session_state[state.IMPORT_PROBLEM] = error_words(error)
        return
    # Files that are imported are deleted by their job, which may start much later.
    left = [file for file in _received() if file not in files]
    forget_uploads(settings.uploads_dir, [file.path for file in left])
    st.session_state[state.IMPORT_FILES] = []
    st.session_state[state.IMPORT_TARGET] = None
    show_started(job.id)


def _drop(settings: Settings, file: ReceivedFile) -> None:
    forget_uploads(settings.uploads_dir, [file.path])
    st.session_state[state.IMPORT_FILES] = [one for one in _received() if one != file]
