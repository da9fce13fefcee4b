"""Second and third step: the columns of a file, its check, and storing it as a set."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.exports.tables import harmless
from subclust.labelled.reading.checker import CheckReport, words_read
from subclust.labelled.reading.labelled import COLUMNS, REQUIRED_COLUMNS
from subclust.labelled.reading.problems import ProblemGroup
from subclust.labelled.sets import LabelledSetStore, Preview, Upload, hindrance, why_not_without
from subclust.ui import state
from subclust.ui.components.markup import draw_verdict
from subclust.ui.components.words import error_words, plain
from subclust.ui.i18n.language import N_, _, _n, number, said
from subclust.ui.train.sets import draw_uploader
from subclust.ui.train.walk import go, restart, walk

COLUMN_WORDS: Mapping[str, tuple[str, str]] = {
    "query": (N_("Question"), N_("What the passages answer: a question, subject heading, search.")),
    "text": (N_("Passage"), N_("The paragraph or abstract itself.")),
    "label": (N_("Subtopic"), N_("The group of its question that the passage belongs to.")),
    "id": (N_("Number or id"), N_("Optional: what identifies a passage.")),
    "title": (N_("Title"), N_("Optional: title of the article or record.")),
    "description": (N_("Longer question"), N_("Optional: the question in a sentence or two.")),
    "path": (
        N_("Full path"),
        N_("Optional: finer subtopics, such as History / Early years."),
    ),
}
"""Of each of our columns: its label, and what it holds."""


_OPTIONAL = tuple(name for name in COLUMNS if name not in REQUIRED_COLUMNS)
_MANY_ROWS = 2000
"""Problems that the table on the page shows; the download has all."""

_SEVERITY = {"error": N_("Error"), "warning": N_("Warning")}


@st.cache_data(max_entries=16, show_spinner=False)
def _preview(_store: LabelledSetStore, _upload: Upload, folder: str) -> Preview:
    # An upload's folder is never given twice.
    return _store.preview(_upload)


def draw_columns(settings: Settings, upload: Upload) -> None:
    """Draw the guessed columns, which can be changed, above the first rows of the file."""
    preview = _preview(LabelledSetStore(settings.sets_dir), upload, upload.path.parent.name)
    st.header(_("Which column holds what?"), anchor=False)
    guess = _guessed(preview, walk().columns)
    told = _("{file}: guessed from the names of the columns. Change what is wrong.")
    st.caption((told if guess else "{file}").format(file=plain(upload.filename)))
    for problem in preview.problems:
        st.warning(plain(said(problem.sentence)))
    given = _draw_choices(REQUIRED_COLUMNS, preview, guess, upload)
    with st.expander(_("More columns (optional)"), key="train-more-columns"):
        given |= _draw_choices(_OPTIONAL, preview, guess, upload)
    st.dataframe(
        pd.DataFrame(preview.rows, columns=_unlike(preview.header)),
        hide_index=True,
        key="train-preview",
        alt=_("The first rows of the file"),
        height=270,
    )
    columns = {ours: theirs for ours, theirs in given.items() if theirs is not None}
    sentence = _columns_problem(columns)
    if sentence:
        st.warning(plain(sentence))
    with st.container(horizontal=True):
        st.button(
            _("Check the set"),
            key="train-check",
            type="primary",
            disabled=sentence is not None,
            on_click=go,
            kwargs={"columns": columns, "agreed": True, "report": None},
        )
        st.button(_("Choose another file"), key="train-other-file", on_click=restart)


def _guessed(preview: Preview, before: Mapping[str, str] | None) -> dict[str, str]:
    """Return the columns that the visitor chose before, where the file has them, else the guess."""
    known = {ours: name for ours, name in (before or {}).items() if name in preview.header}
    # A table may call its columns as this page does, in the visitor's language.
    called = {name.strip().casefold(): name for name in preview.header}
    words = {ours: _(label).casefold() for ours, (label, _meaning) in COLUMN_WORDS.items()}
    own = {ours: called[word] for ours, word in words.items() if word in called}
    return {**own, **preview.columns, **known}


def _columns_problem(columns: Mapping[str, str]) -> str | None:
    """Return what is wrong with a choice of columns, None if nothing is."""
    missing = [_(COLUMN_WORDS[name][0]) for name in REQUIRED_COLUMNS if name not in columns]
    if missing:
        return _("Choose the columns of: {names}.").format(names=", ".join(missing))
    doubled = [name for name in columns.values() if list(columns.values()).count(name) > 1]
    if doubled:
        told = _("The column {name} is chosen twice. Choose each column once.")
        return told.format(name=doubled[0])
    return None


def _unlike(header: Sequence[str]) -> list[str]:
    """Return names for all columns, with the number of those that share a name or have none."""
    # A data frame with two columns of the same name cannot be drawn.
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


def _draw_problems(report: CheckReport, columns: Mapping[str, str]) -> None:
    """Draw the problems by kind, and each in a table, with the columns named as in the file."""
    if not report.problems:
        return
    titles = {"error": _("Errors"), "warning": _("Warnings, which you can ignore")}
    for severity, title in titles.items():
        groups = [group for group in report.groups if group.severity == severity]
        if groups:
            st.subheader(title, anchor=False)
            with st.container(key=f"train-problems-{severity}"):
                st.markdown("\n".join(_item(group, columns) for group in groups))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            _("Download the list"),
            _report_csv(report, columns),
            file_name=f"{report.file.split('.')[0]}-problems.csv",
            mime="text/csv",
            on_click="ignore",
            key="download-report",
        )
    title = _("All problems as a table ({count})").format(count=number(len(report.problems)))
    with st.expander(title, key="problems"):
        if len(report.problems) > _MANY_ROWS:
            told = _("The first {count} are shown; the download has all.")
            st.caption(told.format(count=number(_MANY_ROWS)))
        st.dataframe(
            pd.DataFrame(_problem_rows(report, columns)[:_MANY_ROWS]),
            hide_index=True,
            key="problems-table",
            alt=_("All problems with their rows and how to fix them"),
            column_config={
                _("Where"): st.column_config.TextColumn(width=130),
                _("What"): st.column_config.TextColumn(width=360),
                _("How to fix it"): st.column_config.TextColumn(width=420),
                _("Question"): st.column_config.TextColumn(width=200),
            },
        )


def _verdict(report: CheckReport) -> str:
    """Return ``"good"``, ``"look"`` (warnings), ``"mend"`` (errors) or ``"useless"``."""
    if report.errors:
        return "useless" if hindrance(report) is not None else "mend"
    return "look" if report.warnings else "good"


def _headline(report: CheckReport) -> str:
    """Return whether a set can be used, in a line or two."""
    used = _("{queries} with {passages} in {subtopics}").format(
        queries=_n("{count} question", "{count} questions", report.n_queries),
        passages=_n("{count} passage", "{count} passages", report.n_passages),
        subtopics=_n("{count} subtopic", "{count} subtopics", report.n_labels),
    )
    match _verdict(report):
        case "good":
            return _("No problems: {used}.").format(used=used)
        case "look":
            things = _n("{count} warning.", "{count} warnings.", len(report.warnings))
            told = _("It can be used as it is: {used}. {things}")
            return told.format(used=used, things=things)
        case "mend":
            left_out = report.n_rows - report.n_passages
            told = (
                _("1 of {passages} cannot be used as it is; the others can: {used}.")
                if left_out == 1
                else _("{count} of {passages} cannot be used as they are; the others can: {used}.")
            )
            passages = _n("{count} passage", "{count} passages", report.n_rows)
            return told.format(count=number(left_out), passages=passages, used=used)
    return _("This file cannot be used as it is.")


def _problem_rows(report: CheckReport, columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return all problems as rows of a table, errors first."""
    ordered = [*report.errors, *report.warnings]
    return [
        {
            "": _(_SEVERITY[problem.severity]),
            _("Where"): said(problem.where),
            _("What"): _sentence(said(problem.what), columns),
            _("How to fix it"): _sentence(error_words(problem.advice), columns),
            _("Question"): problem.query or "",
        }
        for problem in ordered
    ]


def _report_csv(report: CheckReport, columns: Mapping[str, str]) -> bytes:
    """Write all problems as CSV that a spreadsheet opens, without running any formula."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["", _("Where"), _("What"), _("How to fix it"), _("Question")])
    for row in _problem_rows(report, columns):
        writer.writerow([harmless(str(cell)) for cell in row.values()])
    return stream.getvalue().encode("utf-8-sig")


def _item(group: ProblemGroup, columns: Mapping[str, str]) -> str:
    line = _sentence(said(group.line), columns)
    advice = _sentence(error_words(group.advice), columns)
    return f"- **{plain(line)}**  \n  :gray[{plain(advice)}]"


def _sentence(text: str, columns: Mapping[str, str]) -> str:
    """Return a text as a sentence, with the columns named as in the file."""
    named = _('column "{name}"')
    for ours, theirs in columns.items():
        text = text.replace(named.format(name=ours), named.format(name=theirs))
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


def draw_check(settings: Settings, upload: Upload) -> None:
    """Draw the report and the next actions."""
    report = _checked(settings, upload)
    st.header(_("What the check found"), anchor=False)
    st.caption(plain(upload.filename))
    draw_verdict(_headline(report), f"sc-{_verdict(report)}")
    next_column = st.container()
    if report.problems:
        found, next_column = st.columns([7, 5], gap="large")
        with found:
            _draw_problems(report, walk().columns or {})
    with next_column, st.container(key="train-next"):
        if report.errors:
            _draw_mend(settings, upload, report)
        else:
            _draw_store(settings, upload, report, _("Store this set and continue"))
        with st.container(horizontal=True):
            st.button(
                _("Change the columns"), key="train-back", on_click=go, kwargs={"agreed": False}
            )
            st.button(_("Choose another file"), key="train-other-file", on_click=restart)


def _checked(settings: Settings, upload: Upload) -> CheckReport:
    """Return the report of an upload with the confirmed columns, made once."""
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
    st.subheader(_("Either fix the file and upload it again"), anchor=False)
    draw_uploader(settings, "train-mended", _("Upload the fixed file"))
    if why_not:
        told = _("You cannot continue without the rows that have errors.")
        st.caption(f"{told} {plain(why_not)}")
        return
    n = len({(problem.row, problem.passage) for problem in report.errors})
    told = _n("Or continue without this row", "Or continue without these {count} rows", n)
    st.subheader(told, anchor=False)
    label = _n("Continue without this row", "Continue without these {count} rows", n)
    _draw_store(settings, upload, report, label)


def _draw_store(settings: Settings, upload: Upload, report: CheckReport, label: str) -> None:
    key = "train-name"
    if key not in st.session_state:
        st.session_state[key] = walk().name
    st.text_input(
        _("Name of the set"),
        key=key,
        help=_(
            "Letters, digits, - and _. A set of the same name becomes a new version; older "
            "versions stay."
        ),
        max_chars=64,
        width=360,
    )
    if sentence := st.session_state.pop(state.SET_PROBLEM, None):
        st.error(plain(sentence))
    st.button(
        label,
        key="train-keep",
        type="primary",
        on_click=_store,
        args=(settings, upload, report),
    )


def _store(settings: Settings, upload: Upload, report: CheckReport) -> None:
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
        st.session_state[state.SET_PROBLEM] = error_words(error)
        go(name=name)
        return
    st.session_state.pop("train-name", None)
    go(chosen=kept.label, upload=None, columns=None, agreed=False, report=None, name="")
