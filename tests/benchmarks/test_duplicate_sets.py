"""Published sets of records: what is read of their files, and how merges are counted."""

import pytest
from raising import raises

from benchmarks.duplicate_sets import SETS, LabelledSet, Record, measure_set, read_set
from subclust.core.exceptions import InputError
from subclust.labelled.reading.instances import file_digest
from subclust.text.ingest.work import Work

ARTICLE = {"authors": "Marlowe, Ines; Okafor, Ben", "year": "2004", "venue": "Tides",
           "volume": "12", "pages": "3-9"}  # fmt: skip
HEAD = "id,title,authors,year,journal,source\n"
ROWS = (
    '1,Ledgers of the harbour towns,"Marlowe, Ines",2004,Tides,unique\n'
    '2,Ledgers of the harbour towns,"Marlowe, Ines",2004,Tides,duplicate\n'
    '3,Lamps of the northern coast,"Okafor, Ben",2004,Tides,unique\n'
)
XML = """<xml><records>
<record><ref-type name="Journal Article">17</ref-type><titles><title>Ledgers
of towns</title></titles><caption><style face="normal">Duplicate</style></caption></record>
<record><ref-type name="Journal Article">17</ref-type><titles><title>Lamps
of coasts</title></titles></record></records></xml>"""


def described(folder, flag, files, pairs=None):
    told = [
        {name: written(folder / name, text) for name, text in given.items()}
        for given in (files, pairs or {})
    ]
    return LabelledSet("mine", "", "", told[0], told[1], flag)


def written(path, text):
    path.write_text(text)
    return file_digest(path)


@pytest.mark.parametrize(
    ("flag", "files", "pairs", "labels"),
    [
        ("surplus", {"a.csv": HEAD + ROWS}, {}, ["", "yes", ""]),
        ("members", {"a.xml": XML}, {}, ["yes", ""]),
        ("works", {"a.csv": HEAD + ROWS}, {"pairs.csv": "a,b\n1,2\n"}, ["1", "1", "3"]),
    ],
)
def test_labels_are_those_of_the_files(tmp_path, flag, files, pairs, labels):
    records = read_set(described(tmp_path, flag, files, pairs), tmp_path)
    assert [record.label for record in records] == labels
    assert [record.work.title[:7] for record in records][:1] == ["Ledgers"]


def test_another_file_is_not_measured(tmp_path):
    one = described(tmp_path, "surplus", {"a.csv": HEAD + ROWS})
    (tmp_path / "a.csv").write_text(HEAD)
    with raises(InputError, name="a.csv"):
        read_set(one, tmp_path)


@pytest.mark.parametrize(
    ("flag", "labels", "n_duplicates", "precision", "recall"),
    [
        ("works", "a a a b", 2, 1, 1),
        ("works", "a a b b", 2, 1 / 2, 1 / 2),
        ("surplus", "- yes yes -", 2, 1, 1),
        ("surplus", "- yes - -", 1, 1 / 2, 1),
        ("members", "yes yes yes yes", 4, 1, 3 / 4),
        ("members", "yes yes - -", 2, 1 / 2, 1),
    ],
)
def test_merges_are_counted(flag, labels, n_duplicates, precision, recall):
    titles = ["Ledgers of the harbour towns"] * 3 + ["Lamps of the northern coast"]
    records = [
        Record(Work(str(at), title, ARTICLE | ({} if at < 3 else {"pages": "7"})), label.strip("-"))
        for at, (title, label) in enumerate(zip(titles, labels.split(), strict=True))
    ]
    measured = measure_set(records, flag)
    assert measured["n_duplicates"] == n_duplicates
    assert measured["same"] == {"n_merged": 2, "precision": precision, "recall": recall}
    assert len(measured["wrong"]) == (precision < 1)


def test_one_set_is_held_out():
    assert [one.name for one in SETS if one.is_held_out] == ["copper"]
    assert len({one.name for one in SETS}) == len(SETS)
