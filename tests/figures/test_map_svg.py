"""The drawing of the map that is taken away."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap
from subclust.figures.map_svg import WIDTH, _ems, _group_class, dark_style, map_svg
from subclust.figures.palette import DARK, LIGHT, group_style

PLACES = {0: [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], 1: [(-2.0, -1.0), (3.0, 2.0)], -1: [(1.0, 1.0)]}


def small_map():
    groups = []
    rank = 0
    for group, places in PLACES.items():
        members = []
        for x, y in places:
            rank += 1
            members.append(MappedPassage(Passage(f"id<{rank}>", "Text."), rank, 0.5, x, y))
        groups.append(Subtopic(group, f"Group & {group}", 0.5, tuple(members)))
    return SubtopicMap(Query("a <question>"), "demo", "tfidf", None, 0, 2, "user", tuple(groups))


def marks(drawing):
    """Find each mark's middle by its passage's id."""
    found = {}
    for path in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}path"):
        if path.get("data-passage"):
            numbers = [float(one) for one in re.findall(r"-?\d+\.?\d*", path.get("d"))]
            found[path.get("data-passage")] = numbers[:2]
    return found


def test_marks_lie_as_on_the_map_in_the_same_units_both_ways():
    found = marks(map_svg(small_map()))
    assert set(found) == {f"id<{rank}>" for rank in range(1, 7)}
    x0, y0 = found["id<1>"]
    right, up = found["id<2>"], found["id<3>"]
    assert right[0] - x0 == pytest.approx(y0 - up[1]) and right[0] - x0 > 20
    assert abs(right[1] - y0) < 0.02 and abs(up[0] - x0) < 0.02
    assert all(0 < x < WIDTH for x, _ in found.values())


def test_each_group_has_the_colours_of_the_page():
    drawing = map_svg(small_map())
    for group in (0, 1):
        style = group_style(group, LIGHT)
        assert f'class="{_group_class(group)}" fill="{style.colour}"' in drawing
    assert f'class="{_group_class(-1)}" fill="none"' in drawing
    rules = dark_style(small_map())
    assert f".{_group_class(0)} {{ fill: {group_style(0, DARK).colour}" in rules
    assert f".{_group_class(-1)} {{ fill: none" in rules


def test_words_are_text_and_the_legend_can_be_left_out():
    with_legend, without = map_svg(small_map()), map_svg(small_map(), legend=False)
    assert "a &lt;question&gt;</text>" in with_legend
    assert "a &lt;question&gt;</text>" not in without
    assert "Group &amp; 1 (2)</text>" in with_legend
    assert "<question>" not in with_legend + without


@pytest.mark.parametrize(
    ("question", "is_cut"),
    [("tea", False), ("WHICH LAKES ARE DEEP? " * 6, False), ("word " * 400, True),
     ("a" * 300, True), ("登山湖泊" * 30, True), ("", False)],
)  # fmt: skip
def test_a_question_is_broken_into_lines_that_fit_and_an_ellipsis_says_that_it_is_cut(
    question, is_cut
):
    subtopics = small_map()
    query = replace(subtopics.query, text=question)
    drawing = map_svg(replace(subtopics, query=query), notes=["A note."])
    rows = re.findall(r'font-size="23"[^>]*>([^<]*)</text>', drawing)
    assert len(rows) <= 3 and ("".join(rows).endswith("…") == is_cut)
    assert is_cut or " ".join(rows).split() == question.split()
    assert all(_ems(row) * 23 <= WIDTH - 48 for row in rows)
    assert ">A note.</text>" in drawing
    assert "A note." not in map_svg(subtopics, legend=False, notes=["A note."])


def test_a_name_on_the_map_has_a_halo_and_no_ground_that_hides_marks():
    drawing = map_svg(small_map())
    assert drawing.count("<rect") == 1  # the page
    assert drawing.count('paint-order="stroke"') == 2
    assert f".sc-halo {{ stroke: {DARK.page} }}" in dark_style(small_map())


def test_a_mark_leads_where_it_is_told_to():
    drawing = map_svg(small_map(), link=lambda member: f"#hit-{member.rank}")
    assert drawing.count('tabindex="-1"') == 6
    assert '<a href="#hit-4" tabindex="-1">' in drawing


def test_a_single_passage_and_equal_places_are_drawn():
    alone = small_map()
    one = Subtopic(0, "Alone", 0.0, alone.subtopics[0].passages[:1])
    drawing = map_svg(
        SubtopicMap(Query("q"), "demo", "tfidf", None, 0, 1, "user", (one,)), legend=False
    )
    assert marks(drawing)["id<1>"][0] > 0
    assert "nan" not in drawing
