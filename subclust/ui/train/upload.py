"""First step: a labelled set, from a file or from those that are kept."""

import html
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.labelled.sets import LabelledSetStore, suggested_name, template
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.i18n.language import N_, _
from subclust.ui.train.sets import draw_kept_sets
from subclust.ui.train.walk import forget_files, go, upload_key, walk
from subclust.ui.train.words import EXAMPLE_ROWS, WHAT_IS_A_SET

MOST_MEGABYTES = 200
FORMATS = N_("CSV, TSV, Excel (.xlsx) or JSON Lines")
_REFUSED = "train-refused"

_TEMPLATES = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("jsonl", "JSON Lines", "application/x-ndjson"),
)


def draw_set(settings: Settings) -> None:
    """Draw what a labelled set is, the upload, and the choice of one that is kept."""
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.header(_("Bring a labelled set"), anchor=False)
        told = _("Upload a labelled set: {formats}").format(formats=_(FORMATS))
        draw_uploader(settings, "train-file", told)
        st.header(_("Or use one that is kept here"), anchor=False)
        draw_kept_sets(settings)
    with right:
        st.header(_("What is a labelled set?"), anchor=False)
        st.write(_(WHAT_IS_A_SET))
        st.html(example_table())
        draw_templates()


def draw_uploader(settings: Settings, key: str, label: str) -> None:
    """Draw an upload field; what arrives goes to disk at once, or is refused with a sentence.

    The name that the visitor has given before is kept, and so are the columns where the new file
    has them.
    """
    file = st.file_uploader(
        label,
        key=upload_key(key),
        max_upload_size=MOST_MEGABYTES,
        help=_("The file stays on this machine. JSON Lines may be packed (.jsonl.gz)."),
    )
    if file is None:
        st.session_state.pop(_REFUSED, None)
        return
    refused = st.session_state.get(_REFUSED)
    if refused is None or refused[0] != file.file_id:
        refused = (file.file_id, _receive(settings, file))
        st.session_state[_REFUSED] = refused
    if refused[1] is None:
        st.session_state.pop(_REFUSED, None)
        forget_files()
        st.rerun()
    st.error(plain(error_words(refused[1])))


def draw_templates() -> None:
    """Offer an example to fill in, in three formats."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<span class='sc-note'>{_('Templates to fill in:')}</span>", width="content")
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


def example_table() -> str:
    """Write the example as a table."""
    rows = "".join(
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>"
        for row in EXAMPLE_ROWS
    )
    label = html.escape(_("Example of a labelled set"), quote=True)
    return (
        f"<div class='sc-scroll' tabindex='0' role='region' aria-label='{label}'>"
        "<table class='sc-rows'><thead><tr><th scope='col'>query</th><th scope='col'>text</th>"
        f"<th scope='col'>label</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _receive(settings: Settings, file: UploadedFile) -> str | None:
    """Write an upload to disk and go on with it; give the sentence that refuses it, if any."""
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
