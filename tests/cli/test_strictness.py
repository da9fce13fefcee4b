"""What the commands do with hits that are probably about something else."""

import json

import pytest
from known_relevance import judge_by_word

pytestmark = pytest.mark.usefixtures("library")

SEARCH = ("search", "--library", "small", "--method", "centred-cosine", "harbour towns")


@pytest.fixture(autouse=True)
def fish(monkeypatch):
    judge_by_word(monkeypatch, "herring")


def test_hits_about_something_else_are_in_no_group(run):
    printed = json.loads(run(*SEARCH, "--json")[1])
    grouped = [one for group in printed["subtopics"] for one in group["passages"]]
    assert {one["relevance"] for one in grouped} == {0.9}
    assert {group["relevance"] for group in printed["subtopics"]} == {0.9}
    assert {one["relevance"] for one in printed["set_aside"]} == {0.05}
    assert printed["n_set_aside"] == len(printed["set_aside"]) == 24 - len(grouped)
    ranks = [one["rank"] for one in [*grouped, *printed["set_aside"]]]
    assert sorted(ranks) == list(range(1, 25))


def test_all_hits_are_grouped_where_that_is_wanted(run):
    printed = json.loads(run(*SEARCH, "--strictness", "all", "--json")[1])
    assert sum(group["size"] for group in printed["subtopics"]) == 24
    assert printed["n_set_aside"] == 0 and printed["set_aside"] == []


def test_it_is_said_that_a_library_has_little(run):
    told = run(*SEARCH)[1]
    assert told.splitlines()[0].startswith("The library small") and "16" in told.splitlines()[-1]
    assert run(*SEARCH, "--strictness", "all")[1].splitlines()[0].endswith("24 passages")


def test_a_session_keeps_what_was_set_aside(run):
    saved = run(*SEARCH, "--save", "fish", "--json")[1]
    assert json.loads(saved)["n_set_aside"] == 16
    assert run("sessions", "show", "fish", "--json")[1] == saved
