import math

import pytest

from subclust.figures import DARK, LIGHT, Curve, epoch_bars, in_words, training_curves
from subclust.figures.curves import apart, curve_axes, drawn_points
from subclust.figures.durations import time_ticks

QUICK = Curve("COB", (0.0, 1.0, 2.0, 3.0), (0.2, 0.3, 0.4, 0.45), 2.0, 4.0)
SLOW = Curve("Triplet <1>", (0.0, 20.0, 40.0), (0.2, 0.3, 0.38), 40.0, 400.0)
NEVER = Curve("Other", (0.0, 2.0), (0.2, 0.3), None, 4.4)


def lines(figure):
    return [trace for trace in figure.data if trace.mode != "markers"]


def marks(figure):
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_time_is_logarithmic_only_where_runs_differ_more_than_tenfold():
    assert curve_axes([QUICK, SLOW]).log
    assert not curve_axes([QUICK, NEVER]).log
    tenfold = Curve("Ten", (0.0, 30.0), (0.2, 0.3), None, 1.0)
    assert not curve_axes([QUICK, tenfold]).log
    figure = training_curves([QUICK, SLOW], SLOW.label, 0.38)
    assert figure.layout.xaxis.type == "log"
    assert "logarithmic" in figure.layout.xaxis.title.text
    assert training_curves([QUICK], QUICK.label, 0.45).layout.xaxis.type == "linear"


def test_every_point_lies_within_the_axes_and_what_has_no_place_is_left_out():
    for curves in ([QUICK, SLOW, NEVER], [QUICK, NEVER]):
        axes = curve_axes(curves)
        for curve in curves:
            points = drawn_points(curve, axes)
            assert len(points) == len(curve.seconds) - axes.log
            for time, score in points:
                assert axes.time[0] <= time <= axes.time[1]
                assert axes.score[0] < score < axes.score[1]


def test_a_mark_stands_where_each_is_as_good_as_the_reference_ever_gets():
    figure = training_curves([QUICK, SLOW, NEVER], SLOW.label, 0.38)
    quick, slow = marks(figure)
    assert (quick.x[0], quick.y[0]) == (2.0, 0.4)
    assert (slow.x[0], slow.y[0]) == (40.0, 0.38)
    assert "as good as Triplet &lt;1&gt; ever gets" in quick.hovertemplate
    assert quick.customdata[0][0] == "2 s" and quick.marker.symbol != slow.marker.symbol
    assert len(lines(figure)) == 3


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_lines_differ_in_more_than_colour_and_carry_their_names(theme):
    figure = training_curves([QUICK, SLOW, NEVER], SLOW.label, 0.38, theme=theme)
    assert len({line.line.dash for line in lines(figure)}) == 3
    assert len({line.line.color for line in lines(figure)}) == 3
    said = [note.text for note in figure.layout.annotations]
    assert {"<b>COB</b>", "<b>Triplet &lt;1&gt;</b>", "<b>Other</b>"} <= set(said)
    assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"


def test_names_of_lines_that_end_together_are_moved_apart():
    twins = [QUICK, Curve("Twin", QUICK.seconds, QUICK.scores, 2.0, 4.0)]
    figure = training_curves(twins, "COB", 0.45)
    shifts = [note.yshift for note in figure.layout.annotations if note.text.startswith("<b>")]
    assert abs(shifts[0] - shifts[1]) == pytest.approx(20)


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


def test_no_run_draws_empty_figures():
    assert len(training_curves([], "x", 0.0).data) == 0
    assert len(epoch_bars([]).data) == 0
    empty = Curve("Empty", (), (), None, 1.0)
    assert len(training_curves([empty], "Empty", 0.0).data) == 0


def test_a_bar_is_as_long_as_an_epoch_and_tells_it():
    quick, slow = epoch_bars([QUICK, SLOW]).data
    assert (list(quick.x), list(slow.x)) == ([4.0], [400.0])
    assert quick.text[0].strip() == "4 s" and slow.text[0].strip() == "6.7 min"
    assert quick.marker.pattern.shape != slow.marker.pattern.shape
    assert epoch_bars([QUICK, SLOW]).layout.xaxis.range[0] == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.004, "4 ms"), (0.25, "250 ms"), (4.0, "4 s"), (9.96, "10 s"), (90, "1.5 min"),
     (3600, "1 h"), (26.4, "26 s"), (90000, "25 h")],
)  # fmt: skip
def test_durations_are_told_in_their_largest_unit(seconds, words):
    assert in_words(seconds) == words


@pytest.mark.parametrize(
    ("low", "high", "log"),
    [(0.5, 300, True), (5, 4000, True), (2, 8, True), (0, 3, False), (0, 9000, False)],
)
def test_ticks_are_few_ascending_and_inside(low, high, log):
    ticks = time_ticks(low, high, log=log)
    values = [value for value, _ in ticks]
    assert 2 <= len(ticks) <= 5 and values == sorted(values)
    assert all(low <= value <= high and not math.isnan(value) for value in values)
    assert len({text for _, text in ticks}) == len(ticks)
