"""Whatever a file holds, the check tells and does not raise."""

import gzip
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_files import GOOD_LINES, GOOD_ROWS, csv_text, jsonl_text, xlsx_bytes

from subclust.core.exceptions import FileFormatError
from subclust.labelled.reading.checker import check_labelled_set
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.reading.kinds import KINDS

names = st.sampled_from(["set.csv", "set.tsv", "set.xlsx", "set.jsonl", "set.jsonl.gz", "set.txt"])
cells = st.one_of(
    st.sampled_from(["", " ", "fig", "Fig ", "#N/A", "=A1", '"', "\n", ",", "Jam", "Jam / Pot"]),
    st.text(max_size=8),
)
tables = st.lists(st.lists(cells, max_size=6), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["query", "passages", "text", "label", "id", "path", "description", "x"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


def looked_at(tmp_path, name, content):
    """Check a file, and what holds of every report."""
    path = tmp_path / name
    path.write_bytes(content)
    report = check_labelled_set(path, against=[])
    json.dumps(report.to_dict(), ensure_ascii=False).encode()
    for line in report.summary:
        line.encode()
        assert line.isprintable()
    assert len(report.groups) <= len(report.problems)
    passages = [p for instance in report.instances for p in instance.passages]
    assert report.n_passages == len(passages) <= report.n_rows
    assert all(p.text.strip() and p.label.strip() for p in passages)
    assert report.problems or report.instances
    # What the strict reader refuses has an error or is read with a warning only; and where there
    # is nothing to say at all, both read the same.
    try:
        instances = tuple(read_instances(path))
    except FileFormatError as error:
        assert report.problems, error
    else:
        assert not any(KINDS[p.kind].unreadable for p in report.problems)
        if not report.problems:
            assert instances == report.instances
    return report


@given(names, st.binary(max_size=300))
def test_on_any_bytes(tmp_path, name, content):
    looked_at(tmp_path, name, content)
    looked_at(tmp_path, "set.jsonl.gz", gzip.compress(content))


@given(
    tables, st.sampled_from(",;\t|"), st.sampled_from(["utf-8", "utf-16", "cp1252", "utf-8-sig"])
)
def test_on_any_table(tmp_path, rows, separator, encoding):
    text = csv_text(rows, ["query", "text", "label", "id", "path"], separator=separator)
    looked_at(tmp_path, "set.csv", text.encode(encoding, "replace"))
    # The same without quotation marks where they belong.
    bare = "\n".join(separator.join(row) for row in [["query", "text", "label"], *rows])
    looked_at(tmp_path, "set.csv", bare.encode(encoding, "replace"))


@given(st.lists(values, max_size=6))
def test_on_any_json(tmp_path, lines):
    looked_at(tmp_path, "set.jsonl", "\n".join(json.dumps(line) for line in lines).encode())


@given(
    st.lists(
        st.lists(
            st.none() | st.booleans() | st.integers() | st.floats() | st.datetimes() | st.dates()
            | st.times() | st.sampled_from(["fig", "=A1", "=SUM(", "#REF!", "Jam"]),
            max_size=5,
        ),
        max_size=6,
    )
)  # fmt: skip
def test_on_any_sheet(tmp_path, rows):
    looked_at(tmp_path, "set.xlsx", xlsx_bytes(rows))


GOOD = {
    "set.csv": csv_text(GOOD_ROWS).encode(),
    "set.xlsx": xlsx_bytes(GOOD_ROWS),
    "set.jsonl": jsonl_text(GOOD_LINES).encode(),
    "set.jsonl.gz": gzip.compress(jsonl_text(GOOD_LINES).encode()),
}


@pytest.mark.parametrize("name", GOOD)
def test_on_a_good_file_with_some_bytes_changed(tmp_path, name):
    drawn = random.Random(0)
    n_found = 0
    for _ in range(150):
        content = bytearray(GOOD[name])
        for _ in range(drawn.choice([1, 1, 3, 20])):
            content[drawn.randrange(len(content))] = drawn.randrange(256)
        if drawn.random() < 0.2:
            del content[drawn.randrange(len(content)) :]
        n_found += bool(looked_at(tmp_path, name, bytes(content)).problems)
    assert n_found > 50
