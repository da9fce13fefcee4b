import pytest

from subclust.figures.bars import QueryScores, _series_style, helps_hurts_bars
from subclust.figures.palette import DARK, LIGHT, _contrast

SCORES = [
    QueryScores("fish & chips", 0.2, 0.5),
    QueryScores("war", 0.9, 0.4),
    QueryScores("peace", 0.3, 0.3),
    QueryScores("law", 0.5, 0.4),
]


def test_one_bar_a_query_sorted_from_help_to_hurt():
    helps, hurts = helps_hurts_bars(SCORES, "Ours", "Theirs").data
    assert [row[0] for row in helps.customdata] == ["war", "law"]
    assert list(helps.x) == [1, 2] and list(helps.y) == pytest.approx([0.5, 0.1])
    # The equal query keeps its place, 3, and has no bar.
    assert list(hurts.x) == [4] and list(hurts.y) == pytest.approx([-0.3])
    assert list(hurts.customdata[0]) == ["fish &amp; chips", 0.2, 0.5]


def test_hover_tells_the_query_and_both_scores():
    template = helps_hurts_bars(SCORES, "Ours <1>", "Theirs").data[0].hovertemplate
    assert "%{customdata[0]}" in template and "Ours &lt;1&gt; %{customdata[1]:.3f}" in template
    assert "Theirs %{customdata[2]:.3f}" in template


def test_sides_are_counted_in_words():
    labels = {
        note.name: note.text for note in helps_hurts_bars(SCORES, "A", "B").layout.annotations
    }
    assert labels == {"helps": "↑ A better on 2", "hurts": "↓ B better on 1"}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colour_is_not_the_only_sign(theme):
    helps, hurts = helps_hurts_bars(SCORES, "A", "B", theme=theme).data
    assert helps.marker.color != hurts.marker.color
    assert helps.marker.pattern.shape != hurts.marker.pattern.shape
    for number in range(4):
        edge = _series_style(number, theme, striped=True)["line"]["color"]
        assert _contrast(edge, theme.page) >= 3


def test_many_bars_have_no_stripes():
    many = [QueryScores(f"query {i}", i / 400, 0.5) for i in range(400)]
    helps, hurts = helps_hurts_bars(many, "A", "B").data
    assert hurts.marker.pattern.shape == "" and len(helps.x) == 199 and len(hurts.x) == 200


def test_no_query_draws_an_empty_figure():
    assert all(len(trace.x) == 0 for trace in helps_hurts_bars([], "A", "B").data)


def test_the_page_behind_stays_visible():
    for theme in (LIGHT, DARK):
        figure = helps_hurts_bars(SCORES, "A", "B", theme=theme)
        assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"
        assert figure.layout.font.color == theme.text
