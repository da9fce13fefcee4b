"""The list in a question is read, and nothing else is taken for one."""

import pytest

from subclust.grouping.similarity.named_things import MOST, named_things


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("differences between pens, pencils and paper", ("pens", "pencils", "paper")),
        ("pens, ink and toner, and paper", ("pens", "ink and toner", "paper")),
        ("ink and toner, tape and glue", ("ink and toner", "tape", "glue")),
        ("look up or add and change", ("look up", "add and change")),
        ("screws and bolts and wire and cable", ("screws and bolts", "wire and cable")),
        ("Keep Peru, Chile and the others apart, please: which is which?", ("Peru", "Chile")),
        ("random walks and entropy: what do we know of each?", ("random walks", "entropy")),
        ("births, deaths and careers of all of them", ("births", "deaths", "careers")),
        ("art such as Rome's, S. S. Smith's", ("Rome's", "S. S. Smith's")),
        ("maths, physics and law and others, one by one", ("maths", "physics", "law")),
        ("tea, tea and coffee", ("tea", "coffee")),
        ("by method", ()),
        ("which kinds of product are there?", ()),
        ("and, or", ()),
        ("", ()),
    ],
)
def test_listed_things(question, things):
    assert named_things(question) == things


def test_of_a_long_list_the_first_are_read():
    things = [f"thing {number}" for number in range(3 * MOST)]
    assert named_things(", ".join(things)) == tuple(things[:MOST])
