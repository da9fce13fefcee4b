"""What `app` tells and how; the measuring itself is tested among the browser's tests."""

import builtins
import json

import pytest
from raising import numbers, raises

from benchmarks.app import interactions, visitors
from benchmarks.app.chromium import Took, chromium
from benchmarks.app.explore_page import DRAWN, address, shown
from benchmarks.app.interactions import HITS, MOST_ROUNDS, time_interactions
from benchmarks.app.visitors import others, time_visitors
from benchmarks.commands.app import in_words
from benchmarks.speed import QUERIES
from subclust.core.exceptions import BenchmarkError
from subclust.ui.components.view import TOP_K

TOOK = [Took(0.2, 0.5), Took(0.4, 0.9), Took(0.3, 0.6)]


def interactions_of(**took):
    return {
        "library": "demo",
        "method": "default",
        "top_k": 500,
        "rounds": 3,
        "allowed_s": 1.0,
        "interactions": {name: interactions.summary(times) for name, times in took.items()},
    }


def test_times_are_told_by_their_median_and_their_longest():
    assert interactions.summary(TOOK) == {
        "n": 3,
        "answered_s": {"median": 0.3, "max": 0.4},
        "settled_s": {"median": 0.6, "max": 0.9},
    }


def test_all_were_quick_enough_in_words():
    lines = in_words(interactions_of(search=TOOK, undo=TOOK)).splitlines()
    assert numbers(lines[0]) == ["500"]
    assert lines[1].split() == ["search", "answered", "0.30", "0.40", "settled", "0.60", "0.90"]
    assert numbers(lines[-1]) == ["2", "1"]


def test_those_that_were_too_slow_are_named():
    slow = [*TOOK, Took(1.0, 1.2)]
    last = in_words(interactions_of(search=TOOK, undo=slow)).splitlines()[-1]
    assert numbers(last) == ["1", "2", "1"] and last.endswith(": undo.")


def test_visitors_in_words():
    times = visitors.summary([0.5, 1.0, 2.0])
    assert times == {"median": 1.0, "p95": 1.9, "max": 2.0}
    told = in_words(
        {
            "n_visitors": 20,
            "n_active": 5,
            "n_searches": 3,
            "answered_s": times,
            "settled_s": times,
            "allowed_s": 3.0,
            "megabytes_idle": 900,
            "megabytes_open": 1200,
            "megabytes": 1300,
            "allowed_megabytes": 3000.0,
        }
    )
    assert [numbers(line) for line in told.splitlines()] == [
        ["20", "5", "3"],
        ["1.00", "95", "1.90", "2.00"],
        ["1.00", "95", "1.90", "2.00"],
        ["900", "1,200", "1,300"],
        ["3", "95", "3,000"],
    ]


def test_as_many_hits_can_be_measured_as_the_pages_offer():
    assert HITS == TOP_K


def test_conditions_quote_what_they_look_for():
    assert address("q", 'a "b"') == (
        '(new URLSearchParams(location.search).get("q") === "a \\"b\\"")'
    )
    assert shown(".a[b='c']") == "(document.querySelector(\".a[b='c']\") !== null)"
    assert DRAWN.count("(") == DRAWN.count(")")


@pytest.mark.parametrize("rounds", [0, MOST_ROUNDS + 1])
def test_rounds_without_questions_are_refused(settings, rounds):
    with raises(BenchmarkError, most_rounds=MOST_ROUNDS, rounds=rounds):
        time_interactions(settings, rounds=rounds)


@pytest.mark.parametrize(("n_active", "n_searches"), [(0, 4), (4, 4), (2, 0)])
def test_visitors_that_cannot_be_are_refused(settings, n_active, n_searches):
    with raises(BenchmarkError, n_visitors=3):
        time_visitors(settings, n_visitors=3, n_active=n_active, n_searches=n_searches)


def test_without_playwright_one_sentence_says_what_to_install(monkeypatch):
    imported = builtins.__import__

    def without(name, *rest):
        if name.startswith("playwright"):
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with raises(BenchmarkError):
        with chromium():
            pass


def test_the_command_prints_one_object_or_lines(monkeypatch, capsys):
    from benchmarks.__main__ import main
    from benchmarks.commands import app

    asked = {}

    def measured(settings, **arguments):
        asked.update(arguments)
        return interactions_of(search=TOOK)

    monkeypatch.setattr(app, "time_interactions", measured)
    assert main(["app", "interactions", "--top-k", "50", "--rounds", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["interactions"]["search"]["n"] == 3
    asked.pop("progress")("search")
    assert asked == {"library": "demo", "method": "default", "top_k": 50, "rounds": 1}
    assert main(["app", "interactions"]) == 0
    assert numbers(capsys.readouterr().out.splitlines()[-1]) == ["1", "1"]


@pytest.mark.parametrize("question", QUERIES)
def test_a_page_is_asked_what_it_does_not_show(question):
    assert question not in others(question)
    assert len(others(question)) == len(QUERIES) - 1
