import json

import pytest
from raising import numbers

from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import (
    Basis,
    CorrectionStore,
    History,
    data_version,
    kept_groups,
    replay,
)


def make_map(query):
    groups = {0: "abc", 1: "de", -1: "f"}
    names = {0: "Taxes", 1: "Ships", -1: "Other passages"}
    subtopics = tuple(
        Subtopic(
            id,
            names[id],
            0.5,
            tuple(MappedPassage(Passage(one, f"Words of {one}"), 1, 0.5, 0, 0) for one in ids),
        )
        for id, ids in groups.items()
    )
    return SubtopicMap(Query(query), "demo", "qs3m", "ours", 0, 2, "user", subtopics)


@pytest.fixture
def saved(settings):
    store = CorrectionStore(settings.corrections_dir)

    def save(name, query, *makers):
        start, edits = make_map(query), []
        for make in makers:
            edits.append(make(replay(start, edits).subtopics))
        basis = Basis(
            query, "demo", "hashing", data_version(start), "qs3m", "ours", "1234", 0, 2, "0.1.0"
        )
        groups = kept_groups(replay(start, edits))
        return store.save(name, basis, History(tuple(edits)), groups, known=None)

    save("war", "the war", lambda now: curation.move(now, ["a"], 1))
    save("peace", "the peace", lambda now: curation.judge(now, ["a", "b", "d"], "accepted"))
    save("war-2", "the war", lambda now: curation.judge(now, ["a", "b"], "accepted"))
    return store


def test_saved_corrections_are_listed_and_shown(run, saved):
    status, out, _ = run("corrections", "list", "--json")
    assert status == 0
    assert {one["name"] for one in json.loads(out)["corrections"]} == {"war", "peace", "war-2"}
    assert run("corrections")[1].count("\n") == 3
    shown = run("corrections", "show", "war")[1]
    assert "1 corrections" in shown and "“the war”" in shown
    assert "a [placed]: Words of a" in shown
    assert "qs3m, model ours 1234" in shown
    value = json.loads(run("corrections", "show", "war", "--json")[1])
    assert value["done"][0]["kind"] == "move"
    assert value["basis"]["checkpoint"] == "ours"


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_what_is_exported_can_be_checked_and_kept(run, saved, tmp_path, ending):
    path = tmp_path / f"set.{ending}"
    status, out, _ = run("corrections", "export", "war", "peace", "--to", path)
    assert status == 0
    assert {"2", "10"} <= set(numbers(out))
    assert run("check", path)[0] == 0
    assert run("sets", "add", path, "--name", "ours")[0] == 0


def test_without_a_file_the_set_is_printed(run, saved):
    out = run("corrections", "export", "war", "peace", "--judged")[1]
    (peace,) = map(json.loads, out.splitlines())  # of the war one passage was judged
    assert peace["query"] == "the peace"
    assert [one["id"] for one in peace["passages"]] == ["a", "b", "d"]


def test_pairs_and_contradictions(run, saved, tmp_path):
    value = json.loads(run("corrections", "pairs", "war", "war-2", "--json")[1])
    disputed = {one["first"] + one["second"] for one in value["contradictions"]}
    assert disputed == {"ab", "ac", "ad", "ae"}
    assert not {one["first_id"] + one["second_id"] for one in value["pairs"]} & disputed
    status, out, _ = run("corrections", "pairs", "war", "--to", tmp_path / "pairs.csv")
    assert status == 0
    assert "2 pairs" in out and "2 of different" in out
    assert (tmp_path / "pairs.csv").read_text(encoding="utf-8-sig").count("\n") == 5


def test_corrections_are_deleted(run, saved):
    assert json.loads(run("corrections", "delete", "war", "--json")[1]) == {"deleted": "war"}
    assert saved.names() == ["peace", "war-2"]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (("show", "nothing"), {"name": "nothing"}),
        (("show", "../x"), {"name": "../x"}),
        (("delete", "nothing"), {"name": "nothing"}),
        (("export", "war", "--judged"), {"name": "war"}),
        (("export", "war", "--to", "set.xlsx"), {"file": "set.xlsx"}),
        (("pairs", "war", "--to", "/no/such/folder/pairs.csv"), {}),
    ],
)
def test_what_goes_wrong_is_one_plain_sentence(run, saved, words, values):
    run.refused("corrections", *words, **values)
