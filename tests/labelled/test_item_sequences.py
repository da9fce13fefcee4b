import gzip
import json

import pytest
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.labelled.reading.instances import read_sequences

ITEMS = [
    {"id": "0", "title": "Red  pen", "brand": "A"},
    {"id": "1", "title": "Blue ink"},
    {"id": "2", "title": " "},
    {"id": "3", "title": "Red pen"},
]


def write(path, records):
    text = "".join(json.dumps(record) + "\n" for record in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def items(tmp_path):
    return write(tmp_path / "items.jsonl.gz", ITEMS)


def test_a_sequence_is_a_subset_without_labels(items, tmp_path):
    sequences = write(
        tmp_path / "sequences.jsonl.gz",
        [
            {"user": "A1", "items": ["1", "0", "1", "3", "2"]},
            {"user": "A2", "items": ["0", "3"]},
            {"user": "A3", "items": []},
        ],
    )
    # The second user has one title twice over, and there is nothing to divide.
    (only,) = read_sequences(items, sequences)
    assert only.query.text == "A1"
    assert [(p.id, p.text, p.label) for p in only.passages] == [
        ("1", "Blue ink", None),
        ("0", "Red pen", None),
    ]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ('{"user": "A"}', {"number": 2, "missing": "items"}),
        ('{"user": "A", "items": "1"}', {"number": 2}),
        ('{"user": "A", "items": ["9"]}', {"number": 2, "item": "9"}),
        ("[1]", {"number": 2, "missing": "user"}),
        ("17", {}),
        ("{", {}),
    ],
)
def test_what_is_wrong_is_told_with_its_line(items, tmp_path, line, values):
    path = tmp_path / "sequences.jsonl"
    path.write_text(f"\n{line}\n")
    with raises(FileFormatError, **values) as caught:
        read_sequences(items, path)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there_or_not_packed(items, tmp_path):
    bad = tmp_path / "bad.jsonl.gz"
    bad.write_bytes(b"plain")
    for path in (tmp_path / "none.jsonl.gz", bad):
        with raises(FileFormatError, path=str(path)):
            read_sequences(path, items)
