"""What is recorded of the COB paper, counted against what it prints."""

import pytest

from subclust.benchmarks.published import PUBLISHED_DIR, read_paper
from subclust.benchmarks.tasks import TASKS
from subclust.exceptions import BenchmarkError

PAPER = read_paper(PUBLISHED_DIR / "cob.toml")
TABLES = {table.name: table for table in PAPER.tables}


def printed(table):
    return {row.label: [cell for cell in row.cells if cell.value is not None] for row in table.rows}


@pytest.mark.parametrize(
    ("name", "n_rows", "sums", "up", "down"),
    [
        # Sums over the columns of the printed tables, and how many cells are marked.
        ("table-4", 4, (3.227, 0.505, 2.534), 2, 6),
        ("table-6", 8, (5.476, 1.396, 3.701), 2, 12),
        ("table-7", 8, (6.640, 1.198, 5.302), 1, 14),
    ],
)
def test_the_tables_are_the_papers(name, n_rows, sums, up, down):
    rows = printed(TABLES[name])
    assert len(rows) == n_rows
    assert all(len(cells) == 3 for cells in rows.values())
    found = [sum(cells[at].value for cells in rows.values()) for at in range(3)]
    assert found == pytest.approx(sums, abs=1e-9)
    marks = [cell.mark for cells in rows.values() for cell in cells]
    assert marks.count("▲") == up and marks.count("▼") == down and marks.count("★") == 3
    assert [cell.mark for cell in rows[TABLES[name].reference]] == ["★"] * 3


def test_the_best_of_each_table_is_the_papers():
    best = {
        name: max(table.rows, key=lambda row: row.cells[1].value).label
        for name, table in TABLES.items()
    }
    assert best == {
        "table-4": "SBERT COB",
        "table-6": "SBERT COB (n = 35)",
        "table-7": "SBERT COB (n = 30)",
    }


def test_coarse_and_fine_measure_the_same_checkpoints_at_two_granularities():
    coarse, fine = TABLES["table-6"], TABLES["table-7"]
    assert [row.methods[0] for row in coarse.rows] == [row.methods[0] for row in fine.rows]
    assert coarse.rows[2].methods == ("cob@wikipedia",) * 6
    assert {column.granularity for column in coarse.columns} == {"flat"}
    assert {column.granularity for column in fine.columns} == {"hierarchical"}


def test_data_that_the_paper_has_not_has_columns_without_published_values():
    table = TABLES["table-6"]
    assert [column.dataset.task for column in table.columns[3:]] == ["wiki2021_test"] * 3
    assert all(cell.value is None for row in table.rows for cell in row.cells[3:])
    assert set(PAPER.tasks) <= set(TASKS)


def test_settings_and_sizes_are_the_papers():
    (search,) = PAPER.searches
    assert [[cell.value for cell in row.cells] for row in search.rows] == [
        [90.0, 1.0],
        [47.0, 3.8],
        [103.0, 0.3],
    ]
    assert [row.search for row in search.rows] == ["cob-newsgroups20", "cob-wikipedia", None]
    sizes = {statistics.label: statistics for statistics in PAPER.statistics}
    assert sizes["Table 2"].rows[3] == ("CAR test", "6K", "126", "47", "7.78", "17.16")
    assert [row[5] for row in sizes["Table 5"].rows] == ["8.6M", "9.3M", "10.8M"]


def test_figures_name_their_measurements():
    assert {figure.name: figure.kind for figure in PAPER.figures} == {
        "figure-3": "convergence",
        "figure-4": "spaces",
        "figure-5": "epoch-time",
    }
    assert PAPER.measurements == (
        ("convergence", "newsgroups20"),
        ("convergence", "wikipedia"),
        ("spaces", "trec_car_a"),
        ("search", "cob-newsgroups20"),
        ("search", "cob-wikipedia"),
    )


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[[figures.measurements]]", "[[figures.measurement]]", "figures figure-3 has no"),
        ('name = "wikipedia"\n', "", "has no 'name'"),
        ('cells = ["90.0", "1.0"]', 'cells = ["90.0"]', "every row must have 2 cells"),
        ('columns = ["λ", "r"]', 'columns = ["λ"]', "every row must have 2 cells"),
        ('kind = "spaces"', 'kind = "space"', "must be one of helps-hurts"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(tmp_path, old, new, sentence):
    text = (PUBLISHED_DIR / "cob.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "cob.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BenchmarkError, match=".") as caught:
        read_paper(path)
    assert sentence in str(caught.value)
