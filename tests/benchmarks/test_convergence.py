"""The comparison of training runs, by curves made by hand."""

import json

import pytest
from raising import raises

from benchmarks.convergence import (
    best_of,
    compare_convergence,
    curve_of,
    first_reached,
    run_facts,
)
from subclust.checkpoints import Checkpoint
from subclust.core.exceptions import BenchmarkError
from subclust.training.recipe import Recipe, TrainingArguments


def curve(*points):
    return [
        {"step": 10 * number, "epoch": number / 2, "training_seconds": seconds, "ari": ari}
        for number, (seconds, ari) in enumerate(points)
    ]


def run(method, *points, seconds_per_epoch=1.0):
    return {"method": method, "seconds_per_epoch": seconds_per_epoch, "curve": curve(*points)}


SLOW = run("slow", (0, 0.1), (100, 0.3), (200, 0.4), (300, 0.4), (400, 0.35), seconds_per_epoch=50)


def test_first_reached_is_the_first_validation_that_is_at_least_that_good():
    points = curve((0, 0.1), (5, 0.4), (10, 0.2), (15, 0.5))
    assert first_reached(points, 0.3)["training_seconds"] == 5
    assert first_reached(points, 0.4)["training_seconds"] == 5
    assert first_reached(points, 0.41)["training_seconds"] == 15
    assert first_reached(points, 0.51) is None
    assert first_reached([], 0.0) is None


def test_best_is_the_first_of_equal_ones():
    assert best_of(SLOW["curve"])["training_seconds"] == 200


def test_others_are_timed_until_they_reach_the_best_of_the_reference():
    quick = run("quick", (0, 0.1), (20, 0.39), (40, 0.45), (60, 0.6), seconds_per_epoch=2)
    told = compare_convergence([quick, SLOW], "slow")
    assert told == {
        "reference": "slow",
        "reference_best_ari": 0.4,
        "reference_seconds": 200,
        "others": [{"method": "quick", "seconds": 40, "speedup": 5.0, "epoch_speedup": 25.0}],
    }


def test_what_is_never_reached_has_neither_time_nor_speed():
    weak = run("weak", (0, 0.1), (1, 0.399), seconds_per_epoch=200)
    (other,) = compare_convergence([SLOW, weak], "slow")["others"]
    assert other == {"method": "weak", "seconds": None, "speedup": None, "epoch_speedup": 0.25}


def test_what_is_reached_before_the_first_step_is_no_multiple_of_anything():
    able = run("able", (0, 0.7), (1, 0.8))
    (other,) = compare_convergence([able, SLOW], "slow")["others"]
    assert (other["seconds"], other["speedup"]) == (0, None)
    told = compare_convergence([able, SLOW], "able")
    assert (told["reference_best_ari"], told["reference_seconds"]) == (0.8, 1)
    assert told["others"][0]["seconds"] is None


def test_a_slower_method_has_a_speedup_below_one():
    slower = run("slower", (0, 0.1), (800, 0.4))
    (other,) = compare_convergence([slower, SLOW], "slow")["others"]
    assert other["speedup"] == 0.25


def test_the_reference_must_be_among_the_runs():
    with raises(BenchmarkError, reference="none", names="slow"):
        compare_convergence([SLOW], "none")


def checkpoint(history):
    training = {"epochs": 2.0, "seed": 3, "loss": "bce", "margin": 0.5}
    outcome = {"steps": 40, "best_step": 20, "stopped": "patience", "seconds": 99.0}
    return Checkpoint("qs3m", "n", {}, {}, {"training": training | outcome, "history": history})


def history(metrics=("ari", "auc"), **kept):
    return [
        {
            "step": step,
            "total": 50,
            "epoch": step / 25,
            "training_seconds": step * 0.2,
            "loss": 0.5,
            "metrics": dict.fromkeys(metrics, step / 100),
            **kept,
        }
        for step in (0, 20, 40)
    ]


def test_the_facts_of_a_run_are_those_of_its_card():
    recipe = Recipe(TrainingArguments(epochs=2.0, seed=3), {"hidden_dim": 8}, {"loss": "bce"})
    facts = run_facts(checkpoint(history()), recipe, n_queries=7, n_passages=70)
    assert facts == {
        "method": "qs3m",
        "checkpoint": "n",
        "recipe": recipe.to_dict(),
        "seed": 3,
        "objective": {"loss": "bce", "margin": 0.5},
        "n_training_queries": 7,
        "n_training_passages": 70,
        "steps_per_epoch": 25,
        "steps": 40,
        "seconds_per_step": 0.2,
        "seconds_per_epoch": 5.0,  # of a whole one, though one and a half were done
        "stopped": "patience",
        "curve": [
            {"step": 0, "epoch": 0.0, "training_seconds": 0.0, "ari": 0.0},
            {"step": 20, "epoch": 0.8, "training_seconds": 4.0, "ari": 0.2},
            {"step": 40, "epoch": 1.6, "training_seconds": 8.0, "ari": 0.4},
        ],
    }
    json.dumps(facts)


@pytest.mark.parametrize(
    "found", [[], history(metrics=("auc",)), history()[:1], [{"step": 1, "loss": 0.5}]]
)
def test_a_method_without_a_curve_is_refused(found):
    with raises(BenchmarkError, method="qs3m"):
        curve_of(checkpoint(found))
