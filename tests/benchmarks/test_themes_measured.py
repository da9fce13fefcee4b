"""What finding the themes of whole collections took, and what is told of it."""

import json
import re
from pathlib import Path

import pytest

import subclust.benchmarks
from subclust.themes.offers import MOST, OFFERS
from subclust.ui.themes_words import about_minutes

RESULTS = Path(subclust.benchmarks.__file__).parent / "results" / "themes"
README = Path(subclust.benchmarks.__file__).parents[1] / "methods" / "aecl" / "README.md"


def measured(task):
    return json.loads((RESULTS / f"aecl-{task}.json").read_text(encoding="utf-8"))


def test_a_small_collection_takes_minutes_and_a_large_one_little_memory():
    small, large = measured("tweet"), measured("stackoverflow")
    assert small["n_texts"] == 2472 and small["seconds"] < 900
    assert large["n_texts"] == MOST == 20_000 and large["total_mb"] < 4000


def test_the_readme_says_what_was_measured():
    said = " ".join(README.read_text(encoding="utf-8").split())
    small, large = (
        (f"{found['seconds']:.0f}", f"{found['total_mb'] / 1000:.1f}")
        for found in map(measured, ("tweet", "stackoverflow"))
    )
    assert (
        f"Finding the themes of tweet in the product takes {small[0]} s on one core and "
        f"{small[1]} GB, of the 20,000 titles of stackoverflow {large[0]} s and {large[1]} GB"
    ) in said


@pytest.mark.parametrize("task", ["tweet", "stackoverflow"])
def test_the_time_that_is_told_is_cautious_and_not_far_off(task):
    found = measured(task)
    taken = found["seconds"] / 60
    planned = OFFERS["aecl"].minutes * found["n_texts"] / 10_000
    told = int(re.search(r"about (\d+) minute", about_minutes("aecl", found["n_texts"]))[1])
    assert taken <= told
    if taken > 1:  # below that it is told in whole minutes
        assert taken <= planned <= 2 * taken and told <= 2 * taken
