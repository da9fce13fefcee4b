import random
from dataclasses import replace

import pytest
from many import RECORDS, add_records
from raising import raises

from subclust.core.exceptions import InputError
from subclust.text.library.browse import (
    Matching,
    PassageFilter,
    browse,
    count_matching,
)
from subclust.text.library.catalogue import describe
from subclust.text.library.facets import UNKNOWN


@pytest.fixture
def mixed(empty):
    return add_records(empty)


def ids_of(library, **which):
    page = browse(library, PassageFilter(**which))
    assert page.n_passages == len(page.passages)
    return [passage.id for passage in page.passages]


@pytest.mark.parametrize(
    ("which", "ids"),
    [
        ({"words": "PART long"}, ["a:3#1", "a:3#2"]),
        ({"words": "häfen"}, ["a:2"]),
        ({"words": "100%"}, ["w:C#8"]),
        ({"words": "_"}, []),
        ({"words": "it's"}, []),
        ({"collection": "w", "words": "paragraph"}, ["enwiki:7#0", "enwiki:7#1"]),
        ({"language": "eng"}, ["a:1", "enwiki:7#0"]),
        ({"language": "English"}, ["a:1", "enwiki:7#0"]),
        ({"language": "fre"}, []),
        ({"language": UNKNOWN}, ["a:3#1", "a:3#2", "enwiki:7#1", "w:C#7", "w:C#8"]),
        ({"source": 'O"Brien \\ Söhne'}, ["a:2"]),
        ({"source": UNKNOWN, "collection": "a"}, ["a:1"]),
        ({"year_from": 1999}, ["a:2", "a:3#1", "a:3#2"]),
        ({"year_to": 1999}, ["a:1"]),
        ({"year_from": 1998, "year_to": 2001, "words": "maps"}, ["a:1"]),
        ({"without_year": True}, ["enwiki:7#0", "enwiki:7#1", "w:C#7", "w:C#8"]),
        ({"ids": ("a:1", "absent")}, ["a:1"]),
        ({"documents": ("a:3",)}, ["a:3#1", "a:3#2"]),
        ({"documents": ("enwiki:7", "a:1")}, ["a:1", "enwiki:7#0", "enwiki:7#1"]),
        ({"documents": ("w:C",)}, []),
        ({"documents": ("w:C#7",)}, ["w:C#7"]),
        ({"documents": (".*",)}, []),
    ],
)
def test_a_filter_leaves_what_it_means(mixed, which, ids):
    assert ids_of(mixed, **which) == ids
    assert count_matching(mixed, PassageFilter(**which)).n_passages == len(ids)


def test_every_value_that_is_counted_finds_as_many_as_it_counts(mixed):
    entry = describe(mixed.folder, "books")
    for field, counts in (("language", entry.languages), ("source", entry.sources)):
        for value, n in counts.items():
            assert len(ids_of(mixed, **{field: value})) == n
    for year, n in entry.years.items():
        which = {"without_year": True} if year == UNKNOWN else {
            "year_from": int(year), "year_to": int(year)
        }  # fmt: skip
        assert len(ids_of(mixed, **which)) == n


def test_pages_are_in_one_order_and_leave_nothing_out(empty):
    shuffled = random.Random(0).sample(RECORDS, len(RECORDS))
    for one in shuffled:
        add_records(empty, [one])
    pages = [browse(empty, PassageFilter(), offset=at, limit=3) for at in (0, 3, 6, 9)]
    assert [page.n_passages for page in pages] == [len(RECORDS)] * 4
    assert [len(page.passages) for page in pages] == [3, 3, 2, 0]
    ids = [passage.id for page in pages for passage in page.passages]
    assert ids == sorted(one.id for one in RECORDS)
    by_id = {one.id: one for one in RECORDS}
    for page in pages:
        for passage in page.passages:
            assert passage == by_id[passage.id] and passage.metadata == by_id[passage.id].metadata


def test_ids_are_in_the_order_in_which_people_count(empty, monkeypatch):
    ids = [f"a:{number}#{part}" for number in (10, 9, 1) for part in (2, 10)]
    add_records(empty, [replace(RECORDS[0], id=id_) for id_ in ids])
    assert ids_of(empty) == ["a:1#2", "a:1#10", "a:9#2", "a:9#10", "a:10#2", "a:10#10"]
    monkeypatch.setattr("subclust.text.library.browse.MOST_COUNTED", 5)
    assert ids_of(empty) == sorted(ids)


def test_what_matches_is_counted_by_passages_and_documents(mixed):
    which = PassageFilter(documents=("a:3",))
    assert count_matching(mixed, which) == Matching(2, 1)
    assert mixed.count() == len(RECORDS)


@pytest.mark.parametrize(
    ("act", 'values'),
    [
        (lambda one: browse(one, PassageFilter(), offset=-1), {'offset': -1, 'limit': 50}),
        (lambda one: browse(one, PassageFilter(), limit=0), {'offset': 0, 'limit': 0}),
        (lambda one: browse(one, PassageFilter(year_from=5, year_to=4)), {'first': 5, 'last': 4}),
        (lambda one: browse(one, PassageFilter(year_to=4, without_year=True)), {}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(mixed, act, values):
    with raises(InputError, **values):
        act(mixed)
    assert mixed.count() == len(RECORDS)
