"""What the commands print where the library does not seem to answer the question."""

import json

import pytest
from known_relevance import judge_by_cosine

pytestmark = pytest.mark.usefixtures("library")

SEARCH = ("search", "--library", "small", "--method", "centred-cosine")
COMPARE = ("compare", "--library", "small", "--method", "tfidf", "--method", "jaccard")


@pytest.fixture
def bound(monkeypatch):
    judge_by_cosine(monkeypatch, 0.2)


@pytest.mark.parametrize("command", [SEARCH, COMPARE])
def test_it_is_said_first(run, bound, command):
    told = run(*command, "zzyzx")[1]
    assert "small" in told and "'zzyzx'" in told
    assert "zzyzx" not in run(*command, "stamp duty and sugar tax")[1]


def test_the_nearest_hits_are_listed_and_grouped_on_request(run, bound):
    told = run(*SEARCH, "zzyzx")[1]
    assert told.count("\n    ") >= 10 and "--strictness" in told.splitlines()[-1]
    grouped = run(*SEARCH, "zzyzx", "--strictness", "all")[1]
    assert "24 passages" in grouped and "--strictness" not in grouped


@pytest.mark.parametrize("command", [SEARCH, COMPARE])
def test_the_object_has_it(run, bound, command):
    printed = json.loads(run(*command, "zzyzx", "--json")[1])
    assert printed["answered"] is False and printed["nearest_cosine"] < 0.2
    printed = json.loads(run(*command, "stamp duty and sugar tax", "--json")[1])
    assert printed["answered"] is True and printed["nearest_cosine"] > 0.2


@pytest.mark.parametrize("command", [SEARCH, COMPARE])
def test_of_an_encoder_without_a_bound_nothing_is_said(run, command):
    assert "small" not in run(*command, "zzyzx")[1].partition("24 passages")[0]
    assert json.loads(run(*command, "zzyzx", "--json")[1])["answered"] is None


def test_a_session_keeps_it(run, bound):
    saved = run(*SEARCH, "zzyzx", "--save", "odd", "--json")[1]
    assert json.loads(saved)["answered"] is False
    assert run("sessions", "show", "odd", "--json")[1] == saved
    assert run("sessions", "show", "odd")[1].splitlines()[1].startswith("Nothing")


def test_it_is_said_of_the_query_that_found_the_hits(run, bound):
    told = run(*SEARCH, "stamp duty and sugar tax", "--hits-of", "zzyzx")[1]
    assert "small" in told and "'zzyzx'" in told
    told = run(*SEARCH, "zzyzx", "--hits-of", "stamp duty and sugar tax")[1]
    assert "24 passages" in told.splitlines()[0]


@pytest.mark.parametrize("lines", [slice(1), slice(2, 3)], ids=["grouped", "not answered"])
def test_a_word_that_no_passage_mentions_is_named(run, request, lines):
    if lines.start:
        request.getfixturevalue("bound")
    (told,) = run(*SEARCH, "zzyzx")[1].splitlines()[lines]
    assert "zzyzx" in told and "'zzyzx'" not in told
    assert "sugar" not in run(*SEARCH, "sugar tax")[1].splitlines()[0].replace("'sugar tax'", "")
