import math

import pytest

from benchmarks.figures.svg import time_ticks
from subclust.figures.palette import in_words


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
