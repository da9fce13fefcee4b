"""What the API answers is what commands print with ``--json``."""

import json

import pytest

from subclust.jobs import Job, JobStore
from subclust.rest import schema

SEARCH = {"query": "sugar tax", "library": "small", "method": "tfidf", "n_clusters": 3}
WORDS = ("--library", "small", "--method", "tfidf", "--n-clusters", "3", "--json")


@pytest.fixture
def printed(run, library):
    """Return what a command prints, as an object without times."""

    def call(*words):
        status, out, err = run(*words)
        assert status == 0, err
        return without_times(json.loads(out))

    return call


def without_times(value):
    return {name: one for name, one in value.items() if name not in ("timings_ms", "next")}


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ((), {}),
        (("--ways",), {"ways": True}),
        (("--levels", "2", "--stability"), {"levels": 2, "stability": True}),
        (("--expect", "army cannon", "--seed", "3"), {"expect": ["army cannon"], "seed": 3}),
        (("--top-k", "9", "--max-other", "0"), {"top_k": 9, "max_other": 0}),
    ],
)
def test_a_search_is_the_one_of_the_command(client, printed, words, more):
    answer = client.post("search", json={**SEARCH, **more})
    assert answer.status_code == 200
    assert without_times(answer.json()) == printed("search", "sugar tax", *WORDS, *words)


def test_every_documented_field_of_a_search_is_there(client, printed):
    found = printed("search", "sugar tax", *WORDS, "--ways")
    assert schema.Groups(**found, timings_ms={}).model_extra == {}


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("--divide-by", "army and cannon"), {"divide_by": "army and cannon"}),
        (("--hits-of", "fishing"), {"hits_of": "fishing"}),
    ],
)
def test_regrouping_is_that_of_the_command(client, printed, words, more):
    answer = client.post("regroup", json={**SEARCH, **more}).json()
    assert without_times(answer) == printed("search", "sugar tax", *WORDS, *words)
    assert answer["what_changed"] and len(answer["query_effects"]) == 24


def test_explaining_and_comparing_are_those_of_the_commands(client, printed):
    explained = client.post("explain", json={**SEARCH, "passage_id": "tax1760"}).json()
    assert explained == printed("explain", "sugar tax", "tax1760", *WORDS)
    columns = [{"method": "tfidf", "n_clusters": 3}, {"method": "kmeans", "n_clusters": 3}]
    asked = {"query": "sugar tax", "library": "small", "columns": columns}
    words = ("--method", "tfidf", "--method", "kmeans", "--n-clusters", "3", "--json")
    compared = client.post("compare", json=asked).json()
    assert compared == printed("compare", "sugar tax", "--library", "small", *words)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("libraries", ("library", "list")),
        ("libraries/small", ("library", "show", "small")),
        ("libraries/small/imports", ("library", "imports", "small")),
        ("libraries/small/passages?words=tax", ("library", "browse", "small", "--words", "tax")),
        ("methods", ("methods",)),
        ("models", ("models", "list")),
        ("sets", ("sets", "list")),
        ("sessions", ("sessions", "list")),
        ("jobs", ("jobs", "list")),
        ("themes", ("themes", "--list")),
    ],
)
def test_what_is_listed_is_what_commands_list(client, printed, place, words):
    listed = without_times(client.get(place).json())
    there = printed(*words, "--json")
    assert listed == {name: one for name, one in there.items() if name != "damaged"}


def test_jobs_are_listed_oldest_first_as_the_command_lists_them(client, printed, settings):
    store = JobStore(settings.jobs_dir)
    for id_, created in (("a-second", 2e9), ("b-first", 1e9)):
        store.save(Job(id_, ("train",), created=created, outcome="finished"))
    first = client.get("jobs", params={"limit": 1}).json()
    second = client.get("jobs", params={"limit": 1, "cursor": first["next"]}).json()
    assert [one["id"] for one in first["jobs"] + second["jobs"]] == ["b-first", "a-second"]
    assert [one["id"] for one in printed("jobs", "list", "--json")["jobs"]] == [
        "b-first",
        "a-second",
    ]


def test_a_saved_answer_is_that_of_the_command(client, printed):
    saved = client.post("sessions", json={"name": "Tea", "search": SEARCH})
    assert saved.status_code == 201
    id_ = saved.json()["id"]
    assert saved.headers["location"] == f"/api/v1/sessions/{id_}"
    shown = without_times(client.get(f"sessions/{id_}").json())
    assert shown == printed("sessions", "show", id_, "--json")
    assert client.get("sessions").json()["sessions"] == [saved.json()]
