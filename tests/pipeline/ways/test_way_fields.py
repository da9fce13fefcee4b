"""Which fields of records divide hits, into which groups."""

import numpy as np
import pytest

from subclust.core.records import Passage
from subclust.pipeline.ways.fields import (
    COLLECTION,
    DOCUMENT,
    STUDY,
    YEAR,
    field_divisions,
    field_of,
)

LANGUAGES = ["ger"] * 5 + ["en"] * 4 + ["fr"] * 3


def hits_of(values, name="language"):
    return [
        Passage(f"p{row}", f"Text {row}.", f"Title {row}", metadata={name: value} if value else {})
        for row, value in enumerate(values)
    ]


def divided(passages, only=None):
    vectors = np.eye(len(passages), dtype=np.float32)
    return field_divisions(passages, vectors, only)


def test_a_field_divides_by_its_values_commonest_first():
    found = divided(hits_of(LANGUAGES))
    assert set(found) == {"language"}
    assert found["language"].names == ("German", "English", "French")
    assert found["language"].labels.tolist() == [0] * 5 + [1] * 4 + [2] * 3


def test_hits_of_one_value_are_closer_than_any_others():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(12, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = field_divisions(hits_of(LANGUAGES), vectors)["language"]
    same = found.labels[:, None] == found.labels
    assert found.scores[same].min() > found.scores[~same].max()


def test_values_of_one_hit_and_missing_ones_belong_nowhere():
    found = divided(hits_of([*LANGUAGES, "it", "", None]))["language"]
    assert found.labels[-3:].tolist() == [-1] * 3
    assert found.n_groups == 3 and found.inside.sum() == 12


@pytest.mark.parametrize(
    "values",
    [
        ["de"] * 12,  # one value alone
        ["de"] * 11 + ["en"] * 2,  # nearly all have one
        [f"v{row}" for row in range(12)],  # all different
        ["de"] * 4 + ["en"] * 4 + [None] * 8,  # half have none
    ],
)
def test_a_field_that_does_not_divide_is_no_way(values):
    assert divided(hits_of(values)) == {}


def test_years_become_periods_of_equal_length():
    years = [str(1950 + 3 * row) for row in range(20)]  # to 2007
    found = divided(hits_of(years, "year"))[YEAR]
    assert 2 <= found.n_groups <= 8
    spans = {tuple(map(int, name.split("–"))) for name in found.names}
    lengths = {last - first + 1 for first, last in spans}
    assert lengths == {10}
    for year, label in zip(map(int, years), found.labels.tolist(), strict=True):
        first, last = map(int, found.names[label].split("–"))
        assert first <= year <= last
    few = divided(hits_of(["1999"] * 6 + ["2001"] * 6, "date"))
    assert few[YEAR].names == ("1999", "2001")


def test_documents_and_collections_divide_where_several_hits_share_them():
    passages = [
        Passage(f"{title}#{n}", f"{title} {n}.", title, collection)
        for title, collection in (("Angola", "a"), ("Peru", "a"), ("Malta", "b"))
        for n in range(4)
    ]
    found = divided(passages)
    assert set(found[DOCUMENT].names) == {"Angola", "Peru", "Malta"}
    assert found[COLLECTION].names == ("a", "b")
    assert set(divided(passages, COLLECTION)) == {COLLECTION}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("by language", "language"),
        ("nach Sprache", "language"),
        ("By the period of publication", YEAR),
        ("by article", DOCUMENT),
        ("by kind of study", STUDY),
        ("nach Forschungsmethode", STUDY),
        ("language", None),
        ("by journal", None),  # the records have none
        ("by country", None),
        ("by doi", None),
    ],
)
def test_a_question_may_name_a_field(question, name):
    assert field_of(question, hits_of(LANGUAGES)) == name


def records(n_each=4, title="{}"):
    return [
        Passage(f"{kind} {row}", f"{text} It is number {row}.", title.format(f"{kind} {row}"))
        for kind, text in (
            ("Analysis", "We analysed 31,000 citations. The results show a correlation."),
            ("Essay", "In this essay I argue that journals should change."),
            ("Tool", "We have developed an open-source tool with a prototype for users."),
        )
        for row in range(n_each)
    ]


def test_abstracts_divide_by_the_kind_of_study_that_they_announce():
    found = divided(records())[STUDY]
    assert found.names == ("Analyses", "Opinions and advice", "Systems and tools")
    assert found.labels.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert set(divided(records(), STUDY)) == {STUDY}
    assert set(divided(records(), DOCUMENT)) == set()


def test_passages_of_shared_documents_have_no_kind_of_study():
    assert STUDY not in divided(records(title="One"))
    assert STUDY not in divided([*records(2, "First"), *records(2, "Second")])
