"""First step: a labelled set, from a file or from those that are stored."""

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.core.access import may_see
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_set
from subclust.labelled.sets import (
    SET_PREFIX,
    LabelledSet,
    LabelledSetStore,
    export_set,
    set_reference,
    suggested_name,
    template,
)
from subclust.ui import state
from subclust.ui.components.data_folder import (
    draw_damaged,
    draw_recently_deleted,
    draw_sharing,
)
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.markup import draw_plain_table
from subclust.ui.components.words import error_words, moment, plain
from subclust.ui.i18n.language import _, _n
from subclust.ui.train.walk import forget_files, go, upload_key, walk

EXAMPLE_ROWS: tuple[tuple[str, str, str], ...] = (
    ("water in cities", "Lead pipes were banned in new houses in 1986.", "Pipes and taps"),
    ("water in cities", "Rain gardens soak up what falls on roofs and streets.", "Rain"),
    ("water in cities", "A leaking tap wastes thousands of litres a year.", "Pipes and taps"),
    ("history of tea", "Monks brought tea plants to Japan in the ninth century.", "Spread"),
)
"""Query, text and label of four rows of a labelled set."""

_MOST_MEGABYTES = 200

_TEMPLATES = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("jsonl", "JSON Lines", "application/x-ndjson"),
)
_FORMATS = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("jsonl.gz", "JSON Lines", "application/gzip"),
)


def draw_set(settings: Settings) -> None:
    """Draw what a labelled set is, the upload, and the choice of a stored one."""
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.header(_("Upload a labelled set"), anchor=False)
        draw_uploader(settings, "train-file", _("CSV, TSV, Excel (.xlsx) or JSON Lines"))
        st.header(_("Or use a stored set"), anchor=False)
        _draw_stored(settings)
    with right:
        st.header(_("What is a labelled set?"), anchor=False)
        st.write(
            _(
                "A labelled set is a table of passages. For each passage, somebody has written the "
                "question that it answers and the subtopic of that question that it belongs to. "
                "The more questions, the better; each needs at least two subtopics with passages."
            )
        )
        draw_plain_table(["query", "text", "label"], EXAMPLE_ROWS, _("Example of a labelled set"))
        _draw_templates()


def draw_uploader(settings: Settings, key: str, label: str) -> None:
    """Draw an upload field; a file goes to disk at once, or is rejected with a sentence.

    The name stays, and so do the columns where the new file has them.
    """
    file = st.file_uploader(
        label,
        key=upload_key(key),
        max_upload_size=_MOST_MEGABYTES,
        help=_("The file stays on this machine. JSON Lines may be compressed (.jsonl.gz)."),
    )
    if file is None:
        st.session_state.pop(state.SET_REJECTED, None)
        return
    rejected = st.session_state.get(state.SET_REJECTED)
    # The field still holds a rejected file at every run; it must not be received again each time.
    if rejected is None or rejected[0] != file.file_id:
        rejected = (file.file_id, _receive(settings, file))
        st.session_state[state.SET_REJECTED] = rejected
    if rejected[1] is None:
        st.session_state.pop(state.SET_REJECTED, None)
        forget_files()
        st.rerun()
    st.error(plain(error_words(rejected[1])))


def _draw_templates() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("Templates:"), width="content")
        for ending, label, mime in _TEMPLATES:
            st.download_button(
                label,
                partial(template, ending),
                file_name=f"labelled-set.{ending}",
                mime=mime,
                on_click="ignore",
                key=f"train-template-{ending}",
                help=_("An example set as {format}").format(format=label),
            )


def _receive(settings: Settings, file: UploadedFile) -> str | None:
    """Write an upload to disk and continue with it; return the sentence that rejects it, if any."""
    store = LabelledSetStore(settings.sets_dir)
    before = walk()
    try:
        with st.spinner(_("Receiving the file …")):
            upload = store.receive(file, file.name, n_bytes=file.size)
            header = store.preview(upload).header
    except SubclustError as error:
        return error_words(error)
    if before.upload is not None:
        store.discard(before.upload)
    same = before.agreed and set((before.columns or {}).values()) <= set(header)
    name = before.name or suggested_name(file.name)
    go(upload=upload, agreed=same, report=None, name=name)
    return None


def _draw_stored(settings: Settings) -> None:
    """Draw the choice of a stored set, with its actions."""
    store = LabelledSetStore(settings.sets_dir)
    draw_damaged(
        store.damaged(),
        "set",
        lambda label: delete_set(settings, *set_reference(SET_PREFIX + label)),
    )
    kept = {one.label: one for one in store.sets()}
    if not kept:
        st.caption(_("No stored sets yet. A set that you upload is stored and listed here."))
        draw_recently_deleted(settings, "set")
        return
    chosen = st.selectbox(
        _("Stored sets"),
        list(kept),
        format_func=lambda label: _set_label(kept[label]),
        key="train-kept",
        width=520,
    )
    one = kept[chosen]
    st.caption(plain(_set_facts(one)))
    with st.container(horizontal=True):
        st.button(
            _("Use this set"),
            key="train-use-set",
            type="primary",
            on_click=go,
            kwargs={"chosen": one.label},
        )
        dialog_button(_("Export"), lambda: _draw_files(one), key="train-export")
        if mine := may_see(one.owner):
            dialog_button(_("Delete"), lambda: _ask_to_delete(one, settings), key="train-delete")
    if mine:
        draw_sharing(one, partial(store.share, one.name), f"set-share-{one.name}")
    else:
        st.caption(plain(_("Shared by {owner}.").format(owner=one.owner)))
    draw_recently_deleted(settings, "set")


def _draw_files(one: LabelledSet) -> None:
    for ending, label, mime in _FORMATS:
        st.download_button(
            label,
            partial(_exported, one, ending),
            file_name=f"{one.name}-{one.version}.{ending}",
            mime=mime,
            on_click="ignore",
            key=f"train-export-{ending}",
            width="stretch",
        )


def _ask_to_delete(one: LabelledSet, settings: Settings) -> None:
    told = _(
        "Delete version {version} of {set}? You can restore it for 30 days, under “Recently "
        "deleted”. Models that were trained on it stay."
    )
    st.write(told.format(version=one.version, set=one.name))
    if not st.button(_("Delete this version"), key="train-delete-yes"):
        return
    try:
        delete_set(settings, one.name, one.version)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    st.session_state.pop("train-kept", None)
    st.rerun()


def _set_label(one: LabelledSet) -> str:
    return _("{set}, version {version} ({queries})").format(
        set=one.name,
        version=one.version,
        queries=_n("{count} question", "{count} questions", one.n_queries),
    )


def _set_facts(one: LabelledSet) -> str:
    """Return what a set holds, and when it was stored."""
    left_out = ""
    if one.n_left_out:
        left_out = ", " + _n("{count} row left out", "{count} rows left out", one.n_left_out)
    return _("{queries}, {passages} in {subtopics}{left_out}; stored on {day}.").format(
        queries=_n("{count} question", "{count} questions", one.n_queries),
        passages=_n("{count} passage", "{count} passages", one.n_passages),
        subtopics=_n("{count} subtopic", "{count} subtopics", one.n_labels),
        left_out=left_out,
        day=moment(one.created),
    )


def chosen_words(one: LabelledSet) -> str:
    """Return which set was chosen, and what it holds, in Markdown."""
    name = _("{set}, version {version}").format(set=one.name, version=one.version)
    return f"**{plain(name)}**  \n{_set_facts(one)}"


def _exported(one: LabelledSet, ending: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"set.{ending}"
        export_set(one, path)
        return path.read_bytes()
