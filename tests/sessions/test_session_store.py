"""Sessions come back byte for byte, whatever is done with their names and files."""

import json
from dataclasses import replace
from unittest.mock import ANY

import pytest
from hostile_map import ORIGIN
from raising import raises

from subclust.cli.search.sessions import _changed
from subclust.core.exceptions import InputError, SessionError, SessionNotFoundError
from subclust.core.records import MappedPassage
from subclust.sessions import changes, kept_groups, kept_hits, session_of
from subclust.sessions import store as store_module
from subclust.sessions.records import SUFFIX


def test_the_groups_come_back_exactly(sessions, session, answer):
    header = sessions.save(session, "Tea")
    _, found = sessions.load(header.id)
    assert found == session
    groups = kept_groups(found)
    assert groups == answer
    assert json.dumps(groups.to_dict()) == json.dumps(answer.to_dict())
    pairs = zip(groups.subtopics, answer.subtopics, strict=True)
    for one, other in pairs:
        for a, b in zip(one.passages, other.passages, strict=True):
            assert (a.x, a.y, a.strength) == (b.x, b.y, b.strength)
            assert a.passage.metadata == b.passage.metadata


def test_the_hits_come_back_in_their_order(session):
    hits = kept_hits(session)
    assert [hit.rank for hit in hits] == list(range(1, 13))
    assert hits[0].score == 1 / 61


def test_other_maps_come_back(answer, session):
    moved = tuple(
        replace(
            group,
            passages=tuple(
                MappedPassage(m.passage, m.rank, m.strength, m.y, m.x) for m in group.passages
            ),
        )
        for group in answer.subtopics
    )
    other = replace(answer, subtopics=moved, projection="umap")
    kept = session_of(answer, (), session.origin, address={}, other_maps=[other])
    assert kept_groups(kept, "umap") == other
    assert kept_groups(kept, "umap").projection == "umap"
    assert kept_groups(kept) == answer
    assert kept_groups(session, "umap") == answer


def test_renaming_changes_the_name_only(sessions, session):
    header = sessions.save(session, "  Tea \n and  war ")
    assert header.name == "Tea and war"
    before = sessions.export(header.id)
    renamed = sessions.rename(header.id, "Taxes")
    after = sessions.export(header.id)
    assert renamed == header.model_copy(update={"name": "Taxes"})
    assert before.split(b"\n")[1] == after.split(b"\n")[1]
    assert [one.name for one in sessions.headers()] == ["Taxes"]


def test_the_list_has_what_is_there_and_no_more(sessions, session):
    assert sessions.headers() == []
    first, second = sessions.save(session, "One"), sessions.save(session, "Two")
    (sessions.folder / f"000000000000{SUFFIX}").write_bytes(b"{broken\n{}\n")
    (sessions.folder / f"notes{SUFFIX}").write_bytes(sessions.export(first.id))
    assert {one.id for one in sessions.headers()} == {first.id, second.id}
    assert sessions.headers()[0].n_passages == 12
    sessions.delete(first.id)
    assert [one.id for one in sessions.headers()] == [second.id]
    with pytest.raises(SessionNotFoundError):
        sessions.delete(first.id)


def test_a_session_is_found_by_id_or_by_its_only_name(sessions, session):
    first, second = sessions.save(session, "One"), sessions.save(session, "Two")
    assert sessions.find(first.id) == first.id
    assert sessions.find("Two") == second.id
    sessions.rename(second.id, "One")
    with raises(InputError, count=2, given="One"):
        sessions.find("One")
    with raises(SessionNotFoundError, name="Three"):
        sessions.find("Three")


@pytest.mark.parametrize("id_", ["../../etc/passwd", "", "A" * 12, "a" * 11, "a/b", "ä" * 12])
def test_an_id_cannot_lead_out_of_the_folder(sessions, session, id_):
    sessions.save(session, "One")
    for act in (sessions.load, sessions.delete, sessions.export):
        with pytest.raises(SessionNotFoundError):
            act(id_)


@pytest.mark.parametrize("name", ["", "  ", "x" * 121, "bell \a", "zero\u200bwidth"])
def test_a_name_that_cannot_be_shown_is_refused(sessions, session, name):
    with raises(InputError, max_name=120):
        sessions.save(session, name)
    assert sessions.headers() == []


def test_too_many_sessions_are_refused(sessions, session, monkeypatch):
    monkeypatch.setattr(store_module, "MAX_SESSIONS", 2)
    header = sessions.save(session, "One")
    sessions.save(session, "Two")
    with raises(SessionError, max_sessions=2):
        sessions.save(session, "Three")
    sessions.rename(header.id, "Still")


def test_a_folder_that_cannot_be_written_is_one_sentence(sessions, session):
    sessions.folder.parent.mkdir(exist_ok=True)
    sessions.folder.write_text("a file where the folder should be")
    with raises(SessionError, folder=ANY):
        sessions.save(session, "One")


def test_nothing_has_changed():
    assert changes(ORIGIN, ORIGIN) == ()


@pytest.mark.parametrize(
    ("now", "kind", "told"),
    [
        (
            {"library_revision": "c", "n_passages": 1200},
            "library",
            "has 1,200",
        ),
        (
            {"encoder_revision": "tiny-2"},
            "encoder",
            "was tiny (tiny-1) then; it is tiny (tiny-2) now",
        ),
        ({"model_revision": "cccc"}, "model", "made by qs3m/ours (bbbbbbbb); qs3m/ours (cccc) is"),
        (
            {"method": "tfidf", "checkpoint": None, "model_revision": None},
            "model",
            "tfidf is in use",
        ),
        ({"subclust": "10.0"}, "program", "9.9; this is 10.0"),
    ],
)
def test_what_has_changed_is_a_sentence(now, kind, told):
    (change,) = changes(ORIGIN, ORIGIN.model_copy(update=now))
    assert change.kind == kind
    assert told in _changed(change)


def test_another_name_of_the_same_weights_is_no_change():
    assert changes(ORIGIN, ORIGIN.model_copy(update={"checkpoint": "renamed"})) == ()
