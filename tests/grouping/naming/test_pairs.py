import numpy as np

from subclust.grouping.naming.candidates import WORDING, Candidates
from subclust.grouping.naming.pairs import joined
from subclust.grouping.naming.phrases import PhraseTable


def names(texts, scores, language="en", general=(), said_by=None):
    wording = [
        [float(name != "in the bank" or one in general) for name in WORDING] for one in texts
    ]
    said_by = said_by or [frozenset({0})] * len(texts)
    found = Candidates(texts, [0] * len(texts), wording, said_by)
    return joined(found, None, scores, [language])[0]


def test_only_halves_that_score_nearly_alike_are_joined():
    pairs = names(["causes", "symptoms", "hospitals"], [1.0, 0.9, 0.5])
    assert pairs.texts == ["causes and symptoms"]
    assert pairs.wording[0][WORDING.index("words")] == 2
    assert pairs.wording[0][WORDING.index("two joined")] == 1


def test_general_headings_stand_alone():
    assert names(["plot", "alkali"], [1.0, 1.0], general=["plot"]).texts == []


def test_no_proper_name_is_joined_with_a_common_one_in_english():
    assert names(["background", "IDW Publishing"], [1.0, 1.0]).texts == []
    assert names(["Marx", "Engels"], [1.0, 0.9]).texts == ["Marx and Engels"]
    assert names(["Archiv", "digitale Bibliothek"], [1.0, 1.0], "de").texts == [
        "Archiv und digitale Bibliothek"
    ]


def test_halves_stand_together_in_half_the_passages_of_the_rarer_one():
    rarer, often = frozenset({0, 1}), frozenset({1, 2, 3, 4})
    assert names(["causes", "symptoms"], [1.0, 1.0], said_by=[rarer, often]).said_by == [{1}]
    for other in (frozenset({3, 4}), frozenset(), frozenset({1, 5, 6})):
        few = [other, often - {1} if other == {1, 5, 6} else rarer]
        assert names(["causes", "rivers"], [1.0, 1.0], said_by=few).texts == []


def test_phrases_that_repeat_each_other_are_not_joined():
    assert names(["immigration", "immigrants"], [1.0, 1.0]).texts == []
    assert names(["laws and orders", "courts"], [1.0, 1.0]).texts == []


def test_in_how_many_places_a_phrase_goes_on():
    table = PhraseTable(
        ["The geodesic dome. A geodesic curve of sight.", "One geodesic, and a dome."]
    )
    before, behind, of = table.going_on(table.find(["geodesic"]))
    np.testing.assert_allclose([before, behind, of], [0, 2 / 3, 0])
    assert table.going_on(table.find(["curve"])) == (1.0, 0.0, 1.0)
