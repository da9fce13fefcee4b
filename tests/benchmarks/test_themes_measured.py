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


def measured(task, method="aecl"):
    return json.loads((RESULTS / f"{method}-{task}.json").read_text(encoding="utf-8"))


def test_a_small_collection_takes_minutes_and_a_large_one_little_memory():
    small = measured("tweet")
    assert (small["n_texts"], small["n_themes"], small["cores"]) == (2472, 89, 1)
    assert small["seconds"] + small["encode_seconds"] < 900
    for method in ("aecl", "scl", "fcl"):
        large = measured("stackoverflow", method)
        assert large["n_texts"] == MOST == 20_000 and large["total_mb"] < 4000


def test_the_readme_says_what_was_measured():
    said = " ".join(README.read_text(encoding="utf-8").split())

    def told(task, method="aecl"):
        found = measured(task, method)
        return f"{found['seconds']:.0f} s", f"{found['total_mb'] / 1000:.1f} GB"

    small, large = told("tweet"), told("stackoverflow")
    encoded = [f"{measured(one)['encode_seconds']:.0f} s" for one in ("tweet", "stackoverflow")]
    assert (
        f"Finding the 89 themes of tweet in the product takes {small[0]} on one core and "
        f"{small[1]}, of the 20,000 titles of stackoverflow {large[0]} and {large[1]}, beside "
        f"{encoded[0]} and {encoded[1]} in which"
    ) in said
    scl, fcl = (" and ".join(told("stackoverflow", method)) for method in ("scl", "fcl"))
    assert f"SCL takes {scl} for the titles, FCL from a hundredth of their labels {fcl}." in said


@pytest.mark.parametrize("task", ["tweet", "stackoverflow"])
def test_the_time_that_is_told_is_cautious_and_not_far_off(task):
    found = measured(task)
    taken = found["seconds"] / 60
    planned = OFFERS["aecl"].minutes * found["n_texts"] / 10_000
    told = int(re.search(r"about (\d+) minute", about_minutes("aecl", found["n_texts"]))[1])
    assert taken <= told
    if taken > 1:  # below that it is told in whole minutes
        assert taken <= planned <= 2 * taken and told <= 2 * taken
