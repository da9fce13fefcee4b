import re
import xml.etree.ElementTree as ET

import pytest

from benchmarks.figures.curves import Curve, apart, curve_axes, drawn_points
from benchmarks.figures.growth_svg import GrowthCurve, growth_svg, value_range, value_ticks
from benchmarks.figures.spaces import MethodSpace, QuerySpaces
from benchmarks.figures.svg import curves_svg, epochs_svg, spaces_svg
from subclust.figures.svg_shapes import WIDTH

PLACES = ((0.0, 0.0, 1.0), (1.0, 2.0, 0.5), (-1.0, 0.5, 0.0))
GOLD = (0, 1, 0)
SVG = "{http://www.w3.org/2000/svg}"


def query(name="Tax & war"):
    methods = (
        MethodSpace("Triplet", -0.1, PLACES, (0.5, 0.2, 0.1), (0, 0, 1)),
        MethodSpace("COB <n>", 1.0, PLACES, (0.6, 0.2, 0.1), (0, 1, 0)),
    )
    return QuerySpaces(name, ("War", "Tax <1>"), GOLD, methods)


QUICK = Curve("COB", (0.0, 1.0, 2.0, 3.0), (0.2, 0.3, 0.4, 0.45), 2.0, 4.0)
SLOW = Curve("Triplet <1>", (0.0, 20.0, 40.0), (0.2, 0.3, 0.38), 40.0, 400.0)
NEVER = Curve("Other", (0.0, 2.0), (0.2, 0.3), None, 4.4)
CURVES = [
    Curve("COB", (0.0, 1.0, 2.0), (0.2, 0.3, 0.4), 2.0, 4.0),
    Curve("Triplet & more", (0.0, 20.0, 40.0), (0.2, 0.3, 0.38), 40.0, 400.0),
]
PICTURES = {
    "curves": lambda: curves_svg("Title <1>", [("Data", "Triplet & more", CURVES, 0.38)]),
    "epochs": lambda: epochs_svg("Title <1>", [("Data", CURVES)]),
    "spaces": lambda: spaces_svg("Title <1>", [query(), query()]),
}
GROWING = [
    GrowthCurve("NIA", (10, 50, 200), (1.0, 5.0, 20.0)),
    GrowthCurve("SIA <x>", (10, 50, 200), (1.1, 5.6, 23.0)),
    GrowthCurve("FIA", (10, 50), (2.0, 60.0)),
]


def test_time_is_logarithmic_only_where_runs_differ_more_than_tenfold():
    assert curve_axes([QUICK, SLOW]).log
    assert not curve_axes([QUICK, NEVER]).log
    tenfold = Curve("Ten", (0.0, 30.0), (0.2, 0.3), None, 1.0)
    assert not curve_axes([QUICK, tenfold]).log


def test_every_point_lies_within_the_axes_and_what_has_no_place_is_left_out():
    for curves in ([QUICK, SLOW, NEVER], [QUICK, NEVER]):
        axes = curve_axes(curves)
        for curve in curves:
            points = drawn_points(curve, axes)
            assert len(points) == len(curve.seconds) - axes.log
            for time, score in points:
                assert axes.time[0] <= time <= axes.time[1]
                assert axes.score[0] < score < axes.score[1]


@pytest.mark.parametrize(
    ("places", "moved"),
    [
        ([0.0, 10.0], [0.0, 10.0]),
        ([3.0, 3.0], [2.5, 3.5]),
        ([5.0, 5.0, 5.0], [4.0, 5.0, 6.0]),
        ([0.0, 0.5, 1.0, 9.0], [-0.5, 0.5, 1.5, 9.0]),
        ([], []),
    ],
)
def test_places_are_moved_no_farther_than_needed(places, moved):
    assert apart(places, 1.0) == pytest.approx(moved)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_whole_has_a_title_and_a_white_card(name):
    root = ET.fromstring(PICTURES[name]())
    assert root.find(f"{SVG}title").text == "Title <1>"
    assert root.find(f"{SVG}rect").attrib["fill"] == "#FFFFFF"
    assert PICTURES[name]() == PICTURES[name]()


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_in_a_picture_lies_outside_of_it(name):
    text = PICTURES[name]()
    root = ET.fromstring(text)
    height = float(root.attrib["height"])
    shapes = [*root.iter(f"{SVG}path"), *root.iter(f"{SVG}polyline")]
    for shape in shapes:
        numbers = re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"A\S+ \S+ 0 1 1", "", shape.get("d", "")))
        numbers += re.findall(r"-?\d+(?:\.\d+)?", shape.get("points", ""))
        places = list(map(float, numbers))
        assert places and len(places) % 2 == 0
        assert all(0 < x < WIDTH for x in places[::2])
        assert all(0 < y < height for y in places[1::2])
    for one in root.iter(f"{SVG}text"):
        if "transform" not in one.attrib:
            assert 0 < float(one.attrib["x"]) < WIDTH and 0 < float(one.attrib["y"]) < height
    assert "nan" not in text and "inf" not in text


def test_bars_are_as_long_as_the_epochs():
    rects = list(ET.fromstring(PICTURES["epochs"]()).iter(f"{SVG}rect"))[1:]
    short, long = (float(rect.attrib["width"]) for rect in rects)
    assert long / short == pytest.approx(100, rel=0.01)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0.9, 12.0), ["1", "2", "5", "10"]),
        ((0.015, 0.3), ["0.02", "0.05", "0.1", "0.2"]),
        ((0.5, 3000.0), ["1", "10", "100", "1,000"]),
    ],
)
def test_ticks_are_round_and_few(ends, expected):
    assert [text for _, text in value_ticks(*ends)] == expected


def test_a_picture_of_growth_is_whole_and_nothing_lies_outside_of_it():
    text = growth_svg("Growth & <size>", [("A", "memory, MB", GROWING), ("B", "time, s", GROWING)])
    root = ET.fromstring(text)
    assert root.find(f"{SVG}title").text == "Growth & <size>"
    height = float(root.attrib["height"])
    lines = list(root.iter(f"{SVG}polyline"))
    assert len(lines) == 6
    for line in lines:
        places = list(map(float, re.findall(r"-?\d+(?:\.\d+)?", line.get("points"))))
        assert all(0 < x < WIDTH for x in places[::2]) and all(0 < y < height for y in places[1::2])
    # Twice the value is as far up everywhere: the axes are logarithmic.
    low, high = value_range(GROWING)
    assert low == 0.8 and high == 75.0
    (_, first), (_, second), (_, third) = _points(lines[0])
    assert first - second == pytest.approx((second - third) * 1.161, rel=0.01)  # ln 5 / ln 4
    assert "nan" not in text and "inf" not in text


def _points(line):
    return [tuple(map(float, point.split(","))) for point in line.get("points").split()]
