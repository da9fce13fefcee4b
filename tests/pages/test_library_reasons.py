"""Why something was refused, in the visitor's language; reports and files stay as they are."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from openpyxl import load_workbook
from raising import numbers

from subclust.core.messages import Message
from subclust.core.translation import translated
from subclust.exports.refused import COLUMNS, mended_row, refused_row
from subclust.text.encoders import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.ingest.import_record import ImportRecord, read_account
from subclust.text.sources.base import Refusal
from subclust.text.sources.opening import open_source
from subclust.ui.i18n import language
from subclust.ui.i18n.language import said
from subclust.ui.library.records import COLUMNS as WORDS
from subclust.ui.library.records import _rows_frame, table_file


@pytest.fixture
def german(monkeypatch):
    monkeypatch.setattr(language, "language", lambda: "de")


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
            assert said(text) != text, text
    for what in (what for one in items if not isinstance(one, Refusal) for what in one.mended):
        assert said(what) != what, what
    advice = mended_row(name, "row 1", "").advice
    assert said(advice) != advice


def test_the_page_and_its_file_say_it_and_reports_stay_as_they_are(german):
    place = Message("row {row}", row=3)
    refusal = Refusal(place, "It has no text.", "Nothing needs to be done.", "text", "row 3")
    rows = [refused_row("row 7", refusal)]
    told = [translated(text, "de") for text in ("It has no text.", "Nothing needs to be done.")]
    german_row = ["row 7", "abgelehnt", "Tabellenzeile 3", "text", *told, "row 3"]
    assert _rows_frame(rows).iloc[0].tolist() == german_row
    table = list(csv.reader(io.StringIO(table_file(rows, "csv", "de").decode("utf-8-sig"))))
    assert table == [[said(word).capitalize() for word in WORDS], german_row]
    book = load_workbook(io.BytesIO(table_file(rows, "xlsx", "de")))
    assert [list(row) for row in book.active.values] == table
    assert rows[0][4] == refusal.reason


def test_the_file_is_made_outside_of_the_page_and_knows_its_language():
    what = "It had no end mark ({mark}); it was taken to end where the file does."
    rows = [mended_row("a.ris", Message("record {number}", number=2), Message(what, mark="ER"))]
    with ThreadPoolExecutor() as elsewhere:
        german = elsewhere.submit(table_file, rows, "csv", "de").result().decode("utf-8-sig")
        english = elsewhere.submit(table_file, rows, "csv", "en").result().decode("utf-8-sig")
    assert "\na.ris,ausgebessert,Datensatz 2,,Die Endmarke (ER)" in german.replace("\r", "")
    assert english.splitlines()[0] == ",".join(COLUMNS)
    assert english.splitlines()[1].startswith("a.ris,repaired,record 2,,It had no end")
    assert tuple(WORDS) == COLUMNS


def test_what_an_import_has_kept_is_told_in_german(german, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n1,ants,more\n2,\n", encoding="utf-8")
    record = ImportRecord(tmp_path, "mine", [path], [None], lambda stage: None)
    record.begin(0)
    encoder = HashingEncoder(16)
    report = ingest(open_source(path), encoder, tmp_path / "library", "mine", watcher=record)
    record.end(report, "CSV")
    refusals = read_account(tmp_path).files[0]["report"]["refusals"]
    assert [said(one["place"]) for one in refusals] == ["Tabellenzeile 2", "Tabellenzeile 3"]
    assert numbers(said(refusals[0]["reason"])) == ["3", "2"]
