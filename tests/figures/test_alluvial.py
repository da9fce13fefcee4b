import re

from lxml.html import fragment_fromstring
from maps import subtopic, subtopic_map

from subclust.figures.flow import alluvial
from subclust.figures.palette import DARK, LIGHT, group_style, translucent


def columns():
    """Give two maps: five passages in 0 and 1, and the same with one of them gone over to -1."""
    first = subtopic_map(subtopic(0, "Old <b>", [(0, 0)] * 3), subtopic(1, "New", [(1, 1)] * 2))
    members = [member for group in first.subtopics for member in group.passages]
    groups = [(0, "Elder", members[:2]), (1, "Newer", members[3:]), (-1, "Other", members[2:3])]
    second = subtopic_map(
        *(type(first.subtopics[0])(group, name, 0.1, tuple(some)) for group, name, some in groups)
    )
    return first, second


def drawn(maps=None, titles=("A", "B"), **options):
    return fragment_fromstring(alluvial(maps or columns(), titles, **options))


def numbers(element, name):
    return tuple(int(part) for part in element.get(name).split())


def style(element, name):
    """Give the number of a property that is in pixels."""
    return float(re.search(rf"(?:^|;){name}:(-?[\d.]+)px", element.get("style"))[1])


def with_data(of, name):
    return [element for element in of.iter() if element.get(name)]


def bands(of):
    return {numbers(band, "data-flow"): band for band in with_data(of, "data-flow")}


def blocks(of):
    """Give top and height by column and group."""
    return {
        numbers(block, "data-group"): (style(block, "top"), style(block, "height"))
        for block in with_data(of, "data-group")
    }


def names(of, column=0):
    """Give what is written beside the blocks of a column, by group."""
    spans = [span for span in of.iter("span") if numbers(span, "data-name")[0] == column]
    return {numbers(span, "data-name")[1]: span.text for span in spans}


def tops(of, column=0):
    spans = [span for span in of.iter("span") if numbers(span, "data-name")[0] == column]
    return [style(span, "top") for span in spans]


def ends(band):
    """Give where a band begins and ends: top and bottom on the left, and on the right."""
    corners = re.search(r"polygon\((.*)\)", band.get("style"))[1].split(",")
    places = [tuple(float(part.strip("%px")) for part in corner.split()) for corner in corners]
    top = style(band, "top")
    left = sorted(top + y for x, y in places if x == 0)
    right = sorted(top + y for x, y in places if x == 100)
    assert len(left) == len(right) == 2
    assert all(0 <= x <= 100 and -0.01 <= y <= style(band, "height") + 0.01 for x, y in places)
    return left, right


def test_every_passage_flows_once_and_blocks_are_as_large_as_groups():
    of = drawn()
    told = {flow: band.get("title") for flow, band in bands(of).items()}
    assert {flow: int(text.split("\n")[1]) for flow, text in told.items()} == {
        (0, 0, 0): 2,
        (0, 0, -1): 1,
        (0, 1, 1): 2,
    }
    sizes = {
        numbers(block, "data-group"): int(block.get("title").split("\n")[1])
        for block in with_data(of, "data-group")
    }
    assert sizes == {(0, 0): 3, (0, 1): 2, (1, 0): 2, (1, 1): 2, (1, -1): 1}
    tall = {at: block[1] for at, block in blocks(of).items()}
    assert abs(tall[0, 0] / tall[0, 1] - 3 / 2) < 1e-3
    assert abs(tall[1, 0] / tall[1, -1] - 2) < 1e-3


def test_bands_begin_and_end_at_their_blocks_and_fill_them():
    of = drawn()
    found = blocks(of)
    filled = dict.fromkeys(found, 0.0)
    for (column, source, target), band in bands(of).items():
        for end, at in zip(ends(band), ((column, source), (column + 1, target)), strict=True):
            top, height = found[at]
            assert top - 0.02 <= end[0] < end[1] <= top + height + 0.02
            filled[at] += end[1] - end[0]
    for at, (_, height) in found.items():
        assert abs(filled[at] - height) < 0.05


def test_matched_groups_have_the_colour_and_the_symbol_of_the_map():
    for theme in (LIGHT, DARK):
        of = drawn(theme=theme)
        for block in with_data(of, "data-group"):
            colour = group_style(numbers(block, "data-group")[1], theme).colour
            assert block.get("style").endswith(f"background:{colour}")
        for column in (0, 1):
            for group, text in names(of, column).items():
                assert text.startswith(group_style(group).glyph)


def test_markup_in_names_is_shown_not_run():
    of = drawn(titles=["A <i>", "B"], described='Two "columns"')
    assert names(of)[0] == f"{group_style(0).glyph} Old <b>"
    assert of.get("aria-label") == 'Two "columns"'
    assert [one.text for one in of.iter("b")] == ["A <i>", "B"]
    assert not list(of.iter("i"))


def test_blocks_of_a_column_lie_one_below_the_other_and_inside():
    found = blocks(drawn())
    for column in (0, 1):
        rows = [found[at] for at in found if at[0] == column]
        for (above, high), (below, _) in zip(rows, rows[1:], strict=False):
            assert below >= above + high
        assert rows[0][0] == 0
        assert abs(sum(rows[-1]) - 390) < 0.1


def test_flows_without_marked_passages_step_back():
    marked = columns()[0].subtopics[1].passages[0].passage.id
    found = bands(drawn(marked=[marked]))
    assert translucent(group_style(1).colour, 0.5) in found[0, 1, 1].get("style")
    assert translucent(group_style(0).colour, 0.1) in found[0, 0, 0].get("style")


def test_a_column_a_heading_and_a_band_between_each_two():
    of = drawn([*columns(), columns()[0]], ["A", "B", "C"])
    assert [one.text for one in of.iter("b")] == ["A", "B", "C"]
    places = [re.search("left:([^;]+)%", one.get("style"))[1] for one in of.iter("b")]
    assert places == ["0", "50", "100"]
    assert {flow[0] for flow in bands(of)} == {0, 1}
    sides = {numbers(s, "data-name")[0]: s.get("style").split("pointer-events:none;")[1][:5]
             for s in of.iter("span")}  # fmt: skip
    assert sides == {0: "left:", 1: "left:", 2: "right"}


def test_names_of_two_columns_share_the_room_between_them():
    for count in (2, 3, 4):
        of = drawn([columns()[0]] * count, "ABCD"[:count])
        widths = {
            numbers(span, "data-name")[0]: float(
                re.search(r"max-width:calc\(([\d.]+)%", span.get("style"))[1]
            )
            for span in of.iter("span")
        }
        between = 100 / (count - 1)
        assert widths[count - 2] + widths[count - 1] <= between + 0.02
        assert all(width <= between + 0.02 for width in widths.values())


def tiny(count):
    return [subtopic(number, f"Tiny {number}", [(0, 0)]) for number in range(2, 2 + count)]


def test_names_that_would_cover_each_other_are_told_at_the_pointer_alone():
    one = subtopic_map(subtopic(0, "Large", [(0, 0)] * 300), *tiny(6))
    of = drawn([one, one])
    written = names(of)
    named = {group for group, text in written.items() if " " in text}
    assert 0 in named
    assert 2 <= len(named) < len(one.subtopics)
    told = {band.get("title") for band in bands(of).values()}
    glyph = group_style(3).glyph
    assert f"{glyph} Tiny 3 → {glyph} Tiny 3\n1" in told
    rows = [top for top, text in zip(tops(of), written.values(), strict=True) if " " in text]
    assert all(below - above >= 15.9 for above, below in zip(rows, rows[1:], strict=False))


def test_symbols_that_would_cover_each_other_are_left_out():
    one = subtopic_map(*tiny(60))
    of = drawn([one, one])
    rows = sorted(tops(of))
    assert 10 < len(rows) < 60
    assert all(below - above >= 10.9 for above, below in zip(rows, rows[1:], strict=False))


def test_a_column_of_many_groups_stays_within_the_height():
    one = subtopic_map(*tiny(60))
    found = blocks(drawn([one, one]))
    rows = [found[at] for at in found if at[0] == 0]
    assert len(rows) == 60
    assert all(a[0] + a[1] <= b[0] for a, b in zip(rows, rows[1:], strict=False))
    assert rows[-1][0] + rows[-1][1] <= 390.1
