import pytest
from maps import ring, subtopic, subtopic_map

from subclust.figures.palette import DARK, LIGHT
from subclust.figures.scatter import MARKED_TRACE, SVG_UP_TO, subtopic_scatter
from subclust.figures.theme_map import MOST, n_theme_marks, theme_scatter

THREE = subtopic_map(
    subtopic(0, "Stamp Act, taxation", [(0, 0), (0.1, 0.2), (0.2, 0)]),
    subtopic(1, "Yorktown <b>", [(2, 2), (2.1, 2.2)]),
    subtopic(-1, "Other passages", [(1, 1)]),
)


def ids(trace):
    return {row[0] for row in trace.customdata}


def test_one_trace_a_group_carries_the_ids():
    figure = subtopic_scatter(THREE)
    assert [trace.name for trace in figure.data] == [
        "Other passages",
        "Stamp Act, taxation",
        "Yorktown <b>",
    ]
    assert ids(figure.data[1]) == {"0-0", "0-1", "0-2"}
    assert figure.data[1].customdata[0][1] == 0


@pytest.mark.parametrize(
    ("n_marks", "kind"), [(SVG_UP_TO, "scatter"), (SVG_UP_TO + 1, "scattergl")]
)
def test_many_marks_alone_are_drawn_by_webgl(n_marks, kind):
    places = [(number % 40, number // 40) for number in range(n_marks)]
    figure = subtopic_scatter(subtopic_map(subtopic(0, "Stamp Act", places)), marked=["0-0"])
    assert {trace.type for trace in figure.data} == {kind}


def test_marked_passages_are_ringed_and_the_others_step_back():
    figure = subtopic_scatter(THREE, marked=["0-1", "-1-0"])
    rings = next(trace for trace in figure.data if trace.name == MARKED_TRACE)
    assert ids(rings) == {"0-1", "-1-0"}
    group = next(trace for trace in figure.data if trace.name == "Stamp Act, taxation")
    bright = {
        row[0]: opacity > 0.5
        for row, opacity in zip(group.customdata, group.marker.opacity, strict=True)
    }
    assert bright == {"0-0": False, "0-1": True, "0-2": False}


def test_nothing_marked_no_rings():
    assert all(trace.name != MARKED_TRACE for trace in subtopic_scatter(THREE).data)


def test_texts_of_the_passages_are_not_read_as_markup():
    figure = subtopic_scatter(THREE)
    text = figure.data[2].text[0]
    assert "Yorktown &lt;b&gt;" in text
    assert "&amp; more" in text
    assert text.startswith("<b>Title 0</b>")


def test_hover_lines_are_short_and_words_whole():
    for line in subtopic_scatter(THREE).data[1].text[0].split("<br>"):
        assert len(line) <= 75
    assert "wor …" not in subtopic_scatter(THREE).data[1].text[0]


def test_both_themes_leave_the_page_behind_visible():
    for theme in (LIGHT, DARK):
        figure = subtopic_scatter(THREE, theme=theme)
        assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"
        assert figure.layout.font.color == theme.text


def test_groups_are_labelled_but_not_the_other_passages():
    labels = [annotation.name for annotation in subtopic_scatter(THREE).layout.annotations]
    assert labels == ["Stamp Act, taxation", "Yorktown <b>"]


@pytest.mark.parametrize("n_groups", [1, 8, 20])
def test_many_groups_draw(n_groups):
    figure = subtopic_scatter(ring(n_groups))
    assert len(figure.data) == n_groups
    assert len(figure.layout.annotations) <= 12


def test_a_single_passage_and_an_empty_map_draw():
    assert len(subtopic_scatter(subtopic_map(subtopic(0, "One", [(0, 0)]))).data) == 1
    assert len(subtopic_scatter(subtopic_map()).data) == 0


def test_the_map_does_not_depend_on_anything_but_the_records():
    assert subtopic_scatter(THREE) == subtopic_scatter(THREE)


def themes(*sizes):
    return subtopic_map(
        *(
            subtopic(number, f"Theme {number}", [(n % 100, n // 100) for n in range(size)])
            for number, size in enumerate(sizes)
        )
    )


@pytest.mark.parametrize(
    ("sizes", "share"),
    [((12_000, 8_000, 499, 1), MOST / 20_500), ((12_000, 7_999, 1), 1.0)],
)
def test_at_most_twenty_thousand_texts_are_drawn_the_most_central_of_each_theme(sizes, share):
    found = themes(*sizes)
    figure = theme_scatter(found)
    assert {trace.type for trace in figure.data} == {"scattergl"}
    drawn = [len(trace.x) for trace in figure.data]
    assert drawn == [max(1, int(share * size)) for size in sizes]
    assert sum(drawn) == n_theme_marks(found) <= MOST == 20_000
    assert (sum(drawn) < sum(sizes)) == (share < 1)
    for trace, group in zip(figure.data, found.subtopics, strict=True):
        first = [[member.passage.id, group.id] for member in group.passages[: len(trace.x)]]
        assert [list(point) for point in trace.customdata] == first


def test_a_name_has_no_ground_that_hides_marks():
    for label in subtopic_scatter(ring(4)).layout.annotations:
        assert label.bgcolor is None
