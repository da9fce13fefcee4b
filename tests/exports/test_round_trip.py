"""What is exported and imported again is what it was, from every format to every other."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subclust.core.records import Passage
from subclust.exports.collection import WRITERS, write_collection
from subclust.exports.reference import AS_GIVEN, left_out, left_out_told, whole_records
from subclust.text.sources.kinds import KINDS
from subclust.text.sources.opening import open_source
from subclust.text.sources.record import document

SIGNS = "aeénrßłøж漢 &%$#_{}~^\"'()<>:+*!?@/=-–.,1§"
words = st.text(SIGNS, min_size=1, max_size=24).map(lambda text: " ".join(f"b{text}c".split()))
listed = words.map(lambda text: re.sub(r"[|&$,\\]", "/", text))  # "R&ac; x" is an entity in a cell
parts = words.map(lambda text: text.replace("$", "§"))  # a formula is cleaned once only
names = st.builds(
    lambda family, given: f"{family}, {given}" if given else f"Ministry {family}",
    st.sampled_from(["Müller", "O'Neill", "de la Cruz", "Nguyễn", "X{y}"]),
    st.sampled_from(["Anna", "J. R.", "Bo-Kyung", "", "René"]),
)
dates = st.dates().map(str).filter(lambda day: "1500" < day < "2099")
RECORDS = st.fixed_dictionaries(
    {"title": words.map(lambda text: f"Study of {text}")},
    optional={
        "text": st.lists(words, min_size=3, max_size=6).map(" and then ".join),
        "type": st.sampled_from([kind.name for kind in KINDS]),
        "authors": st.lists(names, min_size=1, max_size=4, unique=True),
        "editors": st.lists(names, min_size=1, max_size=2, unique=True),
        "date": dates,
        "year": st.integers(1500, 2099).map(str),
        "venue": parts, "publisher": parts, "place": parts, "edition": parts, "series": parts,
        "volume": st.sampled_from(["9", "12A", "XI", "2019/2"]),
        "issue": st.sampled_from(["3", "1-2", "S1", "Suppl. 4"]),
        "pages": st.sampled_from(["1-9", "S12-S15", "e77", "xi, 320", "1-5, 9-12", "24590-24600"]),
        "article_number": st.sampled_from(["e1002", "77"]),
        "issn": st.lists(st.sampled_from(["1234-5678", "0028-083X"]), min_size=1, unique=True),
        "isbn": st.sampled_from(["9783161484100", "3-16-148410-0"]),
        "doi": st.sampled_from(["10.1234/a_b-c(3)<1::aid>", "10.1000/xyz", "10.1000/x%20y#z"]),
        "pmid": st.sampled_from(["12345"]),
        "pmcid": st.just("PMC77"),
        "url": st.sampled_from(["https://example.org/~a/b_c?d=e&f=1#g", "http://x.org/%7B"]),
        "keywords": st.lists(
            listed, min_size=1, max_size=3
        ),
        "language": st.sampled_from([["eng"], ["deu", "fra"]]),
        "source": st.sampled_from(["Web of Science", "Catalogue & more"]),
        "licence": st.just("CC BY 4.0"),
        "section": st.just("Methods"),
        "notes": st.lists(listed, min_size=1, max_size=2, unique=True),
        "number": st.sampled_from(["r1", "smith2019", "cs/9809011"]),
        "id": st.sampled_from(["a b", "cs/9809011", "7"]),
        "shelf mark": parts,
    },
)  # fmt: skip


def lists(passage):
    """Return a passage's fields, with repeated blanks taken out and lists in any order."""
    fields = {
        **{k: v for k, v in passage.metadata.items() if k not in AS_GIVEN.values()},
        "title": passage.title,
        "text": passage.text,
    }
    return {name: Counter(" ".join(value.split()).split("; ")) for name, value in fields.items()}


def through(passage, ending, folder):
    path = folder / f"there{ending}"
    write_collection([passage], path)
    read = list(open_source(path, collection="mine"))
    assert len(read) == 1 and len(read[0].passages) == 1
    return read[0].passages[0]


def differing(before, after, endings):
    """Return what one has otherwise, of the fields that the files have a place for."""
    lost = {name for ending in endings for name in left_out([before], ending)}
    one, other = lists(before), lists(after)
    names = {*one} - lost - {"number"}
    told = {name: (one[name], other.get(name)) for name in names if one[name] != other.get(name)}
    more = {*other} - {*one} - {"type", "number", "date", "year"}
    return told, more


@pytest.mark.parametrize("second", WRITERS)
@pytest.mark.parametrize("first", WRITERS)
@given(record=RECORDS)
@settings(max_examples=4)
def test_what_two_formats_have_a_place_for_comes_back(tmp_path, first, second, record):
    check(tmp_path, first, second, record)


@pytest.mark.slow
@pytest.mark.parametrize("second", WRITERS)
@pytest.mark.parametrize("first", WRITERS)
@given(record=RECORDS)
@settings(max_examples=500)
def test_many_records_come_back(tmp_path, first, second, record):
    check(tmp_path, first, second, record)


def check(folder, first, second, record):
    before = document(record, "here", "mine").passages[0]
    between = through(before, first, folder)
    told, more = differing(before, between, [first])
    assert not told and not more
    after = through(between, second, folder)
    told, more = differing(between, after, [second])
    assert not told and not more
    assert between.id == before.id == after.id


def test_what_a_format_has_no_place_for_is_told():
    passage = document(
        {"title": "Kilns", "text": "They burn.", "licence": "CC0", "place": "Ulm", "pmid": "1",
         "isbn": "9783161484100", "type": "map", "shelf mark": "B 2", "number": "7"},
        "here", "mine",
    ).passages[0]  # fmt: skip
    expected = {
        "a.RIS": ["pmid", "licence", "shelf mark"],
        "a.bib": ["type", "shelf mark"],
        "a.json": ["shelf mark"],
        "a.csl.json": ["shelf mark"],
        "a.xml": ["pmid", "shelf mark"],
        "a.csv": [],
        "a.xlsx": [],
        "a.jsonl": [],
    }
    assert {file: left_out([passage], file) for file in expected} == expected
    assert left_out([passage], "a.ris", known=["licence"]) == ["pmid", "shelf mark"]
    told = left_out_told(["pmid", "shelf mark"], "a.ris")
    assert told.values["formats"] == "RIS"
    assert list(told.values["names"].values.values()) == ["PubMed number", "shelf mark"]
    assert left_out_told([], "a.ris") is None


LONG = "\n\n".join(
    " ".join(f"Sentence {number} of part {part} tells of kilns." for number in range(20))
    for part in range(12)
)


@pytest.mark.parametrize("ending", WRITERS)
def test_a_long_record_is_written_as_one(tmp_path, ending):
    parts = document({"title": "Kilns", "text": LONG, "doi": "10.1000/k"}, "", "mine").passages
    assert len(parts) > 10
    path = tmp_path / f"mine{ending}"
    write_collection(parts[::-1], path)
    (again,) = open_source(path, collection="mine")
    assert (again.id, again.title) == ("doi:10.1000/k", "Kilns")
    if ending in (".csv", ".xlsx", ".jsonl"):  # the others are one line
        assert again.passages == parts


@pytest.mark.parametrize("spoilt", ["a part", "the first", "a field"])
def test_a_long_record_stays_in_parts_where_something_is_gone(spoilt):
    parts = list(document({"title": "Kilns", "text": LONG}, "", "mine").passages)
    if spoilt == "a field":
        parts[3] = replace(parts[3], metadata={**parts[3].metadata, "year": "2019"})
    else:
        del parts[{"a part": 4, "the first": 0}[spoilt]]
    assert list(whole_records(parts)) == parts


def test_ids_of_a_list_of_ones_own_come_back(tmp_path):
    own = [Passage(id=f"mine:{id_}", text="Kilns burn.", title=f"Title {id_}", collection="mine",
                   metadata={"number": "7"} if id_ == "12" else {})
           for id_ in ("12", "a b", "cs/9809011", "x:y", "{7}", "doi:10.1000/(a)")]  # fmt: skip
    for ending in WRITERS:
        write_collection(own, tmp_path / f"mine{ending}")
        read = open_source(tmp_path / f"mine{ending}", collection="mine")
        assert [item.passages[0].id for item in read] == [passage.id for passage in own]


def test_numbers_of_the_file_come_back(tmp_path):
    given = {"title": "Kilns", "authors": "Falk, Ada", "year": "2019", "source": "Lanterns"}
    for record in ({**given, "number": "falk2019"}, {**given, "doi": "10.1000/a", "number": "r1"}):
        passage = document(record, "", "mine").passages[0]
        for ending in (".ris", ".bib", ".json"):
            again = through(passage, ending, tmp_path)
            assert again.id == passage.id
            assert again.metadata["number"] == record["number"]
