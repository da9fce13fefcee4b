import json
import re
from unittest.mock import ANY

import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.exports.collection import WRITERS, write_collection
from subclust.exports.refused import COLUMNS, mended_row, refused_row, write_refused
from subclust.text.sources import Refusal
from subclust.text.sources.opening import open_source

HOSTILE = [
    Passage(
        id="mine:cs/9809011",
        text='=cmd|"/c calc"! costs $5 & 50% of {nothing} \\ x_1^2 ~ "quoted", é ß 漢',
        title="A title: with {braces}, 'quotes' and <tags> & more",
        collection="mine",
        metadata={
            "authors": "Müller, Anna; O'Neill and Sons; Library of the Congress",
            "year": "2019",
            "date": "2019-03-14",
            "venue": "Journal & Letters",
            "doi": "10.1234/a_b-c%20d",
            "url": "https://example.org/~a/b_c?d=e&f=1",
            "keywords": "maps; history, of maps",
            "language": "eng",
            "source": "Catalogue",
        },
    ),
    Passage(id="mine:2", text="ER  - \nTY  - JOUR\n@article{x,", title="-1+2", collection="mine"),
    Passage(id="mine:a b", text="Only text.", title="Two", collection="mine",
            metadata={"year": "2021", "keywords": "one, only"}),
]  # fmt: skip


@pytest.mark.parametrize("ending", WRITERS)
def test_what_is_written_is_read_again(tmp_path, ending):
    path = tmp_path / f"mine{ending}"
    write_collection(HOSTILE, path)
    read = [item.passages[0] for item in open_source(path, collection="mine")]
    assert len(read) == len(HOSTILE)
    for passage, again in zip(HOSTILE, read, strict=True):
        assert " ".join(again.text.split()) == " ".join(passage.text.split())
        assert again.title == passage.title
        told = {k: v for k, v in again.metadata.items() if k not in ("number", "type")}
        assert told == passage.metadata


@pytest.mark.parametrize("ending", WRITERS)
def test_equal_passages_are_equal_files_and_none_is_a_file_too(tmp_path, ending):
    for name in "ab":
        write_collection(HOSTILE[:1], tmp_path / f"{name}{ending}")
    if ending != ".xlsx":  # which holds the moment
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()
    write_collection([], tmp_path / f"none{ending}")
    assert (tmp_path / f"none{ending}").is_file()


@pytest.mark.parametrize("ending", [".ris", ".bib", ".json", ".xml"])
def test_records_of_one_number_are_told_apart(tmp_path, ending):
    book = {"number": "1", "type": "book", "isbn": "978-3-412-12345-6", "date": "2019-03"}
    passages = [
        Passage(id=f"{collection}:{id_}", text=text, title=text, collection=collection,
                metadata={**book, "year": "2019", "isbn": isbn})
        for collection, id_, text, isbn in (
            ("a", "isbn:9783412123456", "On tides", "978-3-412-12345-6"),
            ("b", "isbn:9783412543211", "On quays", "978-3-412-54321-1"),
            ("c", "isbn:9783412543211", "On quays", "978-3-412-54321-1"),
        )
    ]  # fmt: skip
    path = tmp_path / f"mine{ending}"
    write_collection(passages, path)
    again = list(open_source(path))
    assert [one.id for one in again] == [passage.id.partition(":")[2] for passage in passages]
    assert [one.metadata.get("number") for one in again] == ["1", None, None]
    assert {one.metadata["date"] for one in again} == {"2019-03"}
    if ending == ".bib":
        keys = re.findall(r"^@book\{(.*),$", path.read_text(), re.MULTILINE)
        assert len({*keys}) == 3


def test_other_endings_are_refused(tmp_path):
    with raises(InputError, file="mine.doc"):
        write_collection(HOSTILE, tmp_path / "mine.doc")
    with raises(InputError, path=ANY):
        write_collection(HOSTILE, tmp_path / "none" / "mine.ris")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx", ".json"])
def test_the_table_of_what_was_refused(tmp_path, ending):
    refusal = Refusal("record 2 (line 9)", "It is empty.", "Fill it in.", "text", "=1+1; a, b")
    rows = [refused_row("a.ris", refusal), mended_row("a.ris", "record 3 (line 12)", "No ER.")]
    path = tmp_path / f"refused{ending}"
    write_refused(rows, path)
    if ending == ".json":
        assert json.loads(path.read_text())[0]["excerpt"] == "=1+1; a, b"
    else:
        import pandas as pd

        table = (
            pd.read_excel(path, dtype=str, engine="openpyxl")
            if ending == ".xlsx"
            else pd.read_csv(path, sep="\t" if ending == ".tsv" else ",", dtype=str)
        )
        assert tuple(table.columns) == COLUMNS and list(table["what happened"]) == [
            "refused",
            "mended",
        ]
        assert table["excerpt"][0].lstrip("'") == "=1+1; a, b"
        assert ending == ".xlsx" or table["excerpt"][0].startswith("'=")
    with raises(InputError, file="refused.doc"):
        write_refused(rows, tmp_path / "refused.doc")
