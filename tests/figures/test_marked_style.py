"""Rules under which marked passages stand out on a map that is drawn already."""

import re

from maps import subtopic, subtopic_map

from subclust.figures.palette import DARK, LIGHT
from subclust.figures.scatter import EDGE, OPEN_EDGE, marked_style, subtopic_scatter

THREE = subtopic_map(
    subtopic(0, "Stamp Act", [(0, 0), (0.1, 0.2), (0.2, 0)]),
    subtopic(1, "Yorktown", [(2, 2), (2.1, 2.2)]),
    subtopic(-1, "Other passages", [(1, 1)]),
)


def chosen(css):
    """Give the ids that the second rule chooses, read as a browser does."""
    selectors = " ".join(rule.split("{")[0] for rule in css.split("\n")[1:])
    traces = subtopic_scatter(THREE).data
    found = set()
    for number, which in re.findall(r"\.trace:nth-child\((\d+)\) \.point(:is\(\S+\))?", selectors):
        ids = [row[0] for row in traces[int(number) - 1].customdata]
        places = [int(one) for one in re.findall(r"nth-child\((\d+)\)", which)]
        found |= {ids[place - 1] for place in places} if places else set(ids)
    return found


def test_all_step_back_but_the_marked_ones():
    css = marked_style(THREE, {"0-1", "1-0", "1-1", "-1-0"}, ".here")
    first, second, third = css.split("\n")
    assert first == ".here .scatterlayer > .trace .point { opacity: 0.22 !important }"
    assert chosen(css) == {"0-1", "1-0", "1-1", "-1-0"}
    assert "opacity: 0.92 !important" in second
    assert f"stroke-width: {EDGE}px !important" in second
    assert third == (
        ".here .scatterlayer > .trace:nth-child(1) .point "
        f"{{ opacity: 0.92 !important; stroke-width: {OPEN_EDGE}px !important }}"
    )
    assert all(part.strip().startswith(".here ") for part in second.split("{")[0].split(", "))


def test_nothing_marked_no_rules():
    assert marked_style(THREE, set(), ".here") == ""


def test_passages_of_another_map_choose_no_mark():
    css = marked_style(THREE, {"elsewhere"}, ".here")
    assert css.count("{") == 1
    assert "0.22" in css


def test_the_ring_is_seen_in_both_themes():
    light, dark = (marked_style(THREE, {"0-1"}, ".here", theme) for theme in (LIGHT, DARK))
    assert re.search(r"stroke: rgba\(27,36,48", light)
    assert re.search(r"stroke: rgba\(232,236,241", dark)
