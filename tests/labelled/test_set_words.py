"""What is wrong with a labelled set, in the visitor's language."""

import io
import re

import pytest
from broken_sets import BROKEN
from malformed_uploads import CSV, NAMES, OTHERS, under_every_ending
from raising import numbers

from subclust.core.exceptions import FileFormatError
from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.reading.problems import Problem, ProblemGroup, quoted
from subclust.labelled.sets import LabelledSetStore, why_not_without
from subclust.ui.components.words import error_words
from subclust.ui.i18n import language
from subclust.ui.i18n.language import said
from subclust.ui.train.check import _problem_rows, _report_csv

ENGLISH = re.compile(
    r"\b(the|of|and|which|with|are|that|this|from|your|it|its|is|not|to|for|row|line|cells?)\b"
)
PYTHONS = ("broken-gzip", "bad-row", "not-json", "damaged-workbook")
"""Kinds whose words have what Python says of the file in brackets."""


def report_of(tmp_path, name):
    content = BROKEN[name][0]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return check_labelled_set(path)


def left_in_english(text, kind=""):
    text = re.sub(r"„[^“]*“|“[^”]*”|\"[^\"]*\"", " ", text)
    if kind in PYTHONS:
        text = re.sub(r"\(.*\)", " ", text)
    text = re.sub(r"\(gefunden: .*?\)", " ", text)  # the names of columns
    return ENGLISH.findall(text)


@pytest.fixture
def german(monkeypatch):
    monkeypatch.setattr(language, "language", lambda: "de")


@pytest.mark.parametrize("name", BROKEN)
def test_whatever_is_wrong_with_a_set_is_told_in_german(german, tmp_path, name):
    report = report_of(tmp_path, name)
    for problem in report.problems:
        for told in (problem.where, problem.what, problem.advice, problem.sentence):
            told = said(told).replace(name, "")
            assert left_in_english(told, problem.kind) == [], told
    for group in report.groups:
        assert left_in_english(said(group.line), group.problems[0].kind) == []
    if why_not := why_not_without(report):
        kind = report.errors[0].kind
        assert left_in_english(said(why_not), kind) == [], why_not


def test_many_rows_are_told_of_together(german):
    rows = [Problem("empty-cell", "a.csv", row, column="label") for row in range(2, 1502)]
    many = said(ProblemGroup(tuple(rows)).line)
    assert numbers(many) == ["1.500", "2", "3", "4", "1.497"] and "„label“" in many
    lines = [
        Problem("wrong-type", "a.jsonl", 7, place, "text", quoted("5"), in_lines=True)
        for place in (1, 2)
    ]
    assert numbers(said(ProblemGroup(tuple(lines)).line)) == ["2", "7", "1", "7", "2"]
    assert said(lines[1].where) == "Zeile 7, Textstelle 2"
    assert said(lines[0].what).endswith("(gefunden: „5“)")


def test_what_visitors_wrote_is_not_translated(german):
    label = Problem("near-label", "a.csv", 3, column="label", found=quoted("row 3"), other="line 5")
    assert "„row 3“ unterscheidet sich von „line 5“" in said(label.what)
    columns = Problem("missing-column", "a.csv", 1, column="text", found="id, plant cells")
    assert said(columns.what).endswith("(gefunden: id, plant cells)")


def test_the_table_and_its_file_are_german_and_name_the_columns_of_the_file(german, tmp_path):
    path = tmp_path / "a.csv"
    rows = "war,ants,\nwar,bees,b\nwar,wasps,c\ntax,ants,d\ntax,bees,e\n"
    path.write_text(f"Frage,Text,Thema\n{rows}", encoding="utf-8")
    columns = {"query": "Frage", "text": "Text", "label": "Thema"}
    report = check_labelled_set(path, columns=columns)
    row = _problem_rows(report, columns)[0]
    assert "Tabellenzeile 2" in row.values()
    assert "Die Spalte „Thema“ ist leer." in row.values()
    assert "Die Spalte „Thema“ ist leer." in _report_csv(report, columns).decode("utf-8-sig")


def test_what_is_refused_as_it_arrives_is_told_in_german(german, tmp_path):
    store = LabelledSetStore(tmp_path / "sets")
    for name, content in [*under_every_ending(), *OTHERS.items(), *((n, CSV) for n in NAMES)]:
        with pytest.raises(FileFormatError) as error:
            store.receive(io.BytesIO(content), name)
        told = error_words(error.value)
        assert told != str(error.value), told
        assert left_in_english(told.replace(name, "")) == [], told
