import pytest

from subclust.grouping.naming import bears_out, evidence
from subclust.grouping.naming.words import name_words


def found(name, text):
    return [text[start:end] for start, end in evidence(name, text)]


def test_words_of_a_name_are_found_in_other_forms():
    text = "Colonies wrote of the colony's taxes; the Tax was repealed."
    assert found("Colony, tax", text) == ["Colonies", "colony's taxes", "Tax"]


def test_words_side_by_side_are_one_place():
    assert found("Stamp Act", "The Stamp Act and an act") == ["Stamp Act", "act"]


def test_function_words_of_a_name_count_for_nothing():
    assert name_words("Treaty of Paris and the peace") == {"treaty", "paris", "peace"}
    assert found("House of the sun", "of the of the") == []


@pytest.mark.parametrize(("name", "text"), [("", "anything"), ("12", "12"), ("tea", "")])
def test_nothing_is_found_where_there_is_nothing_to_find(name, text):
    assert evidence(name, text) == []


def test_texts_are_counted_that_bear_a_name_out():
    texts = ["Colonies paid taxes.", "A colony's charter", "Of the tea", ""]
    assert bears_out("Colony, of the crown", texts) == 2
    assert bears_out("Colony", texts) == sum(bool(evidence("Colony", text)) for text in texts)
    assert bears_out("of the", texts) == 0
