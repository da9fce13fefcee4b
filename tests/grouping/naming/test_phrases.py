import numpy as np
import pytest

from subclust.grouping.naming.phrases import PhraseTable
from subclust.grouping.naming.weights import WeightedPhrases
from subclust.grouping.naming.words import may_border, root, stem


def found(texts, query=""):
    table = PhraseTable(texts, query)
    return {table.key(phrase) for phrase in range(len(table.phrases))}


def test_phrases_do_not_cross_punctuation_or_begin_with_stop_words():
    assert found(["The old mill, a river"]) == {"mill", "river"}
    assert found(["copper mining. Chile"]) == {"copper", "mining", "copper mining", "chile"}


def test_each_phrase_lists_the_passages_that_hold_it_once():
    table = PhraseTable(["copper copper", "iron", "Copper"])
    held = {}
    for phrase, passage in table.occurrences:
        held.setdefault(table.key(phrase), []).append(int(passage))
    assert held["copper"] == [0, 2]
    assert held["iron"] == [1]


def test_a_name_asked_for_tells_nothing():
    assert found(["the author names"], query="author name disambiguation") == set()


def test_phrases_of_query_words_alone_are_left_out():
    kept = found(["copper mining Chile"], query="mines and Mining")
    assert kept == {"copper", "chile", "copper mining", "mining chile", "copper mining chile"}


@pytest.mark.parametrize(
    ("texts", "key", "text"),
    [
        (["see Stamp Act", "read Stamp Act", "read stamp act"], "stamp act", "Stamp Act"),
        (["read Lincoln's", "read Lincoln's"], "lincoln", "Lincoln"),
        (["many colonies", "a colony", "some colonies"], "colony", "colonies"),
    ],
)
def test_text_is_the_form_found_most_often(texts, key, text):
    table = PhraseTable(texts)
    phrase = next(one for one in range(len(table.phrases)) if table.key(one) == key)
    assert table.text(phrase) == text


@pytest.mark.parametrize(
    ("texts", "key", "whole"),
    [
        # "Open" and "new" may not begin a phrase, and a phrase has three words at most.
        (["the Open Archives Initiative", "an Open Archives Initiative"], "archive initiative",
         "Open Archives Initiative"),
        (["accuracy of Monte Carlo methods", "the accuracy of Monte Carlo runs"],
         "accuracy of monte", "accuracy of Monte Carlo"),
        (["a decline in amphibian populations"], "decline in amphibian",
         "decline in amphibian populations"),
        (["the siege of New York"], "york", "New York"),
        (["tame birds", "wild birds", "wild birds"], "bird", "birds"),
        (["Wild birds fly", "Wild birds sing"], "bird", "birds"),
        (["read Lincoln's Letter", "read Lincoln's Letter"], "lincoln", "Lincoln"),
        (["trees of Mars", "trees of Mars. Carlo"], "mar", "Mars"),
    ],
)  # fmt: skip
def test_a_piece_of_one_longer_phrase_is_spelt_as_the_whole(texts, key, whole):
    table = PhraseTable(texts)
    phrase = next(one for one in range(len(table.phrases)) if table.key(one) == key)
    assert table.whole(phrase) == whole


def test_a_piece_is_spelt_with_the_word_of_the_question_before_it():
    table = PhraseTable(["an open access journal", "all open access journals"], "open access")
    assert table.whole(table.find(["access", "journal"])) == "open access journal"
    untold = PhraseTable(["an open access journal", "all open access journals"], "libraries")
    assert untold.whole(untold.find(["access", "journal"])) == "access journal"


def test_the_first_place_and_the_passages_of_a_phrase():
    table = PhraseTable(["tin, a mine of copper", "copper. A mine", "tin"])
    mine, copper = table.find(["mine"]), table.find(["copper"])
    assert (table.earliest[mine], table.earliest[copper]) == (3, 0)
    assert table.passages_with(copper) == [0, 1]
    assert table.passages_with(mine) == [0, 1]
    assert len(PhraseTable([]).earliest) == 0


def test_what_follows_an_initial_is_a_piece_of_a_name():
    table = PhraseTable(["P. putida and putida", "the P. putida. A putida; E putida."])
    assert table.after_initial(table.find(["putida"])) == 2 / 5
    assert PhraseTable(["A tin"]).after_initial(0) == 0


def test_a_piece_of_several_longer_phrases_stays_as_it_is():
    table = PhraseTable(["Royal Navy", "Royal Society", "Royal Academy", "Royal Academy"])
    assert table.whole(table.find(["royal"])) == "Royal"


@pytest.mark.parametrize(
    ("one", "other"),
    [("colonies", "Colony"), ("acts", "act"), ("churches", "church"), ("Lincoln's", "Lincoln")],
)
def test_stem_joins_forms(one, other):
    assert stem(one) == stem(other)


def test_stem_keeps_words_apart_that_only_look_alike():
    assert stem("species") != stem("spec")
    assert stem("bus") == "bus"
    assert stem("analysis") == "analysis"


def test_root_joins_caused_and_causes():
    assert root("causes") == root("caused") == root("causing")
    assert root("taxation") != root("boston")


def test_borders():
    assert not may_border("the")
    assert not may_border("gradually")
    assert not may_border("don't")
    assert may_border("family")
    assert may_border("Boston")


def test_a_phrase_is_found_by_its_words():
    table = PhraseTable(["copper mining in Chile", "a mine of copper"])
    assert table.key(table.find(["copper", "mining"])) == "copper mining"
    assert table.find(["mining", "copper"]) is table.find(["tin"]) is table.find([]) is None
    assert table.offsets(table.find(["copper"])).tolist() == [0, 3]
    assert sorted(table.passages_of("copper")) == [0, 1] and not len(table.passages_of("tin"))


def test_weights_are_shares_of_passages_times_rarity():
    table = PhraseTable(["tea tea", "tea", "tea tax", "coal"])
    weighted = WeightedPhrases.of(table, np.array([0, 0, 1, 1]), n_groups=2)
    tea = table.find(["tea"])
    assert weighted.held_by[tea].tolist() == [2, 1]
    np.testing.assert_allclose(weighted.weights[tea], np.array([1, 0.5]) * np.log1p(10 / 1.5))


def test_the_passages_of_a_word_are_those_that_have_it_in_any_form():
    texts = ["copper mines. Iron", "of iron", "", "The mine, mines, mining"]
    table = PhraseTable(texts)
    for word in (*table.words, "absent"):
        held = [row for row, text in enumerate(texts) if word in map(stem, text.split())]
        without_signs = [row for row, text in enumerate(texts) if word in stems_of(text)]
        assert set(table.passages_of(word).tolist()) == set(without_signs) >= set(held)
    assert set(table.passages_of("mine").tolist()) == {0, 3}


def stems_of(text):
    return {stem(word.strip(".,")) for word in text.split()}
