import json
import multiprocessing
import os
import signal
import time

import pytest
from corrected_maps import make_map
from raising import raises
from saved_corrections import basis_of, saved_as
from waiting import wait_until

from subclust.core.exceptions import CorrectionsError, CorrectionsNotFoundError, InputError
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import (
    CorrectionStore,
    History,
    kept_groups,
    replay,
    suggested_name,
)

MAP = make_map({0: "abc", 1: "de", -1: "f"})
EDITS = (curation.move(MAP, ["a"], 1), curation.rename(MAP, 0, "New – “name”"))
HISTORY = History(EDITS[:1], EDITS[1:])
GROUPS = kept_groups(replay(MAP, HISTORY.done))


@pytest.fixture
def store(tmp_path):
    return CorrectionStore(tmp_path / "corrections")


def save(store, name="war", known=None):
    return store.save(name, basis_of(MAP), HISTORY, GROUPS, known=known)


def test_what_is_saved_is_loaded_with_all_that_can_be_undone_and_redone(store):
    kept = save(store)
    assert store.load("war") == kept
    assert kept.history == HISTORY
    assert kept.revision == 1
    assert kept.basis.data == curation.data_version(MAP)
    assert [(group.id, [one.id for one in group.passages]) for group in kept.groups] == [
        (0, ["b", "c"]), (1, ["a", "d", "e"]), (-1, ["f"]),
    ]  # fmt: skip
    assert kept.facts()["n_judged"] == 1


def test_names_are_listed_and_deleted(store):
    assert store.names() == []
    save(store, "b")
    save(store, "a")
    (store.folder / ".a-1234.partial").write_text("of one that was killed")
    (store.folder / "Not Ours.json").write_text("{}")
    assert store.names() == ["a", "b"]
    assert [one.name for one in store.all()] == ["a", "b"]
    store.delete("a")
    assert store.names() == ["b"]
    with raises(CorrectionsNotFoundError, name="a", there="b"):
        store.delete("a")


def test_what_somebody_else_has_saved_is_not_overwritten(store):
    first = save(store)
    with raises(CorrectionsError, name="war"):
        save(store)
    second = save(store, known=first.revision)
    assert second.revision == 2
    with raises(CorrectionsError, name="war"):
        save(store, known=first.revision)
    store.delete("war")
    with raises(CorrectionsError, name="war"):
        save(store, known=second.revision)
    assert save(store).revision == 1


@pytest.mark.parametrize("name", ["", "../etc", "a/b", "A", ".a", "a" * 65, "a b", "a.json"])
def test_a_name_that_leads_elsewhere_is_refused(store, name):
    for act in (store.load, store.delete, lambda one: save(store, one)):
        with raises(InputError):
            act(name)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": 2}',
        '{"format": 1}',
        '{"format": 1, "name": 3}',
        "[" * 9999,
    ],
)
def test_a_damaged_file_is_one_plain_sentence(store, content):
    save(store)
    (store.folder / "war.json").write_text(content)
    with raises(CorrectionsError, name="war"):
        store.load("war")
    assert store.all() == []
    store.delete("war")
    assert store.names() == []


@pytest.mark.parametrize("place", ["done", "groups", "basis"])
def test_damage_within_is_found(store, place):
    save(store)
    path = store.folder / "war.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value[place] = [{"kind": "burn"}] if place != "basis" else {"query": "?"}
    path.write_text(json.dumps(value))
    with raises(CorrectionsError, name="war"):
        store.load("war")


def test_corrections_under_another_name_are_not_taken_for_these(store):
    save(store)
    (store.folder / "war.json").rename(store.folder / "peace.json")
    with raises(CorrectionsError, name="peace"):
        store.load("peace")


def test_a_folder_that_cannot_be_written_to_is_one_plain_sentence(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with raises(CorrectionsError, name="war"):
        save(CorrectionStore(tmp_path / "file"))


def _save_for_ever(folder):
    store, known = CorrectionStore(folder), None
    while True:
        known = save(store, known=known).revision


def test_a_kill_at_any_moment_leaves_whole_corrections(store):
    """Kill a process that saves again and again; what it leaves can always be loaded."""
    context = multiprocessing.get_context("fork")
    for delay in (0.0, 0.003, 0.007, 0.013):
        if store.names():
            store.delete("war")
        saver = context.Process(target=_save_for_ever, args=(store.folder,))
        saver.start()
        wait_until(store.names, pause=0.001)
        time.sleep(delay)
        os.kill(saver.pid, signal.SIGKILL)
        saver.join()
        kept = store.load("war")
        assert kept.history == HISTORY
        assert save(store, known=kept.revision).revision == kept.revision + 1  # no lock is left


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What causes autism?", "what-causes-autism"),
        ("Börse (neu)", "borse-neu"),
        ("战争", "corrections"),
        ("x" * 90, "x" * 48),
    ],
)
def test_a_name_is_suggested(text, name):
    assert suggested_name(text) == name


def test_the_version_of_the_data_follows_from_ids_and_texts_alone():
    assert curation.data_version(MAP) == curation.data_version(make_map({3: "fed", 0: "cba"}))
    assert curation.data_version(MAP) != curation.data_version(make_map({0: "abcde"}))


def test_saved_corrections_tell_what_they_are(store):
    facts = saved_as(
        "war",
        {0: "abc", 1: "de", -1: "f"},
        lambda now: curation.judge(now, ["a", "b"], "accepted"),
        lambda now: curation.judge(now, ["c"], "unsure"),
    ).facts()
    assert facts["n_edits"] == 2
    assert facts["n_passages"] == 6
    assert facts["n_groups"] == 2
    assert facts["n_judged"] == 3
    assert facts["n_unsure"] == 1
