import csv
import gzip
import io
from unittest.mock import ANY

import pytest
from label_sets import kept, received
from labelled_files import GOOD_ROWS, csv_text, jsonl_text
from openpyxl import load_workbook
from raising import raises

from subclust.core.exceptions import InputError, LabelledSetError
from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import TEMPLATES, LabelledSetStore, export_left_out, template
from subclust.labelled.sets.export import EXPORT_ENDINGS
from subclust.labelled.sets.files import read_normal

ROWS = [
    ["query", "text", "label", "id", "title", "description", "path"],
    ["=1+1 of fruit", '+ a "text"; with,\nlines', "L", "7", "-Title", "in words", "L / part"],
    ["=1+1 of fruit", "@b é 漢 🍎", "M", "8", "", "", ""],
    ["other", "\tc", "L", "9", "", "", ""],
    ["other", "d", "007", "10", "", "", ""],
]


@pytest.fixture
def store(tmp_path):
    return LabelledSetStore(tmp_path / "sets")


@pytest.fixture
def one(store):
    return kept(store, csv_text(ROWS[1:], ROWS[0]))


@pytest.mark.parametrize("ending", EXPORT_ENDINGS)
def test_what_is_exported_is_what_is_kept(store, one, tmp_path, ending):
    path = tmp_path / f"out{ending}"
    path.write_text("something old")
    assert store.export("set", 1, path) == path
    assert read_instances(path) == read_instances(one.path) == list(read_normal(one.path))
    again = kept(store, path.read_bytes(), filename=path.name)
    assert not again.is_new
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_workbook_holds_texts_and_no_formulas(store, one, tmp_path):
    store.export("set", None, tmp_path / "out.xlsx")
    sheet = load_workbook(tmp_path / "out.xlsx").active
    assert sheet["A2"].value == "=1+1 of fruit" and sheet["A2"].data_type == "s"
    assert sheet["F5"].value == "007"


def test_a_csv_opens_in_a_spreadsheet_with_its_letters(store, one, tmp_path):
    store.export("set", None, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbfquery,description,id,")


@pytest.mark.parametrize(
    ("text", "values"), [("x" * 40_000, {"count": 40_000, "most": 32_767}), ("a\x07b", {})]
)
def test_nothing_is_cut_off_in_a_workbook(store, tmp_path, text, values):
    lines = [{"query": q, "passages": [{"text": text, "label": "a"}, {"text": "y", "label": "b"}]}
             for q in "ab"]  # fmt: skip
    kept(store, jsonl_text(lines), filename="set.jsonl")
    path = tmp_path / "out.xlsx"
    with raises(LabelledSetError, row=2, **values):
        store.export("set", None, path)
    assert not path.exists()
    store.export("set", None, path.with_suffix(".csv"))
    assert text in path.with_suffix(".csv").read_text(encoding="utf-8-sig")


def test_a_damaged_set_is_not_exported(store, one, tmp_path):
    for content in (b"", gzip.compress(b"{}"), gzip.compress(b"[1]\n"), b"\x1f\x8b"):
        one.path.write_bytes(content)
        if content:
            with raises(LabelledSetError, name="set@1"):
                store.export("set", None, tmp_path / "out.csv")
            assert not (tmp_path / "out.csv").exists()


def test_endings_and_places_that_cannot_be(store, one, tmp_path):
    with raises(InputError, file="out.doc"):
        store.export("set", None, tmp_path / "out.doc")
    with raises(LabelledSetError, file=ANY):
        store.export("set", None, tmp_path / "nowhere" / "out.csv")


def test_the_rows_left_out_and_why(store, tmp_path):
    rows = [*GOOD_ROWS, ["=apple", "a", "b"], ["fig", "", ""], ["fig", "ok", ""]]
    one = kept(store, csv_text(rows), without_errors=True)
    path = export_left_out(one, tmp_path / "left.csv")
    found = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    assert found[0] == ["row", "passage", "query", "reasons", "advice"]
    assert [row[0] for row in found[1:]] == ["22", "23", "24"]
    assert found[1][2] == "'=apple"  # no formula when it is opened
    assert [found[2][3].count(name) for name in ('"text"', '"label"', ";")] == [1, 1, 1]
    assert found[2][4] and ";" not in found[2][4]
    with raises(InputError, file="left.xlsx"):
        export_left_out(one, tmp_path / "left.xlsx")


@pytest.mark.parametrize("format", TEMPLATES)
def test_a_template_passes_the_check_and_all_say_the_same(store, tmp_path, format):
    path = tmp_path / f"template.{format}"
    path.write_bytes(template(format))
    report = check_labelled_set(path)
    assert [problem.kind for problem in report.problems] == ["few-queries"]
    assert (report.n_queries, report.n_passages, report.n_labels) == (2, 8, 4)
    first = kept(store, template("csv"))
    assert store.keep(received(store, template(format), path.name), "set") == first


def test_there_is_no_other_template():
    with raises(InputError, format="doc"):
        template("doc")
