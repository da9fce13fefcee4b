"""No way out of Subclust writes a cell that a spreadsheet takes for a formula."""

import csv
import io
import tomllib
from types import SimpleNamespace

import pytest
from hostile_map import TEXTS, hostile_map, hostile_report

from subclust.core.records import ClusteringInstance, Hit, Passage, Query
from subclust.core.settings import PROJECT_ROOT
from subclust.core.storage.cells import guarded, unguarded
from subclust.exports.collection import write_collection
from subclust.exports.tables import harmless
from subclust.exports.tables import write_csv as groups_csv
from subclust.labelled.corrections import Pair, as_csv, pairs_as_csv
from subclust.labelled.sets.files import write_csv
from subclust.ui.compare.answer import _passages_csv

BEGINNINGS = "=+-@\t\r＝＋－＠|%"
NUMBERS_ONLY = {"judging/published.py"}
"""Writers of what only the project itself can have written."""


def passages():
    return [
        Passage(id=f"={n}", text=text, title="=1+1", label="@x") for n, text in enumerate(TEXTS)
    ]


def _groups(folder):
    return groups_csv(hostile_report())


def _collection(folder):
    write_collection(passages(), folder / "a.csv")
    return (folder / "a.csv").read_bytes()


def _set(folder):
    write_csv(([one.id, one.title, one.text] for one in passages()), folder / "a.csv")
    return (folder / "a.csv").read_bytes()


def _corrections(folder):
    return as_csv([ClusteringInstance(Query("=1+1"), tuple(passages()))])


def _pairs(folder):
    first, second = passages()[:2]
    return pairs_as_csv([Pair("=1+1", first, second, True, 2)])


def _comparison(folder):
    hits = [Hit(one, rank, 0.5) for rank, one in enumerate(passages(), start=1)]
    found = SimpleNamespace(
        maps=[hostile_map()],
        ranking=SimpleNamespace(hits=hits),
        groups=lambda place: {hit.passage.id: 0 for hit in hits},
        names=lambda place: {0: '=HYPERLINK("http://evil")'},
    )
    return _passages_csv(found)


@pytest.mark.parametrize("written", [_groups, _collection, _set, _corrections, _pairs, _comparison])
def test_no_cell_of_a_csv_file_is_a_formula(written, tmp_path):
    rows = list(csv.reader(io.StringIO(written(tmp_path).decode("utf-8-sig"), newline="")))
    cells = [cell for row in rows for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    numbers = [cell for cell in cells if cell.startswith(tuple(BEGINNINGS))]
    assert [cell for cell in numbers if not cell.lstrip("-").replace(".", "").isdigit()] == []


@pytest.mark.parametrize("text", [*TEXTS, *(f" {sign}x" for sign in BEGINNINGS), "'=1", "''", "'"])
def test_a_guard_is_taken_off_when_a_table_is_read(text):
    assert unguarded(guarded(text)) == text
    assert not harmless(text).lstrip().startswith(tuple(BEGINNINGS))


def test_every_writer_of_tables_has_the_guard():
    writers = ("csv.writer(", "csv.DictWriter(", ".to_csv(", ".to_excel(")
    package = PROJECT_ROOT / "subclust"
    texts = {
        path.relative_to(package).as_posix(): path.read_text() for path in package.rglob("*.py")
    }
    found = {name: text for name, text in texts.items() if any(one in text for one in writers)}
    assert len(found) > 5
    guards = ("guarded(", "harmless(")
    bare = {name for name, text in found.items() if not any(one in text for one in guards)}
    assert bare == NUMBERS_ONLY


def test_tables_of_the_pages_have_no_download_of_their_own():
    config = tomllib.loads((PROJECT_ROOT / ".streamlit" / "config.toml").read_text())
    assert config["client"]["disableDataExport"] is True
