"""Sentences that know what they were made of."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message, with_messages, with_templates
from subclust.core.translation import translated

ROWS = Message("{file!r} has {count:,} rows ({size:.1f} MB).", file="a.csv", count=1234, size=2.5)
NESTED = Message("{what}: {reason}", what=ROWS, reason=ValueError("no"))


@pytest.mark.parametrize("made", [ROWS, NESTED, Message("Nothing.")])
def test_a_message_is_its_sentence_and_outlives_copies_processes_and_files(made):
    for other in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert (other, other.template, other.values) == (made, made.template, made.values)
    kept = json.loads(json.dumps(with_templates({"error": made, "more": [{"why": made}]})))
    assert kept["error"] == str(made)
    for other in (with_messages(kept)["error"], with_messages(kept)["more"][0]["why"]):
        assert (other, other.template) == (made, made.template)


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)
                    | st.dictionaries(st.text(max_size=5), inner)))  # fmt: skip
def test_what_holds_no_message_stays_as_it_is(value):
    assert with_templates(value) == with_messages(value) == value


def test_a_damaged_template_leaves_the_sentence():
    assert with_messages({"error": "No.", "error_message": {"template": 3}}) == {"error": "No."}


def test_an_error_carries_its_message_to_another_process():
    error = pickle.loads(pickle.dumps(FileFormatError("{file} is empty.", file="a.csv")))
    assert str(error) == "a.csv is empty."
    assert error.sentence.values == {"file": "a.csv"}
    assert FileFormatError("{as it is}").sentence == "{as it is}"


def test_numbers_and_quotations_are_those_of_the_language():
    made = Message(
        "{file!r} {count:,} {size:.1f} {size:.3g} {year}", file="a", count=1234, size=2.5, year=1990
    )
    assert translated(made, "de") == "„a“ 1.234 2,5 2,5 1990"
    assert translated(made, "en") == str(made) == "'a' 1,234 2.5 2.5 1990"


def test_another_template_may_be_said_in_its_place():
    made = Message("{name} is not there; run this.", name="x")
    other = {made.template: "{name} is not there; press that."}
    assert translated(made, "en", other) == "x is not there; press that."
