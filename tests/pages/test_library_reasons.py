"""Why something was refused, in the visitor's language; reports and files stay as they are."""

import ast
import csv
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from openpyxl import load_workbook
from sentences_in_code import texts

from subclust.exports.refused import COLUMNS, mended_row, refused_row
from subclust.ingest import reading
from subclust.ingest.reading import kind_of
from subclust.settings import PROJECT_ROOT
from subclust.sources.base import Refusal
from subclust.sources.opening import open_source
from subclust.ui import language
from subclust.ui.library_reasons import in_own_words, kind_in_own_words
from subclust.ui.library_refused import COLUMNS as WORDS
from subclust.ui.library_refused import rows_frame, table_file

SOURCES = PROJECT_ROOT / "subclust" / "sources"
FILES = [*SOURCES.rglob("*.py"), Path(reading.__file__)]


@pytest.fixture
def german(monkeypatch):
    monkeypatch.setattr(language, "language", lambda: "de")


def written():
    """Give every reason, advice and mending that a module of the sources writes."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            node.targets[0].id: [node.value]
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            args = node.args[1:3] if called == "Refusal" else []
            if called in ("remarks.append", "record.mended.append"):
                args = node.args
            for one in args:
                for text in texts(one, constants):
                    text = text if text.endswith(".") else f"{text}."
                    yield pytest.param(text, id=f"{path.stem}: {text[:40]}")


CASES = list({case.values[0]: case for case in written()}.values())


def test_there_is_something_to_say():
    assert len(CASES) > 50


@pytest.mark.parametrize("text", CASES)
def test_whatever_sources_say_has_german_words(german, text):
    said = in_own_words(text)
    assert said != text and "{" not in said
    assert text.count("7") == said.count("7")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("row 7 (lines 8 to 9)", "Tabellenzeile 7 (Zeilen 8 bis 9)"),
        ("line 4, after record 2", "Zeile 4, nach Datensatz 2"),
        ("record oai:x:1 (line 3)", "Datensatz oai:x:1 (Zeile 3)"),
        ("It has 5 cells, but the header has 4.", "Die Zeile hat 5 Zellen, die Kopfzeile aber 4."),
        ("It is not JSON (a {brace} in it).", "Das ist kein JSON (a {brace} in it)."),
        ("Something that no source says.", "Something that no source says."),
        ("", ""),
    ],
)
def test_what_is_particular_to_a_record_stays(german, text, said):
    assert in_own_words(text) == said


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("It has 5 cells, but the header has 4.", "Die Zeile hat n Zellen, die Kopfzeile aber n."),
        ("It is not JSON (line 1 (char 0)).", "Das ist kein JSON."),
        ("It is not well formed: line 7, what.", "Das XML ist nicht wohlgeformt."),
        ("It has no leader and directory of MARC 21.",
         "Satzkennung und Inhaltsverzeichnis von MARC 21 fehlen."),
        ("Other reasons.", "Andere Gründe."),
        ("Something that no source says (7).", "Something that no source says."),
    ],
)  # fmt: skip
def test_counted_reasons_are_said_without_it(german, reason, said):
    assert kind_in_own_words(kind_of(reason)) == said


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,text\n1,ants\n2,bees,more\n3,\n"),
        ("b.jsonl", '{"text": "ants"}\n[1]\n{"query": "q", "passages": [{"text": ""}]}\nx\n'),
        ("c.ris", "TY  - JOUR\nTI  - Ants\nER  - \nstray\nTY  - JOUR\nER  - \nTY  - JOUR\n"
                  "TI  - Bees\n"),
        ("d.bib", "@article{a, title = {Ants}}\n@article{b, year 1999}\n@article{c, title = {x\n"),
    ],
)  # fmt: skip
def test_files_with_faults_are_told_of_in_german(german, tmp_path, name, content):
    (tmp_path / name).write_text(content)
    items = list(open_source(tmp_path / name))
    refusals = [one for one in items if isinstance(one, Refusal)]
    assert refusals
    for one in refusals:
        for text in (one.place, one.reason, one.advice):
            assert in_own_words(text) != text, text
        assert kind_in_own_words(kind_of(one.reason)) != kind_of(one.reason)
    for what in (what for one in items if not isinstance(one, Refusal) for what in one.mended):
        assert in_own_words(what) != what, what


def test_the_page_and_its_file_say_it_and_reports_stay_as_they_are(german):
    refusal = Refusal("row 3", "It has no text.", "Nothing needs to be done.", "text", "row 3")
    rows = [refused_row("row 7", refusal)]
    said = ["row 7", "abgelehnt", "Tabellenzeile 3", "text", "Es fehlt der Text.",
            "Es ist nichts zu tun.", "row 3"]  # fmt: skip
    assert rows_frame(rows).iloc[0].tolist() == said
    table = list(csv.reader(io.StringIO(table_file(rows, "csv", "de").decode("utf-8-sig"))))
    assert table == [["Datei", "Was geschah", "Stelle", "Feld", "Warum", "Was zu tun ist",
                      "Wie es beginnt"], said]  # fmt: skip
    book = load_workbook(io.BytesIO(table_file(rows, "xlsx", "de")))
    assert [list(row) for row in book.active.values] == table
    assert rows[0][4] == "It has no text."


def test_the_file_is_made_outside_of_the_page_and_knows_its_language():
    rows = [mended_row("a.ris", "record 2", "It had no end mark (ER); it was taken to end where "
                       "the file does.")]  # fmt: skip
    with ThreadPoolExecutor() as elsewhere:
        german = elsewhere.submit(table_file, rows, "csv", "de").result().decode("utf-8-sig")
        english = elsewhere.submit(table_file, rows, "csv", "en").result().decode("utf-8-sig")
    assert "a.ris,ausgebessert,Datensatz 2,,Die Endmarke (ER) fehlte" in german
    assert english.splitlines()[0] == ",".join(COLUMNS)
    assert english.splitlines()[1].startswith("a.ris,mended,record 2,,It had no end mark (ER);")
    assert tuple(WORDS) == COLUMNS


def test_in_english_it_is_as_it_was_written():
    assert in_own_words("It has 5 cells, but the header has 4.").startswith("It has 5 cells, but")
    assert kind_in_own_words("It is not JSON.") == "It is not JSON."
