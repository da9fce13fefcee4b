"""The labelled sets that are kept: choosing one, taking it along, deleting it."""

import html
import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_set
from subclust.labelled.sets import (
    SET_PREFIX,
    LabelledSet,
    LabelledSetStore,
    export_set,
    set_reference,
)
from subclust.ui.components.damaged import draw_damaged
from subclust.ui.components.dialogs import dialog_button
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.components.recently_deleted import draw_recently_deleted
from subclust.ui.components.times import moment
from subclust.ui.i18n.language import _, _n
from subclust.ui.train.walk import go

_FORMATS = (
    ("csv", "CSV", "text/csv"),
    ("xlsx", "Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("jsonl.gz", "JSON Lines", "application/gzip"),
)


def draw_kept_sets(settings: Settings) -> None:
    """Draw the choice of a kept set, with what can be done with it."""
    store = LabelledSetStore(settings.sets_dir)
    draw_damaged(
        store.damaged(), lambda label: delete_set(settings, *set_reference(SET_PREFIX + label))
    )
    kept = {one.label: one for one in store.sets()}
    if not kept:
        st.caption(_("No set is kept here yet. Upload one, and it will be listed here."))
        draw_recently_deleted(settings, "set")
        return
    chosen = st.selectbox(
        _("Kept sets"),
        list(kept),
        format_func=lambda label: set_label(kept[label]),
        key="train-kept",
        width=520,
    )
    one = kept[chosen]
    st.html(f"<p class='sc-note'>{set_facts(one)}</p>")
    with st.container(horizontal=True):
        st.button(
            _("Use this set"),
            key="train-use-set",
            type="primary",
            on_click=go,
            kwargs={"chosen": one.label},
        )
        dialog_button(_("Take it along"), lambda: _draw_files(one), key="train-export")
        dialog_button(_("Delete"), lambda: _ask_to_delete(store, one, settings), key="train-delete")
    draw_recently_deleted(settings, "set")


def _draw_files(one: LabelledSet) -> None:
    for ending, label, mime in _FORMATS:
        st.download_button(
            label,
            partial(exported, one, ending),
            file_name=f"{one.name}-{one.version}.{ending}",
            mime=mime,
            on_click="ignore",
            key=f"train-export-{ending}",
            width="stretch",
        )


def _ask_to_delete(store: LabelledSetStore, one: LabelledSet, settings: Settings) -> None:
    told = _(
        "Delete version {version} of {set}? For seven days it can be put back, under “Recently "
        "deleted”; models that were trained on it stay."
    )
    st.write(told.format(version=one.version, set=one.name))
    if st.button(_("Delete this version"), key="train-delete-yes"):
        _delete(store, one, settings)


def set_label(one: LabelledSet) -> str:
    """Name a set with its version and size."""
    return _("{set}, version {version} ({queries})").format(
        set=one.name,
        version=one.version,
        queries=_n("{count} query", "{count} queries", one.n_queries),
    )


def set_facts(one: LabelledSet) -> str:
    """Return what a set holds and where it came from; it holds no markup."""
    left_out = ""
    if one.n_left_out:
        left_out = ", " + _n("{count} row left out", "{count} rows left out", one.n_left_out)
    return _("{queries}, {passages} in {subtopics}{left_out}; kept on {day}.").format(
        queries=_n("{count} query", "{count} queries", one.n_queries),
        passages=_n("{count} passage", "{count} passages", one.n_passages),
        subtopics=_n("{count} subtopic", "{count} subtopics", one.n_labels),
        left_out=left_out,
        day=moment(one.created),
    )


def chosen_html(one: LabelledSet) -> str:
    """Write which set was chosen, and what it holds."""
    name = html.escape(_("{set}, version {version}").format(set=one.name, version=one.version))
    return f"<p class='sc-said'><strong>{name}</strong><br>{set_facts(one)}</p>"


def exported(one: LabelledSet, ending: str) -> bytes:
    """Write a set in a format; only when somebody asks for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"set.{ending}"
        export_set(one, path)
        return path.read_bytes()


def _delete(store: LabelledSetStore, one: LabelledSet, settings: Settings) -> None:
    try:
        delete_set(settings, one.name, one.version)
    except SubclustError as error:
        st.error(plain(error_words(error)))
        return
    st.session_state.pop("train-kept", None)
    st.rerun()
