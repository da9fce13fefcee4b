from itertools import permutations

import numpy as np
import pytest

from subclust.figures.palette import DARK, LIGHT, group_style
from subclust.figures.placed import PlacedMap, _in_place, placed_maps

GOLD = (0, 0, 0, 1, 1, 2)
RIGHT = (2, 2, 2, 0, 0, 1)
WRONG = (0, 0, 1, 1, 1, 1)
NAMES = ("Taxes", "War & peace", "<Tea>")


def placed(label, groups):
    return PlacedMap(label, 0.5, tuple(map(float, range(6))), (0.0,) * 6, groups)


def most_in_place(groups, gold):
    """Try every way to let groups stand for labels."""
    kinds, labels = sorted(set(groups)), sorted(set(gold))
    padded = labels + [None] * len(kinds)
    ways = (dict(zip(kinds, order, strict=True)) for order in permutations(padded, len(kinds)))
    return max(sum(way[g] == y for g, y in zip(groups, gold, strict=True)) for way in ways)


def test_numbers_of_groups_do_not_matter():
    assert all(_in_place(RIGHT, GOLD))
    assert _in_place(WRONG, GOLD) == [True, True, False, True, True, False]
    assert _in_place((), ()) == []


@pytest.mark.parametrize("seed", range(12))
def test_as_many_as_possible_are_in_place(seed):
    generator = np.random.default_rng(seed)
    groups, gold = generator.integers(0, 4, 12).tolist(), generator.integers(0, 3, 12).tolist()
    assert sum(_in_place(groups, gold)) == most_in_place(groups, gold)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_mark_has_its_labels_look_and_is_hollow_out_of_place(theme):
    figure = placed_maps(
        [placed("Before", WRONG), placed("After", RIGHT)], GOLD, NAMES, theme=theme
    )
    assert len(figure.data) == 2 * len(NAMES)
    before, after = figure.data[0], figure.data[3]
    style = group_style(0, theme)
    assert before.marker.symbol == after.marker.symbol == style.symbol
    assert list(before.marker.color) == [style.colour, style.colour, theme.page]
    assert list(after.marker.color) == [style.colour] * 3
    assert [row[3] for row in before.customdata] == ["in", "in", "out of"]


def test_titles_say_how_many_are_in_place_and_names_are_not_run():
    figure = placed_maps([placed("A<b>", WRONG)], GOLD, NAMES, ids=list("abcdef"))
    assert "4 of 6 in place" in figure.layout.annotations[0].text
    assert "A&lt;b&gt;" in figure.layout.annotations[0].text
    assert [one.name for one in figure.data] == ["Taxes", "War &amp; peace", "&lt;Tea&gt;"]
    assert [row[0] for row in figure.data[1].customdata] == ["d", "e"]


def test_maps_stand_beside_each_other_and_none_is_an_empty_figure():
    figure = placed_maps([placed("Before", WRONG), placed("After", RIGHT)], GOLD, NAMES)
    left, right = (axis.domain for axis in figure.select_xaxes())
    assert left[1] < right[0]
    assert not placed_maps([], (), ()).data
