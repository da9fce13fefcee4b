"""Third step: what the check found, and keeping the set, whole or without the rows at fault."""

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.labelled.reading.checker import CheckReport, words_read
from subclust.labelled.sets import LabelledSetStore, Upload, why_not_without
from subclust.ui.components.error_words import error_words
from subclust.ui.components.plain import plain
from subclust.ui.i18n.language import _, _n, said
from subclust.ui.train.check import draw_headline, draw_problems
from subclust.ui.train.upload import draw_uploader
from subclust.ui.train.walk import go, start_anew, walk

_NOT_KEPT = "train-not-kept"


def draw_check(settings: Settings, upload: Upload) -> None:
    """Draw the report and what can be done next.

    Raises
    ------
    SubclustError
        If the upload is not there any more.
    """
    report = checked(settings, upload)
    st.header(_("What the check found"), anchor=False)
    st.caption(upload.filename)
    draw_headline(report)
    next_column = st.container()
    if report.problems:
        found, next_column = st.columns([7, 5], gap="large")
        with found:
            draw_problems(report, walk().columns or {})
    with next_column, st.container(key="train-next"):
        if report.errors:
            _draw_mend(settings, upload, report)
        else:
            _draw_keep(settings, upload, report, _("Keep this set and go on"))
        with st.container(horizontal=True):
            st.button(
                _("Change the columns"), key="train-back", on_click=go, kwargs={"agreed": False}
            )
            st.button(_("Take another file"), key="train-other-file", on_click=start_anew)


def checked(settings: Settings, upload: Upload) -> CheckReport:
    """Return the report of an upload with the columns that were agreed to; made once."""
    here = walk()
    if here.report is None or here.report.path != upload.path:
        with st.spinner(_("Checking every row …")):
            report = LabelledSetStore(settings.sets_dir).check_apart(
                upload, here.columns, max_words=words_read(settings.max_seq_length)
            )
        go(report=report)
        return report
    return here.report


def _draw_mend(settings: Settings, upload: Upload, report: CheckReport) -> None:
    why_not = said(why_not_without(report) or "")
    st.html(f"<h3 class='sc-kind'>{_('Either mend the file and bring it again')}</h3>")
    draw_uploader(settings, "train-mended", _("Upload the mended file"))
    if why_not:
        told = _("Going on without the rows at fault is not possible.")
        st.caption(f"{told} {plain(why_not)}")
        return
    n = len({(problem.row, problem.passage) for problem in report.errors})
    told = _n("Or go on without this row", "Or go on without these {count} rows", n)
    st.html(f"<h3 class='sc-kind'>{told}</h3>")
    label = _n("Continue without this row", "Continue without these {count} rows", n)
    _draw_keep(settings, upload, report, label)


def _draw_keep(settings: Settings, upload: Upload, report: CheckReport, label: str) -> None:
    key = "train-name"
    if key not in st.session_state:
        st.session_state[key] = walk().name
    st.text_input(
        _("Name of the set"),
        key=key,
        help=_(
            "Letters, digits, - and _. A set of the same name gets a new version; the older "
            "versions stay."
        ),
        max_chars=64,
        width=360,
    )
    if sentence := st.session_state.pop(_NOT_KEPT, None):
        st.error(plain(sentence))
    st.button(
        label,
        key="train-keep",
        type="primary",
        on_click=_keep,
        args=(settings, upload, report),
    )


def _keep(settings: Settings, upload: Upload, report: CheckReport) -> None:
    name = st.session_state["train-name"].strip()
    try:
        kept = LabelledSetStore(settings.sets_dir).keep(
            upload,
            name,
            walk().columns,
            without_errors=bool(report.errors),
            report=report,
        )
    except SubclustError as error:
        st.session_state[_NOT_KEPT] = error_words(error)
        go(name=name)
        return
    st.session_state.pop("train-name", None)
    go(chosen=kept.label, upload=None, columns=None, agreed=False, report=None, name="")
