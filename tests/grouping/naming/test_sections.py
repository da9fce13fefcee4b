"""Titles and headings of documents as names."""

from dataclasses import replace

import numpy as np
import pytest

from subclust.core.records import Passage, Query
from subclust.core.records.terms import Term, Vocabulary
from subclust.grouping.naming import HeadingNamer, heading_namer, headings_above
from subclust.grouping.naming.sections import Sections


def names_of(above, group_of, asked="x", joining="and"):
    group_of = np.array(group_of)
    return Sections(above, asked, "en").names(group_of, [joining] * (int(group_of.max()) + 1))


def under(*headings):
    return [(heading,) for heading in headings]


def test_the_title_and_the_headings_above_a_passage_from_the_top():
    passage = Passage("1", "They fly.", title="Bees", label="Life", path="Life / Flight")
    assert headings_above(passage) == ("Bees", "Life", "Flight")


def test_a_heading_names_the_group_that_is_most_of_it_and_mostly_under_it():
    above = under("Larvae", "Larvae", "Eggs", "Larvae", "Prey", "Prey")
    assert names_of(above, [0, 0, 0, 1, 1, 1]) == [["Larvae"], ["Prey"]]


@pytest.mark.parametrize(
    ("above", "group_of"),
    [
        (under("History", "History", "History", "History"), [0, 0, 1, 1]),  # half of it elsewhere
        (under("History", "History", "Eggs", "Prey", "Wings"), [0, 0, 0, 0, 0]),  # of two in five
        (under("History"), [0]),  # of one passage alone
        (under("Methods", "Methods"), [0, 0]),
        (under("in film", "in film"), [0, 0]),  # no noun phrase
        (under("IV", "IV"), [0, 0]),
        (under("q-bio.PE", "q-bio.PE"), [0, 0]),
        (under("soft_matter", "soft_matter"), [0, 0]),
        (under("", ""), [0, 0]),
        (under(*["One of the longest headings of all that stand here"] * 2), [0, 0]),
    ],
)
def test_other_headings_name_no_group(above, group_of):
    assert not any(names_of(above, group_of))


def test_a_heading_that_only_repeats_the_question_names_no_group():
    assert names_of(under("Honey bees", "Honey bees"), [0, 0], "the honey bee") == [[]]


def test_of_two_headings_that_hold_the_better_one_stands_first():
    above = [("Bees", "Flight"), ("Bees", "Flight"), ("Bees", "Flight"), ("Bees", "Eggs")]
    assert names_of([*above, ("Wasps", "")], [0, 0, 0, 0, 1])[0] == ["Bees", "Flight"]


def test_headings_are_the_same_whatever_their_case_and_number():
    assert names_of(under("Eggs", "egg", "Prey", "Prey"), [0, 0, 1, 1])[0] == ["Eggs"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("1970–85: Early life", "Early life"),
        ("2001: Space flight", "2001: Space flight"),  # one year may be part of a title
    ],
)
def test_years_before_a_heading_go(heading, name):
    assert names_of(under(heading, heading), [0, 0]) == [[name]]


def test_two_headings_that_cover_a_group_are_joined():
    above = under("Eggs", "Eggs", "Larvae", "Larvae", "Prey", "Wings")
    assert names_of(above, [0] * 6, joining="und") == [["Larvae und Eggs"]]


@pytest.mark.parametrize(
    "above",
    [
        under("Eggs", "Eggs", "Larvae", "Larvae", "Prey", "Wings", "Legs"),  # four in seven
        under("Eggs", "Eggs", "Larvae and prey", "Larvae and prey"),
        under("Eggs", "Eggs", "Other insects", "Other insects"),
        under("Eggs", "Eggs", "Egg of bees", "Egg of bees"),
    ],
)
def test_other_headings_are_not_joined(above):
    assert names_of(above, [0] * len(above)) == [[]]


def test_a_heading_is_not_joined_with_one_below_it():
    above = [
        ("Life", "Eggs"),
        ("Life", "Eggs"),
        ("Life", ""),
        ("Prey", ""),
        ("Wings", ""),
        ("", ""),
    ]
    assert names_of(above, [0] * 6) == [[]]


@pytest.mark.parametrize(
    ("above", "group_of", "nearest"),
    [
        (under(*["Eggs"] * 3, "Prey", "Wings", "Legs"), [0] * 6, ["Eggs"]),
        (under(*["Eggs"] * 5), [0, 0, 0, 1, 1], ["Eggs", None]),  # of one group alone
        (under("Eggs", "Eggs", "Prey", "Wings"), [0] * 4, [None]),  # of two passages
        (under(*["Eggs"] * 3, *"ABCDE"), [0] * 8, [None]),  # of less than two fifths
        (under(*["Eggs"] * 10), [0, 0, 0, 1, 1, 1, 2, 2, 3, 3], [None] * 4),  # mostly elsewhere
        (under(*["Methods"] * 3), [0] * 3, [None]),
        (under("Eggs", "Eggs", "Prey", "Prey", "Wings"), [0] * 5, ["Prey and Eggs"]),
        (under("Eggs", "Eggs", *"ABC", "Prey", "Wings", "Legs"), [0] * 8, [None]),
    ],
)
def test_the_nearest_heading_of_a_group_that_has_none_of_its_own(above, group_of, nearest):
    sections = Sections(above, "x", "en")
    groups = np.array(group_of)
    assert [sections.nearest(groups, n, "and") for n in range(len(nearest))] == nearest


def test_two_headings_are_nearest_only_where_a_word_joins_them():
    sections = Sections(under("Eggs", "Eggs", "Prey", "Prey", "Wings"), "x", "en")
    assert sections.nearest(np.zeros(5, dtype=int), 0, "") is None


def grouped(texts, headings):
    passages = [Passage(text, text, path=path) for text, path in zip(texts, headings, strict=True)]
    known = HeadingNamer().knowing(passages, np.zeros((len(texts), 2), dtype=np.float32))
    return known.name(Query("farms"), texts, np.repeat([0, 1], [6, 3]))


HEADINGS = [*["Growth"] * 3, "Soil", "Rain", "Frost", "Growth", "Hives", "Hives"]
BEES = ["Bees fly far.", "Bees fly low.", "Bees fly home."]


def test_a_name_that_hardly_any_passage_bears_out_gives_way_to_the_nearest_heading():
    apart = ["Wheat is sown.", "Rye ripens.", "Oats lie flat.", "Clay sets."]
    apart += ["It pours.", "Ice cracks."]
    assert grouped([*apart, *BEES], HEADINGS)[0] == "Growth"


ALIKE = [f"Wheat {what}." for what in ("is sown", "ripens", "lies flat", "rots")]
ALIKE += ["Wheat drowns.", "Wheat freezes."]


def test_a_name_that_passages_bear_out_stays():
    assert grouped([*ALIKE, *BEES], HEADINGS)[0] == "Wheat"


def test_an_unlikely_name_gives_way_to_the_nearest_heading(monkeypatch):
    monkeypatch.setattr(heading_namer, "_LIKELY", 9.0)
    assert grouped([*ALIKE, *BEES], HEADINGS)[0] == "Growth"


PASSAGES = [
    Passage("1", "Bees fly far.", title="Bees", path="Flight of Insects"),
    Passage("2", "Bees fly low, as insects do.", title="Bees", path="Flight of Insects"),
    Passage("3", "Wheat grows.", title="Grain", path="Growth"),
    Passage("4", "Wheat grew.", title="Grain", path="Growth"),
]
TEXTS = [one.text for one in PASSAGES]
LABELS = np.array([0, 0, 1, 1])


def named(namer):
    known = namer.knowing(PASSAGES, np.zeros((4, 2), dtype=np.float32))
    return known.name(Query("farms"), TEXTS, LABELS)


def test_headings_come_before_other_names_and_as_the_passages_write_them():
    texts_alone = HeadingNamer().name(Query("farms"), TEXTS, LABELS)
    assert named(HeadingNamer()) == {0: "Bees", 1: "Grain"} != texts_alone


def test_the_class_of_a_record_is_no_heading():
    records = [replace(one, title=f"On farm {row}") for row, one in enumerate(PASSAGES)]
    known = HeadingNamer().knowing(records, np.zeros((4, 2), dtype=np.float32))
    proposed = known.proposals(Query("x"), TEXTS, LABELS)
    assert not {"Flight of insects", "growth"} & {*proposed[0], *proposed[1]}


def test_a_preferred_term_comes_before_a_heading():
    terms = Vocabulary((Term("wheat", "wheat"),))
    assert named(HeadingNamer(vocabulary=terms))[1] == "Wheat"


def test_words_of_a_heading_that_passages_write_small_are_small():
    known = HeadingNamer().knowing(PASSAGES, np.zeros((4, 2), dtype=np.float32))
    assert "flight of insects" in known.proposals(Query("farms"), TEXTS, LABELS)[0]


@pytest.mark.parametrize(
    ("heading", "written"),
    [
        ("Taxes Rates", "taxes rates"),  # once one word is small, so is one that nobody writes
        ("Taxes Rates Law", "taxes rates Law"),
        ("Rates Duties", "Rates Duties"),
        ("Andrei Tarkovsky", "Andrei Tarkovsky"),
        ("Rates of taxes", "Rates of taxes"),
    ],
)
def test_words_of_a_heading_are_written_as_in_passages(heading, written):
    one = Passage("1", "The Stamp Act was Law. No taxes.", title="Tea", path=heading)
    assert heading_namer._above(one, {"The", "taxes", "Law"}, set())[1] == written


@pytest.mark.parametrize("n_read", [1000, 0])  # however late among thousands its passages are
def test_a_title_that_passages_say_in_capitals_is_a_name_and_keeps_them(n_read, monkeypatch):
    monkeypatch.setattr(heading_namer, "_READ_FOR_CASE", n_read)
    texts = ["Animal Farm is long.", "It was a farm of an animal.", "A farm.", "Wheat grows."]
    passages = [
        Passage(str(row), text, title="Animal Farm" if row < 3 else "Old Wheat")
        for row, text in enumerate(texts)
    ]
    embeddings = np.eye(4, dtype=np.float32)
    namer = HeadingNamer().knowing(passages, embeddings)
    proposed = namer.proposals(Query("x"), texts, np.array([0, 0, 0, 1]))
    assert proposed[0][0] == "Animal Farm"
