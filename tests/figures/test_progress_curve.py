import pytest

from subclust.figures.palette import DARK, LIGHT
from subclust.figures.progress import StepCurve, _smoothed, progress_curve

ARI = StepCurve("ARI", (10, 20, 30, 40), (0.30, 0.42, 0.42, 0.38))
LOSS = StepCurve("Loss", tuple(range(1, 101)), tuple(1 / step for step in range(1, 101)), "low")


def trace(figure, name):
    return next((one for one in figure.data if one.name == name), None)


def test_the_best_is_the_first_of_the_highest_or_the_lowest():
    assert ARI.best == (20, 0.42)
    assert LOSS.best == (100, 0.01)
    assert StepCurve("ARI", (), ()).best is None


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_best_score_is_marked_and_the_lowest_loss_is_not(theme):
    marked = trace(progress_curve(ARI, 100, theme=theme), "best")
    assert (list(marked.x), list(marked.y)) == ([20], [0.42])
    assert trace(progress_curve(LOSS, 100, theme=theme), "best") is None


def test_the_axis_holds_all_steps_from_the_start_so_that_nothing_moves():
    early = progress_curve(StepCurve("ARI", (10,), (0.3,)), 400)
    late = progress_curve(StepCurve("ARI", (10, 400), (0.3, 0.3)), 400)
    assert tuple(early.layout.xaxis.range) == tuple(late.layout.xaxis.range) == (0, 400)
    assert early.layout.height == late.layout.height
    assert early.layout.uirevision == late.layout.uirevision


def test_every_value_lies_within_the_axis_even_where_all_are_equal():
    for values in ((0.3, 0.3), (-0.1, 0.9)):
        low, high = progress_curve(StepCurve("ARI", (1, 2), values), 2).layout.yaxis.range
        assert low < min(values) <= max(values) < high


def test_a_noisy_loss_is_drawn_with_its_mean_and_a_short_one_without():
    assert len(trace(progress_curve(LOSS, 100), "mean").y) == 100
    assert trace(progress_curve(StepCurve("Loss", (1, 2), (2.0, 1.0), "low"), 9), "mean") is None
    assert trace(progress_curve(ARI, 100), "mean") is None


def test_the_running_mean_looks_back_and_never_ahead():
    values = [4.0, 2.0, 0.0, 6.0]
    assert _smoothed(values, share=0.5) == [4.0, 3.0, 1.0, 3.0]
    assert _smoothed(values, share=0.0) == values
    assert _smoothed([]) == []


def test_nothing_yet_is_an_empty_chart_of_the_same_size():
    empty = progress_curve(StepCurve("<ARI>", (), ()), 50)
    assert not empty.data
    assert empty.layout.height == progress_curve(ARI, 50).layout.height
    said = {annotation.text for annotation in empty.layout.annotations}
    assert said == {"&lt;ARI&gt;", "nothing measured yet"}
