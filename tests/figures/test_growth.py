import re
import xml.etree.ElementTree as ET

import pytest

from subclust.figures import DARK, LIGHT, GrowthCurve, growth_lines
from subclust.figures.growth import value_range, value_ticks
from subclust.figures.growth_svg import growth_svg
from subclust.figures.svg_canvas import WIDTH

CURVES = [
    GrowthCurve("NIA", (10, 50, 200), (1.0, 5.0, 20.0)),
    GrowthCurve("SIA <x>", (10, 50, 200), (1.1, 5.6, 23.0)),
    GrowthCurve("FIA", (10, 50), (2.0, 60.0)),
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_trace_a_line_named_at_its_end(theme):
    figure = growth_lines(CURVES, "memory, MB", theme=theme)
    assert [list(trace.y) for trace in figure.data] == [list(curve.values) for curve in CURVES]
    assert len({trace.line.color for trace in figure.data}) == 3
    assert len({trace.marker.symbol for trace in figure.data}) == 3
    assert [note.text for note in figure.layout.annotations] == [
        "<b>NIA</b>", "<b>SIA &lt;x&gt;</b>", "<b>FIA</b>",
    ]  # fmt: skip
    assert figure.layout.yaxis.title.text == "memory, MB"
    assert list(figure.layout.xaxis.ticktext) == ["10", "50", "200"]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


def test_lines_that_were_not_measured_are_left_out():
    assert len(growth_lines([*CURVES, GrowthCurve("T5", (), ())], "s").data) == 3
    assert len(growth_lines([], "s").data) == 0


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


def test_a_picture_is_whole_and_nothing_lies_outside_of_it():
    text = growth_svg("Growth & <size>", [("A", "memory, MB", CURVES), ("B", "time, s", CURVES)])
    root = ET.fromstring(text)
    assert root.find(f"{SVG}title").text == "Growth & <size>"
    height = float(root.attrib["height"])
    lines = list(root.iter(f"{SVG}polyline"))
    assert len(lines) == 6
    for line in lines:
        places = list(map(float, re.findall(r"-?\d+(?:\.\d+)?", line.get("points"))))
        assert all(0 < x < WIDTH for x in places[::2]) and all(0 < y < height for y in places[1::2])
    # Twice the value is as far up everywhere: the axes are logarithmic.
    low, high = value_range(CURVES)
    assert low == 0.8 and high == 75.0
    (_, first), (_, second), (_, third) = _points(lines[0])
    assert first - second == pytest.approx((second - third) * 1.161, rel=0.01)  # ln 5 / ln 4
    assert "nan" not in text and "inf" not in text


def _points(line):
    return [tuple(map(float, point.split(","))) for point in line.get("points").split()]
