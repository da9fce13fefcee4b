import re
import xml.etree.ElementTree as ET

import pytest

from subclust.figures import (
    DARK,
    LIGHT,
    Curve,
    MethodSpace,
    QuerySpaces,
    group_style,
    spaces_in_2d,
    spaces_in_3d,
    symbol_in_3d,
)
from subclust.figures.palette import contrast
from subclust.figures.svg import WIDTH, curves_svg, epochs_svg, spaces_svg

PLACES = ((0.0, 0.0, 1.0), (1.0, 2.0, 0.5), (-1.0, 0.5, 0.0))
GOLD = (0, 1, 0)
SVG = "{http://www.w3.org/2000/svg}"


def query(name="Tax & war"):
    methods = (
        MethodSpace("Triplet", -0.1, PLACES, (0.5, 0.2, 0.1), (0, 0, 1)),
        MethodSpace("COB <n>", 1.0, PLACES, (0.6, 0.2, 0.1), (0, 1, 0)),
    )
    return QuerySpaces(name, ("War", "Tax <1>"), GOLD, methods)


def test_there_is_a_panel_a_query_and_method_with_its_ari():
    figure = spaces_in_2d([query("A"), query("B <2>")])
    titles = [note.text for note in figure.layout.annotations]
    assert titles.count("Triplet<br>ARI −0.10") == 2
    assert titles.count("COB &lt;n&gt;<br>ARI 1.00") == 2
    assert "<b>A</b>  3 passages, 2 subtopics" in titles
    assert any(title.startswith("<b>B &lt;2&gt;</b>") for title in titles)
    assert len(figure.data) == 2 * 2 * 2
    assert len({trace.xaxis for trace in figure.data}) == 4


def test_a_trace_holds_the_passages_of_one_gold_subtopic():
    war, tax = spaces_in_2d([query()]).data[:2]
    assert (list(war.x), list(war.y)) == ([0.0, -1.0], [0.0, 0.5])
    assert (list(tax.x), list(tax.y)) == ([1.0], [2.0])
    # The subtopic, and the group that the method puts the passage into, counted from 1.
    assert [list(row) for row in war.customdata] == [["War", 1], ["War", 2]]
    assert tax.customdata[0][0] == "Tax &lt;1&gt;"


def test_both_components_are_on_one_scale():
    figure = spaces_in_2d([query()])
    for trace in figure.data:
        axis = figure.layout["yaxis" + trace.yaxis.removeprefix("y")]
        assert axis.scaleanchor == trace.xaxis


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_subtopics_differ_by_colour_and_symbol(theme):
    war, tax = spaces_in_2d([query()], theme=theme).data[:2]
    assert war.marker.color != tax.marker.color and war.marker.symbol != tax.marker.symbol
    assert contrast(war.marker.line.color, theme.page) >= 3
    assert (war.marker.color, war.marker.symbol) == (
        group_style(0, theme).colour,
        group_style(0, theme).symbol,
    )


def test_in_three_dimensions_the_third_component_is_drawn_too():
    figure = spaces_in_3d(query())
    assert {trace.scene for trace in figure.data} == {"scene", "scene2"}
    assert list(figure.data[0].z) == [1.0, 0.0]


def test_no_two_of_many_subtopics_look_alike_in_three_dimensions():
    styles = [group_style(number) for number in range(24)]
    assert len({(style.colour, symbol_in_3d(style)[0]) for style in styles}) == 24


def test_no_query_draws_an_empty_figure():
    assert len(spaces_in_2d([]).data) == 0


CURVES = [
    Curve("COB", (0.0, 1.0, 2.0), (0.2, 0.3, 0.4), 2.0, 4.0),
    Curve("Triplet & more", (0.0, 20.0, 40.0), (0.2, 0.3, 0.38), 40.0, 400.0),
]
PICTURES = {
    "curves": lambda: curves_svg("Title <1>", [("Data", "Triplet & more", CURVES, 0.38)]),
    "epochs": lambda: epochs_svg("Title <1>", [("Data", CURVES)]),
    "spaces": lambda: spaces_svg("Title <1>", [query(), query()]),
}


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
