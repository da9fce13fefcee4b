"""Names of some groups only, beside others that keep theirs."""

import numpy as np
import pytest

from benchmarks.baseline_namers import MedoidNamer, PlainTfidfNamer
from subclust.core.records import OTHER_PASSAGES, OTHER_PASSAGES_NAME, Passage, Query
from subclust.grouping.naming import (
    HeadingNamer,
    LanguageModelNamer,
)
from subclust.grouping.naming.phrases import phrase_table
from subclust.pipeline.names import _renamed
from subclust.text.encoders import HashingEncoder

QUERY = Query("gardens")
TEXTS = [
    "roses need pruning",
    "pruning of roses",
    "tulip bulbs in autumn",
    "autumn and tulip bulbs",
]
TEXTS += ["compost heap worms", "worms in the compost heap", "slugs", "snails"]
LABELS = np.array([0, 0, 1, 1, 2, 2, OTHER_PASSAGES, OTHER_PASSAGES])
ENCODE = HashingEncoder(64).encode
PASSAGES = [Passage(str(row), text) for row, text in enumerate(TEXTS)]
KNOWING = HeadingNamer(ENCODE).knowing(PASSAGES, ENCODE(TEXTS))
ASKED = []


def ask(prompt):
    ASKED.append(prompt)
    return "1: compost worms"


NAMERS = [
    HeadingNamer(),
    KNOWING,
    LanguageModelNamer(ask, KNOWING),
    MedoidNamer(),
    PlainTfidfNamer(),
]


@pytest.mark.parametrize("namer", NAMERS, ids=lambda namer: type(namer).__name__)
def test_groups_that_are_wanted_are_named_as_among_all(namer):
    every = HeadingNamer() if isinstance(namer, LanguageModelNamer) else namer
    names = namer.name(QUERY, TEXTS, LABELS, wanted=[2])
    assert names.keys() == {2, OTHER_PASSAGES} and names[OTHER_PASSAGES] == OTHER_PASSAGES_NAME
    if every is namer:
        assert names[2] == namer.name(QUERY, TEXTS, LABELS)[2]
    assert namer.name(QUERY, TEXTS, LABELS, wanted=[]) == {OTHER_PASSAGES: OTHER_PASSAGES_NAME}


@pytest.mark.parametrize("namer", NAMERS, ids=lambda namer: type(namer).__name__)
def test_no_name_is_one_that_is_taken(namer):
    taken = [namer.name(QUERY, TEXTS, LABELS, wanted=[2])[2].upper()]
    taken.append(namer.name(QUERY, TEXTS, LABELS, wanted=[2], taken=taken)[2])
    third = namer.name(QUERY, TEXTS, LABELS, wanted=[2], taken=taken)[2]
    assert len({name.casefold() for name in [*taken, third]}) == 3


def test_a_language_model_is_asked_about_the_wanted_groups_alone():
    ASKED.clear()
    LanguageModelNamer(ask, KNOWING).name(QUERY, TEXTS, LABELS, wanted=[2])
    (prompt,) = ASKED
    assert "compost" in prompt and "roses" not in prompt


def test_a_group_that_stays_keeps_its_name_and_the_new_ones_avoid_it():
    names = {0: "Compost heap, worms", 1: "Tulip bulbs, autumn"}
    before = np.array([0, 0, 1, 1, 0, 0, OTHER_PASSAGES, OTHER_PASSAGES])
    after = np.array([2, 2, 1, 1, 0, 0, OTHER_PASSAGES, OTHER_PASSAGES])
    found = _renamed(KNOWING, QUERY, TEXTS, before, names | {1: "Worms, compost heap"}, after)
    assert found[1] == "Worms, compost heap"
    assert "compost" in found[0].lower() and "roses" in found[2].lower()
    assert len({name.casefold() for name in found.values()}) == 4


def test_phrases_of_the_same_passages_are_looked_for_once():
    assert phrase_table(TEXTS, "gardens") is phrase_table(list(TEXTS), "gardens")
    assert phrase_table(TEXTS, "gardens") is not phrase_table(TEXTS, "tulips")
    assert phrase_table(TEXTS) is not phrase_table(TEXTS[::-1])
    many = TEXTS * 200
    assert phrase_table(many) is not phrase_table(many)
