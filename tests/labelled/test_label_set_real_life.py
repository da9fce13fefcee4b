"""Files as people have them."""

import pytest
from label_sets import incoming, kept, received
from raising import numbers, raises

from subclust.core.exceptions import LabelledSetError
from subclust.labelled.sets import LabelledSetStore

SUBJECTS = ["Stadtgeschichte", "Kräuter & Gärten", "Fischerei", "Börse", "Glasmalerei"]


@pytest.fixture
def store(tmp_path):
    return LabelledSetStore(tmp_path / "sets")


def excel_export(n_rows=60, without_label=()):
    """Write what Excel writes in Germany as "CSV UTF-8", the header being row 1."""
    rows = ["query;text;label;Bemerkung"]
    for number in range(2, n_rows + 2):
        subject = SUBJECTS[number % len(SUBJECTS)]
        label = "" if number in without_label else f"Thema {number // 5 % 3}"
        rows.append(f'{subject};"{subject}: der ""Fall"" {number}; früher";{label};')
    return ("\r\n".join(rows) + "\r\n").encode("utf-8-sig")


def test_an_excel_export_with_a_mark_and_semicolons(store):
    upload = received(store, excel_export(), "Ausgewählte Sätze (1).csv")
    preview = store.preview(upload)
    assert preview.header == ("query", "text", "label", "Bemerkung")
    assert preview.rows[0][1] == 'Fischerei: der "Fall" 2; früher'
    report = store.check(upload)
    assert not report.errors
    assert [w.kind for w in report.warnings if w.row is None] == ["other-separator", "few-queries"]
    one = store.keep(upload, "saetze")
    assert (one.n_queries, one.n_passages, one.filename) == (5, 60, "Ausgewählte Sätze (1).csv")


def test_missing_labels_are_named_by_row_number(store):
    upload = received(store, excel_export(without_label=(17, 42)))
    report = store.check(upload)
    assert numbers(report.groups[0].line) == ["2", "17", "42"]
    with raises(LabelledSetError, n=2, row=17, column="label"):
        store.keep(upload, "saetze")
    one = store.keep(upload, "saetze", without_errors=True)
    assert [row.where for row in one.left_out] == ["row 17", "row 42"]
    assert (one.n_passages, one.n_left_out) == (58, 2)


def test_three_planted_faults_are_found_and_mended(store):
    good = excel_export()
    lines = good.split(b"\r\n")
    lines[6] = lines[6].rpartition(b";Thema")[0] + b";;"  # row 7
    lines[20] = b";" + lines[20].partition(b";")[2]  # row 21
    lines[30] = b'"' + lines[30]  # row 31
    upload = received(store, b"\r\n".join(lines))
    report = store.check(upload)
    assert {(problem.row, problem.column) for problem in report.errors} >= {
        (7, "label"), (21, "query"),
    }  # fmt: skip
    assert {problem.row for problem in report.errors} == {7, 21, 31}
    mended = store.keep(received(store, good), "saetze")
    assert mended.n_passages == 60 and mended.left_out == ()


def test_latin_1_is_told_with_what_to_do_and_is_not_kept(store):
    content = excel_export().decode("utf-8-sig").encode("latin-1")
    upload = received(store, content)
    (problem, *_) = store.preview(upload).problems
    assert "Windows-1252 (line 2:" in problem.sentence
    assert '"CSV UTF-8"' in problem.sentence
    for without_errors in (False, True):
        with raises(LabelledSetError, line=2, other="Windows-1252", file="set.csv"):
            store.keep(upload, "saetze", without_errors=without_errors)


def test_a_reference_manager_export_with_other_columns(store):
    content = (
        '"Key","Title","Abstract Note","Manual Tags","Search"\r\n'
        + "".join(
            f'"K{n}","Paper {n}","What is found in paper {n}.","{"AB"[n % 2]}","q{n // 4}"\r\n'
            for n in range(12)
        )
    ).encode()
    upload = received(store, content, "My Library.csv")
    preview = store.preview(upload)
    assert preview.columns == {"query": "Search", "text": "Abstract Note", "title": "Title"}
    columns = {**preview.columns, "label": "Manual Tags", "id": "Key"}
    one = store.keep(upload, "mine", columns)
    assert (one.n_queries, one.n_passages) == (3, 12)


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32"])
def test_line_ends_and_encodings_give_the_same_set(store, newline, encoding):
    text = excel_export().decode("utf-8-sig")
    first = kept(store, text)
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    content = (mark + text.replace("\r\n", newline)).encode(encoding)
    assert kept(store, content).sha256 == first.sha256


def test_an_upload_that_is_not_wanted(store):
    upload = received(store, excel_export())
    store.discard(upload)
    store.discard(upload)
    assert incoming(store.folder) == []
