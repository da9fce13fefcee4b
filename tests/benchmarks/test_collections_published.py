"""What is recorded of AECL and of SCL and FCL, counted against what they print."""

import pytest

from subclust.benchmarks.published import PUBLISHED_DIR, read_paper
from subclust.benchmarks.report.tables import compare_table
from subclust.benchmarks.saved import SavedResults
from subclust.benchmarks.tasks import TASKS
from subclust.methods import METHODS

AECL = read_paper(PUBLISHED_DIR / "aecl.toml")
SCL = read_paper(PUBLISHED_DIR / "scl.toml")
TABLES = {(paper.name, t.name): t for paper in (AECL, SCL) for t in paper.tables}


@pytest.mark.parametrize(
    ("paper", "name", "n_rows", "n_cells", "total"),
    [
        # All printed cells of a table added up, in percent.
        ("aecl", "table-2", 12, 80, 5137.53),
        ("aecl", "table-3", 2, 8, 591.26),
        ("aecl", "table-4", 3, 12, 761.75),
        ("aecl", "table-5", 3, 12, 799.44),
        ("scl", "table-3", 13, 52, 2539.1),
        ("scl", "table-4", 20, 71, 2792.5),
        ("scl", "table-5", 2, 32, 1288.8),
        ("scl", "table-6", 2, 32, 1129.2),
        ("scl", "table-7", 8, 64, 3523.8),
        ("scl", "table-8", 14, 168, 9103.3),
    ],
)
def test_the_tables_are_the_papers(paper, name, n_rows, n_cells, total):
    table = TABLES[paper, name]
    values = [c.value for row in table.rows for c in row.cells if c.value is not None]
    assert len(table.rows) == n_rows and len(values) == n_cells
    assert all(0 < value < 1 for value in values)
    assert 100 * sum(values) == pytest.approx(total, abs=0.01)


def test_cells_in_percent_stand_as_shares():
    rows = {row.label: row for row in TABLES["aecl", "table-2"].rows}
    assert rows["AECL"].cells[4].value == 0.8322 and rows["AECL"].methods[4] == "aecl@stackoverflow"
    assert TABLES["scl", "table-8"].rows[2].cells[3].value == 0.86


def test_rows_of_back_translation_say_what_translates():
    for (paper, _), table in TABLES.items():
        for row in table.rows:
            ours = [name or "" for name in row.methods]
            translated = paper == "scl" and any(
                "-bt" in name or (name.startswith("fcl@") and name.endswith("-uda"))
                for name in ours
            )
            assert ("Apertium" in row.note) == translated


def test_every_row_of_ours_is_a_method_and_every_set_a_task():
    for (_, _), table in TABLES.items():
        named = {name.partition("@")[0] for row in table.rows for name in row.methods if name}
        assert named <= set(METHODS)
        assert not table.own
    assert {*AECL.tasks, *SCL.tasks} <= set(TASKS)


def test_other_numbers_of_groups_are_columns_of_their_own(tmp_path):
    table = TABLES["scl", "table-5"]
    assert [column.groups for column in table.columns[:4]] == ["k5", "k10", "k15", "k20"]
    compared = compare_table(table, SavedResults(tmp_path))
    cells = [cell for row in compared["rows"] for cell in row["cells"]]
    assert {cell["missing"] for cell in cells} == {"not run"} and compared["own"] == []
