"""Figures of kept hits, of parts and of stability."""

import numpy as np
import pytest
from maps import subtopic, subtopic_map
from regrouped_maps import two_questions

from subclust.core.records import StabilityCurve, SubtopicPart
from subclust.figures.bars import stability_line
from subclust.figures.moved import (
    PARTS_TRACE,
    PASSAGES_TRACE,
    PATHS_TRACE,
    _hull,
    draw_part_outlines,
    moved_scatter,
)
from subclust.figures.scatter import MARKED_TRACE, subtopic_scatter


def trace(figure, name):
    return next(one for one in figure.data if one.name == name)


def test_both_sides_have_every_passage_in_the_same_place_of_the_same_trace():
    regrouping = two_questions()
    now, before = moved_scatter(regrouping), moved_scatter(regrouping, before=True)
    names = [PATHS_TRACE, MARKED_TRACE, PASSAGES_TRACE]
    assert [one.name for one in now.data] == [one.name for one in before.data] == names
    order = [effect.passage.id for effect in regrouping.effects]
    for figure, side in [(now, regrouping.after), (before, regrouping.before)]:
        marks = trace(figure, PASSAGES_TRACE)
        assert list(marks.ids) == order
        groups = {m.passage.id: (g.id, m) for g in side.subtopics for m in g.passages}
        for row, (passage, group) in enumerate(marks.customdata):
            assert groups[passage][0] == group
            assert marks.x[row] == groups[passage][1].x
        colours = {marks.customdata[row][1]: marks.marker.color[row] for row in range(len(order))}
        assert len(set(colours.values())) == 3
    assert now.layout.xaxis.range == before.layout.xaxis.range
    assert now.layout.uirevision == before.layout.uirevision


def test_only_those_who_changed_group_leave_a_line_and_only_now():
    regrouping = two_questions()
    changed = sum(effect.before != effect.after for effect in regrouping.effects)
    now, before = moved_scatter(regrouping), moved_scatter(regrouping, before=True)
    assert len(trace(now, PATHS_TRACE).x) == 3 * changed
    assert not trace(before, PATHS_TRACE).x


def test_marks_take_their_time_unless_no_motion_is_wanted():
    assert moved_scatter(two_questions()).layout.transition.duration > 0
    assert moved_scatter(two_questions(), still=True).layout.transition.duration == 0


def test_marked_passages_stand_out():
    figure = moved_scatter(two_questions(), marked=["p3"])
    assert list(trace(figure, MARKED_TRACE).ids) == ["p3"]
    opacities = trace(figure, PASSAGES_TRACE).marker.opacity
    assert opacities[3] > 0.5 > max(opacities[:3] + opacities[4:])


def test_parts_are_drawn_behind_the_marks_with_numbers_where_the_group_is_marked():
    places = [(0, 0), (1, 0), (0, 1), (5, 5), (6, 5), (5, 6), (5.2, 5.2)]
    group = subtopic(0, "Taxes", places)
    parts = {
        0: (
            SubtopicPart("1.1", "Tea", group.passages[3:]),
            SubtopicPart("1.2", "Paper", group.passages[:3]),
        )
    }
    figure = subtopic_scatter(subtopic_map(group))
    draw_part_outlines(figure, parts, numbered=0)
    assert [one.name for one in figure.data] == [PARTS_TRACE.format(group=0), "Taxes"]
    corners = [x for x in figure.data[0].x if x is not None]
    assert len(corners) == 4 + 4  # triangles, closed; the passage inside is no corner
    assert {"1.1", "1.2"} <= {label.text for label in figure.layout.annotations}
    plain = subtopic_scatter(subtopic_map(group))
    draw_part_outlines(plain, {})
    assert len(plain.data) == 1


@pytest.mark.parametrize("places", [[(0, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)]])
def test_few_passages_and_those_on_a_line_have_an_outline(places):
    outline = _hull(subtopic(0, "One", places).passages)
    assert outline[0] == outline[-1]
    assert np.ptp(np.array(outline), axis=0).tolist() == np.ptp(np.array(places), axis=0).tolist()


def test_the_suggested_number_is_a_star_and_the_shown_one_ringed():
    curve = StabilityCurve((2, 3, 4), (0.4, 0.9, -0.1), 3)
    line = stability_line(curve, shown=4).data[0]
    assert list(line.customdata) == [2, 3, 4]
    assert list(line.marker.symbol) == ["circle", "star", "circle"]
    assert list(line.marker.line.width) == [0, 0, 2]
    assert stability_line(curve).layout.yaxis.range[0] <= -0.1
