"""Preferred terms name groups, for one search and for a library."""

import csv
import json

import pytest

import subclust
from subclust.core.settings import Settings

pytestmark = pytest.mark.usefixtures("library")

SEARCH = ("search", "--library", "small", "--method", "centred-cosine", "--strictness", "all")
QUESTION = "harbour towns"


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.ttl"
    path.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<http://example.org/fish> skos:prefLabel "Fisheries"@en ; skos:altLabel "herring"@en .\n'
    )
    return path


def ids_of(printed):
    return {group["name"]: group["term"] for group in json.loads(printed)["subtopics"]}


def test_one_search_is_named_by_terms(run, terms, tmp_path):
    table = tmp_path / "groups.csv"
    found = ids_of(
        run(*SEARCH, QUESTION, "--vocabulary", str(terms), "--export", str(table), "--json")[1]
    )
    assert found["Fisheries"] == "http://example.org/fish"
    assert [one for one in found.values() if one] == ["http://example.org/fish"]
    with table.open(encoding="utf-8-sig") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["group_name"] for row in rows if row["group_term"]} == {"Fisheries"}
    assert not any(ids_of(run(*SEARCH, QUESTION, "--json")[1]).values())


def test_a_library_keeps_its_terms_until_they_are_taken_away(run, terms):
    told = json.loads(run("library", "vocabulary", "small", str(terms), "--json")[1])
    assert told == {"library": "small", "n_terms": 1}
    saved = run(*SEARCH, QUESTION, "--save", "fish", "--json")[1]
    assert ids_of(saved)["Fisheries"] == "http://example.org/fish"
    assert ids_of(run("sessions", "show", "fish", "--json")[1]) == ids_of(saved)
    assert json.loads(run("library", "vocabulary", "small", "--json")[1])["n_terms"] == 0
    assert not any(ids_of(run(*SEARCH, QUESTION, "--json")[1]).values())


def test_from_python(terms):
    library = subclust.open_library("small", settings=Settings.from_environment())
    answer = library.search(
        QUESTION, method="centred-cosine", strictness="all", vocabulary=terms, n_clusters=3
    )
    assert "Fisheries" in answer.names.values()
