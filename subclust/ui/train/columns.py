"""Second step: which column of the file holds what."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from subclust.core.settings import Settings
from subclust.labelled.reading.labelled import COLUMNS, REQUIRED_COLUMNS
from subclust.labelled.sets import LabelledSetStore, Preview, Upload
from subclust.ui.components.plain import plain
from subclust.ui.i18n.language import _, said
from subclust.ui.train.walk import go, start_anew, walk
from subclust.ui.train.words import COLUMN_WORDS

_OPTIONAL = tuple(name for name in COLUMNS if name not in REQUIRED_COLUMNS)


@st.cache_data(max_entries=16, show_spinner=False)
def _preview(_store: LabelledSetStore, _upload: Upload, folder: str) -> Preview:
    # An upload's folder is never given twice.
    return _store.preview(_upload)


def draw_columns(settings: Settings, upload: Upload) -> None:
    """Draw the guessed columns, which can be changed, above the first rows of the file.

    Raises
    ------
    SubclustError
        If the upload is not there any more.
    """
    preview = _preview(LabelledSetStore(settings.sets_dir), upload, upload.path.parent.name)
    st.header(_("Which column holds what?"), anchor=False)
    told = _("{file}: this is a guess from the names of the columns; change what is wrong.")
    st.caption(told.format(file=upload.filename))
    for problem in preview.problems:
        st.warning(plain(said(problem.sentence)))
    guess = guessed(preview, walk().columns)
    given = _draw_choices(REQUIRED_COLUMNS, preview, guess, upload)
    with st.expander(_("More columns, all optional"), key="train-more-columns"):
        given |= _draw_choices(_OPTIONAL, preview, guess, upload)
    st.dataframe(
        pd.DataFrame(preview.rows, columns=unlike(preview.header)),
        hide_index=True,
        key="train-preview",
        alt=_("The first rows of the file"),
        height=270,
    )
    columns = {ours: theirs for ours, theirs in given.items() if theirs is not None}
    sentence = columns_problem(columns)
    if sentence:
        st.warning(sentence)
    with st.container(horizontal=True):
        st.button(
            _("Check the set"),
            key="train-check",
            type="primary",
            disabled=sentence is not None,
            on_click=go,
            kwargs={"columns": columns, "agreed": True, "report": None},
        )
        st.button(_("Take another file"), key="train-other-file", on_click=start_anew)


def guessed(preview: Preview, before: Mapping[str, str] | None) -> dict[str, str]:
    """Return the columns as the visitor said before, where the file has them, else the guess."""
    known = {ours: name for ours, name in (before or {}).items() if name in preview.header}
    return {**preview.columns, **known}


def columns_problem(columns: Mapping[str, str]) -> str | None:
    """Return what is wrong with a choice of columns, None if nothing is."""
    missing = [_(COLUMN_WORDS[name][0]) for name in REQUIRED_COLUMNS if name not in columns]
    if missing:
        return _("Say which column holds: {names}.").format(names=", ".join(missing))
    doubled = [name for name in columns.values() if list(columns.values()).count(name) > 1]
    if doubled:
        told = _("The column {name} is chosen twice; each can hold one thing only.")
        return told.format(name=doubled[0])
    return None


def unlike(header: Sequence[str]) -> list[str]:
    """Tell columns of one name apart by their number, and name those that have none."""
    return [
        name
        if name and list(header).count(name) == 1
        else _("{name} (column {number})").format(name=name, number=number).strip()
        for number, name in enumerate(header, start=1)
    ]


def _draw_choices(
    names: Sequence[str], preview: Preview, guess: Mapping[str, str], upload: Upload
) -> dict[str, str | None]:
    options = list(dict.fromkeys(name for name in preview.header if name))
    given = {}
    for name, place in zip(names, st.columns(len(names)), strict=True):
        label, meaning = COLUMN_WORDS[name]
        at = options.index(guess[name]) if guess.get(name) in options else None
        with place:
            given[name] = st.selectbox(
                _(label),
                options,
                index=at,
                placeholder=_("not in the file"),
                key=f"train-column-{name}-{upload.sha256[:8]}",
                help=_(meaning),
            )
    return given
