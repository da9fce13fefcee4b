"""The labelled pairs of records, and how answers about them are counted."""

import pytest

from benchmarks.duplicates import _OTHER, _SAME, Pair, labelled_pairs, measure

RECORDS = [
    {
        "title": f"Shelves and ledgers of {place}: a survey number {n}",
        "authors": "Marlowe, Ines; Okafor, Ben",
        "year": "2004",
        "venue": "Journal of Documentation",
        "volume": "55",
        "issue": "3",
        "pages": "123-139",
        "doi": f"10.1000/{place}{n}",
        "type": "article-journal",
    }
    for n in range(60)
    for place in ("harbours", "islands")
]


def test_pairs_are_the_same_each_time_and_no_record_is_in_both_halves():
    halves = labelled_pairs(RECORDS, 120)
    assert halves == labelled_pairs(RECORDS, 120)
    assert {pair.kind for half in halves for pair in half} <= _SAME.keys() | _OTHER.keys()
    assert [len(half) for half in halves] == [60, 60]
    assert all(pair.one != pair.other for half in halves for pair in half if not pair.is_one)


def test_precision_and_recall_are_counted_by_what_is_told():
    record = RECORDS[0]
    found = Pair(record, record, True, "found")
    wrong = Pair(record, record, False, "wrong")
    missed = Pair(record, record | {"title": "Tides", "doi": ""}, True, "missed")
    measured = measure([found, found, wrong, missed])
    assert measured["same"] == {
        "n": 3,
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(2 / 3),
    }
    assert measured["by_kind"]["missed"] == {"two works": 1}
