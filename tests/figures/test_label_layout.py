import textwrap

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from subclust.figures.group_labels import View, place_labels
from subclust.figures.wrapping import excerpt, label_lines, lines


def view(anchors, width=600.0, height=600.0):
    places = np.array(anchors, dtype=np.float32).reshape(-1, 2)
    return View(width, height, places, places)


def rectangles(sizes, a_view, shifts):
    for size, anchor, shift in zip(sizes, a_view.anchors, shifts, strict=True):
        if shift is not None:
            x, y = anchor + shift
            yield x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2


def test_a_label_goes_to_the_nearest_free_place():
    a_view = View(600.0, 600.0, np.array([[300.0, 300.0], [300.0, 300.0]]), np.zeros((0, 2)))
    # A quarter of a height is the smallest move; four of them clear the first label.
    assert place_labels([(100.0, 40.0)] * 2, [a_view]) == [(0.0, 0.0), (0.0, -40.0)]


def test_a_label_that_covers_fewer_marks_may_lie_further_off():
    marks = np.array([[300.0, 300.0]] * 20)
    a_view = View(600.0, 600.0, np.array([[300.0, 300.0]]), marks)
    ((x, y),) = place_labels([(100.0, 40.0)], [a_view])
    assert abs(x) >= 50 or abs(y) >= 20


def test_where_marks_are_few_no_label_covers_one():
    a_view = view([(150.0, 150.0), (450.0, 150.0), (150.0, 450.0), (450.0, 450.0)])
    sizes = [(120.0, 40.0), (120.0, 20.0)] * 2
    boxes = list(rectangles(sizes, a_view, place_labels(sizes, [a_view])))
    assert len(boxes) == 4
    for left, low, right, high in boxes:
        x, y = a_view.marks.T
        assert not ((left < x) & (x < right) & (low < y) & (y < high)).any()


PLACES = st.lists(st.tuples(st.floats(0, 600), st.floats(0, 600)), min_size=1, max_size=10)


@given(PLACES)
def test_labels_never_overlap_and_stay_inside_at_any_size(anchors):
    sizes = [(120.0, 40.0)] * len(anchors)
    small = view([(x * 0.55, y * 0.8) for x, y in anchors], 330, 480)
    views = [small, view(anchors)]
    shifts = place_labels(sizes, views)
    for a_view in views:
        boxes = list(rectangles(sizes, a_view, shifts))
        for i, (left, low, right, high) in enumerate(boxes):
            assert left >= -0.01 and low >= -0.01
            assert right <= a_view.width + 0.01 and high <= a_view.height + 0.01
            for other in boxes[:i]:
                assert (
                    right <= other[0] + 0.01
                    or other[2] <= left + 0.01
                    or (high <= other[1] + 0.01 or other[3] <= low + 0.01)
                )


def test_a_lone_label_stays_where_it_wants_to_be():
    empty = View(600, 600, np.array([[300, 300]], np.float32), np.zeros((0, 2), np.float32))
    assert place_labels([(100, 20)], [empty]) == [(0.0, 0.0)]


def test_a_label_without_a_place_is_left_out():
    crowded = view([(50, 50)] * 9, 100, 100)
    assert None in place_labels([(90.0, 45.0)] * 9, [crowded])


def test_labels_drop_whole_phrases_never_letters():
    assert label_lines("Stamp Act, taxation") == ["Stamp Act,", "taxation"]
    three_phrases = "A first phrase here, a second phrase, a third phrase"
    assert label_lines(three_phrases) == ["A first phrase", "here"]
    assert label_lines("Donaudampfschifffahrtsgesellschaft") == [
        "Donaudampfschifffahrtsgesellschaft"
    ]


def test_excerpts_end_on_a_word():
    assert excerpt("one two three four", 12) == "one two\u00a0…"
    assert excerpt("one", 12) == "one"
    long = "one two three four " * 50
    assert excerpt(long, 40) == textwrap.shorten(long, 40, placeholder="\u00a0…")
    blanks = "one" + " " * 400 + "two"
    assert excerpt(blanks, 40) == "one two"


@given(st.text(st.sampled_from("ab -\n\u00a0"), max_size=400))
def test_excerpts_are_those_of_the_whole_text(text):
    assert excerpt(text, 12) == textwrap.shorten(text, 12, placeholder="\u00a0…")


def test_lines_hold_whole_words_and_stay_within_their_width():
    assert lines("one  two\nthree four-five", 9) == ["one two", "three", "four-five"]
    assert lines("Donaudampfschifffahrt ab", 9) == ["Donaudampfschifffahrt", "ab"]
    assert lines("one two\u00a0…", 8) == ["one", "two\u00a0…"]
    assert lines(" ", 9) == []
