import json
import multiprocessing
import os
import signal
import time
from dataclasses import replace
from unittest.mock import ANY

import pytest
from corrected_maps import make_map
from passing_days import a_day_passes  # noqa: F401 - a fixture
from raising import raises
from waiting import wait_until

from subclust.core.exceptions import CorrectionsError, DraftElsewhereError
from subclust.core.storage.ageing import DRAFT_DAYS
from subclust.labelled import corrections as curation
from subclust.labelled.corrections import CorrectionStore, Draft, DraftStore, History

MAP = make_map({0: "abc", 1: "de", -1: "f"})
EDITS = (curation.move(MAP, ["a"], 1), curation.rename(MAP, 0, "New – “name”"))
DRAFT = Draft(History(EDITS[:1], EDITS[1:]), revision=3, kept=EDITS[:1])
OWNER, ABOUT = "0" * 32, ("demo", "the American war", "the American war", "")


@pytest.fixture
def store(tmp_path):
    return DraftStore(tmp_path / "corrections" / "drafts")


def file_of(store):
    (path,) = store.folder.glob("*.json")
    return path


def test_a_draft_comes_back_with_all_that_can_be_undone_and_redone(store):
    assert store.load(OWNER, ABOUT) is None
    stamp = store.keep(OWNER, ABOUT, DRAFT)
    assert store.load(OWNER, ABOUT) == replace(DRAFT, stamp=stamp)
    further = replace(DRAFT, history=History(EDITS), stamp=stamp)
    later = store.keep(OWNER, ABOUT, further)
    assert store.load(OWNER, ABOUT) == replace(further, stamp=later)
    store.discard(OWNER, ABOUT)
    store.discard(OWNER, ABOUT)
    assert store.load(OWNER, ABOUT) is None


def test_nobody_else_finds_it_and_its_file_says_neither_whose_nor_about_what(store):
    store.keep(OWNER, ABOUT, DRAFT)
    assert store.load("1" * 32, ABOUT) is None
    assert store.load(OWNER, ("demo", "another question", "another question", "")) is None
    assert store.load("", ABOUT) is None
    path = file_of(store)
    for secret in (OWNER, "American", "demo"):
        assert secret not in path.name and secret not in path.read_text("utf-8")


def test_drafts_are_no_saved_corrections(store):
    store.keep(OWNER, ABOUT, DRAFT)
    assert CorrectionStore(store.folder.parent).names() == []


def test_what_another_window_did_is_not_overwritten(store):
    stamp = store.keep(OWNER, ABOUT, DRAFT)
    there = store.keep(OWNER, ABOUT, replace(DRAFT, stamp=stamp))
    for known in (stamp, "", "nonsense"):
        with pytest.raises(DraftElsewhereError):
            store.keep(OWNER, ABOUT, replace(DRAFT, history=History(), stamp=known))
    assert store.load(OWNER, ABOUT) == replace(DRAFT, stamp=there)
    store.discard(OWNER, ABOUT)  # there is nothing that could be lost
    assert store.keep(OWNER, ABOUT, replace(DRAFT, stamp=stamp))


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"format": 2}', "[" * 9999, "\0" * 99])
def test_a_damaged_draft_is_set_aside_and_told_once(store, content):
    store.keep(OWNER, ABOUT, DRAFT)
    path = file_of(store)
    path.write_text(content)
    with raises(CorrectionsError, aside=ANY):
        store.load(OWNER, ABOUT)
    assert path.with_suffix(".damaged").read_text() == content
    assert store.load(OWNER, ABOUT) is None
    assert store.keep(OWNER, ABOUT, DRAFT)


def test_an_edit_of_no_kind_is_damage(store):
    store.keep(OWNER, ABOUT, DRAFT)
    value = json.loads(file_of(store).read_bytes())
    file_of(store).write_text(json.dumps(value | {"done": [{"kind": "burn"}]}))
    with raises(CorrectionsError, aside=ANY):
        store.load(OWNER, ABOUT)


def test_old_drafts_go_when_a_new_one_comes(store, a_day_passes):  # noqa: F811
    store.keep(OWNER, ("old",), DRAFT)
    store.keep(OWNER, ("damaged",), DRAFT)
    old, damaged = store.folder.glob("*.json")
    damaged = damaged.rename(damaged.with_suffix(".damaged"))
    for path, days in ((old, DRAFT_DAYS + 1), (damaged, DRAFT_DAYS + 1)):
        then = time.time() - days * 24 * 3600
        os.utime(path, (then, then))
    store.keep(OWNER, ("recent",), DRAFT)
    (recent,) = set(store.folder.glob("[!.]*.json")) - {old}
    then = time.time() - (DRAFT_DAYS - 1) * 24 * 3600
    os.utime(recent, (then, then))
    store.keep(OWNER, ("new",), DRAFT)
    assert old.exists() and damaged.exists()
    a_day_passes()
    store.keep(OWNER, ("newer",), DRAFT)
    assert not old.exists() and not damaged.exists()
    assert recent.exists() and len(list(store.folder.glob("[!.]*.json"))) == 3


def test_a_folder_that_cannot_be_written_to_is_one_plain_sentence(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with raises(CorrectionsError, folder=ANY):
        DraftStore(tmp_path / "file").keep(OWNER, ABOUT, DRAFT)


def _keep_for_ever(folder, acknowledged):
    store, draft = DraftStore(folder), DRAFT
    while True:
        draft = replace(draft, stamp=store.keep(OWNER, ABOUT, draft))
        draft = replace(draft, revision=(draft.revision or 0) + 1)
        acknowledged.value = draft.revision


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(store):
    context = multiprocessing.get_context("fork")
    for delay in (0.0, 0.003, 0.007, 0.013):
        store.discard(OWNER, ABOUT)
        acknowledged = context.Value("i", 0)
        keeper = context.Process(target=_keep_for_ever, args=(store.folder, acknowledged))
        keeper.start()
        wait_until(lambda kept=acknowledged: kept.value, pause=0.001)
        time.sleep(delay)
        os.kill(keeper.pid, signal.SIGKILL)
        keeper.join()
        kept = store.load(OWNER, ABOUT)
        assert kept.history == DRAFT.history
        assert kept.revision + 1 >= acknowledged.value
        assert store.keep(OWNER, ABOUT, kept)  # no lock is left
