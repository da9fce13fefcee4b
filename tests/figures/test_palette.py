import pytest

from subclust.figures.palette import (
    COLOURS,
    DARK,
    LIGHT,
    SYMBOLS,
    _contrast,
    blend,
    group_style,
    translucent,
)


def test_fifty_six_groups_differ():
    styles = {(group_style(i).colour, group_style(i).symbol) for i in range(56)}
    assert len(styles) == 56


def test_neighbours_differ_in_colour_and_in_symbol():
    for i in range(20):
        one, next_one = group_style(i), group_style(i + 1)
        assert one.colour != next_one.colour
        assert one.symbol != next_one.symbol


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_mark_stands_out_from_the_page(theme):
    for group in [-1, *range(len(COLOURS))]:
        assert _contrast(group_style(group, theme).outline, theme.page) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_is_readable(theme):
    assert _contrast(theme.text, theme.page) >= 7
    assert _contrast(theme.muted, theme.page) >= 4.5


def test_colour_arithmetic():
    assert _contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert _contrast("#777777", "#777777") == 1
    assert blend("#000000", "#FFFFFF", 0.5) == "#808080"
    assert translucent("#FF0080", 0.5) == "rgba(255,0,128,0.5)"
    assert len({glyph for _, glyph in SYMBOLS}) == len(SYMBOLS)
