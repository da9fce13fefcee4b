"""What finding the themes of whole collections took, and what is told of it."""

import re
from pathlib import Path

import pytest

import benchmarks
from benchmarks.results import read_result
from subclust.themes.offers import OFFERS
from subclust.ui.explore.themes import about_minutes

RESULTS = Path(benchmarks.__file__).parent / "results" / "themes"


def measured(task, method="aecl"):
    return read_result(RESULTS / f"{method}-{task}.json")


@pytest.mark.parametrize("task", ["tweet", "stackoverflow"])
def test_the_time_that_is_told_is_cautious_and_not_far_off(task):
    found = measured(task)
    taken = found["seconds"] / 60
    planned = OFFERS["aecl"].minutes * found["n_texts"] / 10_000
    told = int(re.search(r"about (\d+) minute", about_minutes("aecl", found["n_texts"]))[1])
    assert taken <= told
    if taken > 1:  # below that it is told in whole minutes
        assert taken <= planned <= 2 * taken and told <= 2 * taken
