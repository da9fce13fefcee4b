from maps import subtopic, subtopic_map

from subclust.figures import DARK, LIGHT, alluvial, group_style
from subclust.figures.palette import translucent


def columns():
    """Give two maps: five passages in 0 and 1, and the same with one of them gone over to -1."""
    first = subtopic_map(subtopic(0, "Old <b>", [(0, 0)] * 3), subtopic(1, "New", [(1, 1)] * 2))
    members = [member for group in first.subtopics for member in group.passages]
    groups = [(0, "Elder", members[:2]), (1, "Newer", members[3:]), (-1, "Other", members[2:3])]
    second = subtopic_map(
        *(type(first.subtopics[0])(group, name, 0.1, tuple(some)) for group, name, some in groups)
    )
    return first, second


def sankey(**options):
    return alluvial(columns(), ["A", "B"], **options).data[0]


def test_every_passage_flows_once_and_blocks_are_as_large_as_groups():
    drawn = sankey()
    assert sum(drawn.link.value) == 5
    flows = {tuple(told[:4]) for told in drawn.link.customdata}
    assert flows == {(0, 0, 0, 2), (0, 0, -1, 1), (0, 1, 1, 2)}
    sizes = [(column, group, size) for column, group, size, _ in drawn.node.customdata]
    assert sizes == [(0, 0, 3), (0, 1, 2), (1, 0, 2), (1, 1, 2), (1, -1, 1)]


def test_flows_join_the_right_blocks():
    drawn = sankey()
    nodes = [(column, group) for column, group, _, _ in drawn.node.customdata]
    for source, target, told in zip(
        drawn.link.source, drawn.link.target, drawn.link.customdata, strict=True
    ):
        assert nodes[source] == (0, told[1])
        assert nodes[target] == (1, told[2])


def test_matched_groups_have_the_colour_and_the_symbol_of_the_map():
    for theme in (LIGHT, DARK):
        drawn = sankey(theme=theme)
        for label, colour, told in zip(
            drawn.node.label, drawn.node.color, drawn.node.customdata, strict=True
        ):
            style = group_style(told[1], theme)
            assert colour == style.colour
            assert label.startswith(style.glyph)


def test_markup_in_names_is_shown_not_run():
    assert "&lt;b" in sankey().node.label[0]


def test_blocks_of_a_column_lie_one_below_the_other_and_inside():
    drawn = sankey()
    for column in (0, 1):
        rows = [
            (y, told[2])
            for y, told in zip(drawn.node.y, drawn.node.customdata, strict=True)
            if told[0] == column
        ]
        for (above, one), (below, other) in zip(rows, rows[1:], strict=False):
            assert below - above >= (one + other) / 2 / 5 * 0.9
        assert all(0 < y < 1 for y, _ in rows)


def test_flows_without_marked_passages_step_back():
    marked = columns()[0].subtopics[1].passages[0].passage.id
    drawn = sankey(marked=[marked])
    shown = {
        tuple(told[:3]): colour
        for told, colour in zip(drawn.link.customdata, drawn.link.color, strict=True)
    }
    assert shown[0, 1, 1] == translucent(group_style(1).colour, 0.5)
    assert shown[0, 0, 0] == translucent(group_style(0).colour, 0.1)


def test_a_column_a_heading():
    figure = alluvial([*columns(), columns()[0]], ["A <i>", "B", "C"])
    assert [one.text for one in figure.layout.annotations] == [
        "<b>A &lt;i&gt;</b>",
        "<b>B</b>",
        "<b>C</b>",
    ]
    assert [one.x for one in figure.layout.annotations] == [0, 0.5, 1]


def test_names_that_would_cover_each_other_are_told_at_the_pointer_alone():
    tiny = [subtopic(number, f"Tiny {number}", [(0, 0)]) for number in range(2, 8)]
    one = subtopic_map(subtopic(0, "Large", [(0, 0)] * 300), *tiny)
    drawn = alluvial([one, one], ["A", "B"]).data[0]
    labels = drawn.node.label[: len(one.subtopics)]
    named = [label for label in labels if " " in label]
    assert any(label.endswith("Large") for label in named)
    assert 2 <= len(named) < len(labels)
    assert {told[4].split(" ", 1)[1] for told in drawn.link.customdata} == {
        "Large", *(f"Tiny {number}" for number in range(2, 8)),
    }  # fmt: skip
    rows = [y for y, label in zip(drawn.node.y, labels, strict=False) if " " in label]
    assert all(below - above >= 16 / 378 for above, below in zip(rows, rows[1:], strict=False))


def test_a_column_of_many_groups_stays_within_the_height():
    one = subtopic_map(*(subtopic(number, f"Group {number}", [(0, 0)]) for number in range(60)))
    drawn = alluvial([one, one], ["A", "B"]).data[0]
    rows = drawn.node.y[:60]
    assert all(above < below for above, below in zip(rows, rows[1:], strict=False))
    assert rows[-1] < 0.9999
