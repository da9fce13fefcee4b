import numpy as np

from subclust.core.records import Query
from subclust.core.records.terms import Term, Vocabulary
from subclust.grouping.naming import HeadingNamer, LanguageModelNamer
from subclust.grouping.naming.terms import TermIndex

TEXTS = [
    "The duties on tea were raised by the crown.",
    "Parliament kept the duty on paper and glass.",
    "Merchants refused the duties of the crown.",
    "The fleet sailed to the harbour of Boston.",
    "Ships of the fleet met the storm at sea.",
    "A fleet of merchants crossed the sea.",
]
GROUP_OF = np.repeat([0, 1], 3)
VOCABULARY = Vocabulary(
    (
        Term("taxation of imports", "t1", ("duties",)),
        Term("fleet", "t2"),
        Term("merchants", "t3"),
        Term("revolution", "t4"),
    )
)


def test_a_term_is_of_the_group_that_says_it_by_any_of_its_words():
    found = TermIndex(VOCABULARY).of_groups(TEXTS, GROUP_OF, 2, "the revolution")
    assert found == [["taxation of imports"], ["fleet"]]


def test_a_term_of_the_question_or_of_both_groups_is_none():
    found = TermIndex(VOCABULARY).of_groups(TEXTS, GROUP_OF, 2, "fleets")
    assert found == [["taxation of imports"], []]
    both = Vocabulary((Term("crown", "1"),))
    assert TermIndex(both).of_groups([TEXTS[0]] * 4, np.array([0, 0, 1, 1]), 2, "x") == [[], []]


def test_of_a_term_within_another_the_longer_one_counts():
    terms = Vocabulary((Term("library", "1"), Term("digital library", "2")))
    texts = ["A digital library.", "Digital libraries grow.", "Cats.", "Dogs."]
    found = TermIndex(terms).of_groups(texts, np.array([0, 0, 1, 1]), 2, "x")
    assert found == [["digital library"], []]


def test_terms_come_before_all_other_names():
    namer = HeadingNamer(vocabulary=VOCABULARY)
    names = namer.name(Query("the revolution"), TEXTS, GROUP_OF)
    assert names == {0: "Taxation of imports", 1: "Fleet"}
    assert [namer.vocabulary.id_of(name) for name in names.values()] == ["t1", "t2"]
    asked = LanguageModelNamer(lambda prompt: "1. Tea and paper\n2. Storm at sea", namer)
    assert asked.name(Query("the revolution"), TEXTS, GROUP_OF) == names


def test_without_terms_nothing_changes():
    query = Query("the revolution")
    none = HeadingNamer(vocabulary=Vocabulary((Term("cheese", "1"),)))
    assert none.name(query, TEXTS, GROUP_OF) == HeadingNamer().name(query, TEXTS, GROUP_OF)
