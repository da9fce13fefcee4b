"""What names of records are made of: phrases that they say, and that stand in their titles."""

from types import SimpleNamespace

import numpy as np
import pytest

from subclust.core.records import Query
from subclust.grouping.naming.candidates import WORDING, Candidates, Said
from subclust.grouping.naming.headings import load_headings
from subclust.grouping.naming.records import RecordTitles, _is_said, standing

NO_HEADINGS = SimpleNamespace(row_of=lambda text: None)


def candidate(text, **columns):
    numbers = dict.fromkeys(WORDING, 0.0) | {"held twice": 1, "words": len(text.split())}
    numbers |= {name.replace("_", " "): value for name, value in columns.items()}
    return Candidates([text], [0], [[float(numbers[name]) for name in WORDING]], [frozenset()])


def said(text, **columns):
    return _is_said(candidate(text, **columns), 0, NO_HEADINGS)


@pytest.mark.parametrize("column", ["word_behind", "share_within_a_longer_one"])
@pytest.mark.parametrize(("share", "expected"), [(0.6, True), (0.7, False)])
def test_records_do_not_say_what_is_mostly_a_piece_of_a_longer_phrase(column, share, expected):
    assert said("crawl policy", **{column: share}) is expected


@pytest.mark.parametrize(("share", "elsewhere"), [(0.4, 0.0), (0.6, 0.4)])
def test_records_do_not_say_a_word_that_few_of_them_have_or_others_too(share, elsewhere):
    assert not said("privacy", share_of_its_passages=share, share_elsewhere=elsewhere)
    assert said("privacy", share_of_its_passages=share + 0.3, share_elsewhere=elsewhere / 3)


def test_titles_lead_where_a_larger_share_of_them_has_a_phrase_than_of_others():
    titles = ["Open File Formats", "File format, again", "Formats of files", "A file format"]
    records = RecordTitles([*titles, "Tax"], np.array([0, 0, 0, 1, 1]), 2)
    leads = records.leads(
        ["file formats", "files", "form", "taxes", "file formats"], [0, 0, 0, 1, 1]
    )
    np.testing.assert_allclose(leads, [2 / 3 - 1 / 2, 1 / 2, 0, 1 / 2, 0])
    assert records.leads(["tax"], [1]) == [1 / 2]
    assert len(records.leads([], [])) == 0


def test_a_phrase_of_titles_stands_better_and_a_word_alone_worse():
    of_records = ["File formats", "File formats", "Tax"], np.array([0, 0, 1]), 2
    titles, german = RecordTitles(*of_records), RecordTitles(*of_records, "de")
    columns = {"share_of_its_passages": 1.0}
    scores = {
        text: float(standing(candidate(text, **columns), NO_HEADINGS, titles)[0])
        for text in ("file formats", "crawl policy", "crawls")
    }
    assert scores == {"file formats": 2.0, "crawl policy": 1.0, "crawls": 0.5}
    assert standing(candidate("crawls", **columns), NO_HEADINGS, german) == [1.0]


@pytest.mark.parametrize(("are_records", "is_proposed"), [(True, True), (False, False)])
def test_words_alone_are_not_enough_for_records(are_records, is_proposed):
    texts = ["Crawl policy. Tax, tin, wool, coal."] + ["The tax, tin, wool, coal."] * 4
    found = Said(
        Query("x"), texts, np.zeros(5, dtype=np.int64), 1, load_headings(), are_records=are_records
    ).of(0, 16, 8, ())
    assert ("crawl policy" in {one.lower() for one in found.texts}) is is_proposed
    assert {len(one) for one in found.said_by} >= {5}


def test_a_piece_of_an_abbreviated_name_is_no_candidate():
    texts = ["We grow P. aeruginosa in broth.", "In broth P. aeruginosa grows.", "Broth, P. putida"]
    found = Said(Query("x"), texts, np.zeros(3, dtype=np.int64), 1, load_headings()).of(
        0, 16, 8, ()
    )
    assert "broth" in {one.lower() for one in found.texts}
    assert not [one for one in found.texts if "aeruginosa" in one.lower()]
