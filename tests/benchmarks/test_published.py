import pytest
import small_results
from raising import raises

from benchmarks.published import PUBLISHED_DIR, Cell, paper_names, read_paper
from subclust.core.exceptions import BenchmarkError
from subclust.methods import METHODS


def write(tmp_path, text, name="small"):
    path = tmp_path / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_are_read_as_they_are_printed(paper):
    best, second, nobody, plain = paper.tables[0].rows
    assert best.cells == (Cell(0.3, "▲"), Cell(0.7))
    assert second.cells == (Cell(0.25), Cell(None))
    assert nobody.cells[0] == Cell(0.0, "▼", approximate=True)
    assert plain.cells[0] == Cell(0.2, "★")
    assert nobody.methods == (None, None) and nobody.note == "Not here."


def test_a_value_may_have_an_interval_and_a_table_then_asks_for_ours(tmp_path):
    text = small_results.PAPER.replace('"0.300▲"', '"0.300±0.016▲"')
    assert not read_paper(write(tmp_path, text)).tables[0].intervals
    text = text.replace('main = "ari"', 'main = "ari"\nintervals = true')
    table = read_paper(write(tmp_path, text)).tables[0]
    assert table.intervals
    assert table.rows[0].cells[0] == Cell(0.3, "▲", spread=0.016)


def test_a_method_may_be_another_one_for_each_data_set(paper):
    per_query = paper.figures[1]
    assert per_query.series[0].methods == ("best@one", "best@two")
    assert per_query.series[1].methods == ("plain", "plain")


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        ('difference = "Other data."', "", {"place": "small.toml", "name": "difference"}),
        ('url = "', 'colour = "red"\nurl = "', {"place": "small.toml", "content": "colour"}),
        ("alpha = 0.05", 'alpha = "low"', {"name": "alpha", "kind": "a number", "value": "low"}),
        ('reference = "Plain"', 'reference = "Odd"', {"what": "reference", "name": "Odd"}),
        ('main = "ari"', 'main = "f1"', {"what": "main", "name": "f1"}),
        ('main = "ari"', 'main = "ari"\nintervals = 1', {"name": "intervals", "value": 1}),
        ('"0.300▲"', '"0.3 ± 0.1"', {"text": "0.3 ± 0.1"}),
        ('"0.300▲"', '"about 0.3"', {"text": "about 0.3"}),
        ('["0.300▲", "0.7"]', '["0.300▲"]', {"count": 1, "n_columns": 2}),
        ('["0.300▲", "0.7"]', "[0.3, 0.7]", {"name": "cells"}),
        ('dataset = "Theirs"', 'dataset = "His"', {"name": "His"}),
        ('granularity = "flat"', 'granularity = "fine"', {"name": "granularity", "value": "fine"}),
        ('["best@one", "best@two"]', '["best@one"]', {"count": 1, "n_places": 2}),
        ('[["Theirs", "5"]]', '[["Theirs"]]', {"count": 2}),
        ('name = "small"', 'name = "large"', {"file": "small.toml", "paper": "large"}),
        ('name = "small"', "name = ", {}),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(tmp_path, old, new, values):
    assert old in small_results.PAPER
    path = write(tmp_path, small_results.PAPER.replace(old, new, 1))
    with raises(BenchmarkError, **values):
        read_paper(path)


def test_every_published_paper_is_whole_and_names_methods_of_ours_or_to_come():
    assert "qs3m" in paper_names()
    for name in paper_names():
        paper = read_paper(PUBLISHED_DIR / f"{name}.toml")
        assert len({dataset.task for dataset in paper.datasets}) == len(paper.datasets)
        for table in paper.tables:
            assert len({row.label for row in table.rows}) == len(table.rows)
            assert len({column.name for column in table.columns}) == len(table.columns)


def test_table_2_of_qs3m_is_the_papers():
    table = read_paper(PUBLISHED_DIR / "qs3m.toml").tables[0]
    rows = {row.label: row for row in table.rows}
    assert len(table.columns) == 8 and len(rows) == 16
    values = {label: [cell.value for cell in row.cells] for label, row in rows.items()}
    # Sums over each column of the printed table.
    sums = [round(sum(row[at] for row in values.values()), 3) for at in range(8)]
    assert sums == [11.168, 11.005, 11.294, 11.145, 3.429, 3.725, 2.883, 3.205]
    assert max(values, key=lambda label: values[label][5]) == "QS3M-Description"
    up = {(label, at) for label, row in rows.items() for at, c in enumerate(row.cells)
          if c.mark == "▲"}  # fmt: skip
    assert len(up) == 11
    down = sum(cell.mark == "▼" for row in table.rows for cell in row.cells)
    assert down == 7 * 8
    assert [cell.approximate for cell in rows["Topic Model"].cells] == [
        False, False, False, False, True, False, True, True,
    ]  # fmt: skip
    assert rows["SBERT euclid"].methods[0] in METHODS
