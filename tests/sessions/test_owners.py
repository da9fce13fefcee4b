"""Sessions, corrections and labelled sets belong to whom made them, who may share them."""

import io
from functools import partial

import pytest
from raising import raises

from subclust.core import access, limits
from subclust.core.access import LOCAL, Person, Role
from subclust.core.bin import Bin
from subclust.core.exceptions import (
    CorrectionsNotFoundError,
    InputError,
    LabelledSetNotFoundError,
    NotAllowedError,
    SessionNotFoundError,
)
from subclust.labelled.corrections import Basis, CorrectionStore, History
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore

BASIS = Basis("tea", "maps", "hashing", "0" * 64, "qs3m", None, "", 0, 2, "0.1.0", {})


@pytest.fixture
def acts(monkeypatch):
    """Have somebody act from now on."""

    def by(name, *teams):
        person = LOCAL if name is None else Person(name, Role.CURATOR, teams)
        monkeypatch.setattr(access, "_identify", lambda: person)

    by("ada")
    return by


@pytest.fixture
def corrections(tmp_path):
    return CorrectionStore(tmp_path / "corrections")


def test_a_session_is_its_makers_until_it_is_shared(sessions, session, acts):
    id_ = sessions.save(session, "Tea").id
    acts("rob")
    assert sessions.headers() == []
    for see in (sessions.load, sessions.export, sessions.delete, sessions.find):
        with pytest.raises(SessionNotFoundError):
            see(id_ if see != sessions.find else "Tea")
    acts("ada")
    assert sessions.share(id_, True).shared
    acts("rob")
    assert [one.owner for one in sessions.headers()] == ["ada"]
    assert sessions.load(id_)[1] == session
    for change in (
        lambda: sessions.rename(id_, "Mine"),
        lambda: sessions.share(id_, False),
        lambda: sessions.delete(id_),
    ):
        with raises(NotAllowedError, owner="ada"):
            change()
    acts("ada")
    sessions.share(id_, False)
    sessions.delete(id_)
    assert sessions.headers() == []


def test_whoever_is_at_the_computer_sees_all_and_what_was_saved_there_is_everybodys(
    sessions, session, acts
):
    sessions.save(session, "Ada's")
    acts(None)
    assert sessions.rename(sessions.find("Ada's"), "Still hers").owner == "ada"
    everybodys = sessions.save(session, "Everybody's").id
    acts("rob")
    assert [one.name for one in sessions.headers()] == ["Everybody's"]
    assert sessions.rename(everybodys, "Rob was here").owner == ""


def test_a_file_says_nothing_of_who_made_it_and_becomes_ones_own(sessions, session, acts, tmp_path):
    id_ = sessions.save(session, "Tea").id
    sessions.share(id_, True)
    content = sessions.export(id_)
    assert b'"ada"' not in content
    acts("rob")
    assert sessions.take(content).owner == "ada"  # it is there, and shared
    other = SessionStore(tmp_path / "elsewhere").take(content)
    assert (other.owner, other.shared) == ("rob", False)


def test_a_file_of_somebodys_private_session_becomes_ones_own_beside_it(sessions, session, acts):
    header = sessions.save(session, "Tea")
    content = sessions.export(header.id)
    acts("rob")
    taken = sessions.take(content)
    assert taken.owner == "rob" and taken.id != header.id


def test_the_bin_shows_each_their_own(sessions, session, acts, tmp_path):
    there = Bin(tmp_path / "bin")
    sessions.delete(sessions.save(session, "Tea").id, there)
    acts("rob")
    assert there.entries() == []
    acts("ada")
    (entry,) = there.entries("session")
    there.put_back(entry, sessions.folder)
    assert [one.owner for one in sessions.headers()] == ["ada"]


def test_corrections_are_their_makers_until_they_are_shared(corrections, acts, tmp_path):
    corrections.save("tea", BASIS, History(), (), known=None)
    acts("rob")
    assert corrections.all() == []
    for see in (corrections.load, corrections.delete):
        with raises(CorrectionsNotFoundError, name="tea", there="none"):
            see("tea")
    acts("ada")
    corrections.share("tea", True)
    acts("rob")
    assert corrections.load("tea").owner == "ada"
    for change in (
        lambda: corrections.save("tea", BASIS, History(), (), known=1),
        lambda: corrections.share("tea", False),
        lambda: corrections.delete("tea"),
    ):
        with raises(NotAllowedError, owner="ada"):
            change()
    acts("ada")
    again = corrections.save("tea", BASIS, History(), (), known=1)
    assert (again.revision, again.owner, again.shared) == (2, "ada", True)
    corrections.delete("tea", Bin(tmp_path / "bin"))
    acts("rob")
    assert Bin(tmp_path / "bin").entries() == []


SET = b"""query,text,label
tea,Green,Kinds
tea,Black,Kinds
tea,Tax,History
tea,War,History
maps,Old,Age
maps,New,Age
maps,Sea,Place
maps,Land,Place
"""


@pytest.fixture
def sets(tmp_path):
    return LabelledSetStore(tmp_path / "sets")


def keep(sets, name="tea", content=SET):
    return sets.keep(sets.receive(io.BytesIO(content), "tea.csv"), name)


def test_a_set_is_its_makers_until_it_is_shared(sets, acts, tmp_path):
    assert keep(sets).owner == "ada"
    acts("rob")
    assert sets.sets() == [] and sets.damaged() == []
    for see in (sets.load, sets.remove, lambda name: sets.find(f"set:{name}")):
        with raises(LabelledSetNotFoundError, name="tea", there="none"):
            see("tea")
    with raises(NotAllowedError, owner="ada"):  # the name is taken
        keep(sets)
    acts("ada")
    sets.share("tea", True)
    second = keep(sets, content=SET + b"tea,Leaf,Kinds\n")
    assert (second.version, second.owner, second.shared) == (2, "ada", True)
    acts("rob")
    assert [one.label for one in sets.sets()] == ["tea@2", "tea@1"]
    for change in (
        lambda: sets.share("tea", False),
        lambda: sets.remove("tea", 1),
        lambda: keep(sets, content=SET + b"tea,Cup,Kinds\n"),
    ):
        with raises(NotAllowedError, owner="ada"):
            change()
    acts("ada")
    sets.remove("tea", 1, Bin(tmp_path / "bin"))
    acts("rob")
    assert Bin(tmp_path / "bin").entries() == []


def test_a_set_of_the_computer_is_everybodys_and_has_no_file_of_whose_it_is(sets, acts):
    acts(None)
    assert keep(sets).owner == ""
    assert not list(sets.folder.glob("*/sharing.json"))
    acts("rob")
    again = keep(sets, content=SET + b"tea,Leaf,Kinds\n")
    assert (again.version, again.owner) == (2, "")
    sets.remove("tea")


def shared(sets, sessions, corrections, session):
    """Save one of each, and give for each how it is shared and how it is seen."""
    keep(sets)
    corrections.save("tea", BASIS, History(), (), known=None)
    id_ = sessions.save(session, "Tea").id
    return (
        (partial(sets.share, "tea"), lambda: [one.team for one in sets.sets()]),
        (partial(sessions.share, id_), lambda: [one.team for one in sessions.headers()]),
        (partial(corrections.share, "tea"), lambda: [one.team for one in corrections.all()]),
    )


def test_what_is_shared_with_a_team_its_members_see_and_nobody_else(
    sets, sessions, corrections, session, acts
):
    acts("ada", "history", "law")
    for share, seen in shared(sets, sessions, corrections, session):
        acts("ada", "history", "law")
        share(False, "history")
        for team, found in (("history", ["history"]), ("law", []), ("", [])):
            acts("rob", team)
            assert seen() == found
        with raises(NotAllowedError, owner="ada"):
            acts("rob", "history")
            share(True)
        acts("ada", "law")
        with raises(InputError, team="history"):
            share(False, "history")
        share(False)
        acts("rob", "history")
        assert seen() == []


def test_sharing_is_noted_with_whom(sets, sessions, corrections, session, acts, monkeypatch):
    noted = []
    monkeypatch.setattr(access.audit, "note", lambda *line: noted.append(line))
    acts("ada", "history")
    ways = shared(sets, sessions, corrections, session)
    for to, told in (((True,), "everybody"), ((False, "history"), "history"), ((False,), "nobody")):
        noted.clear()
        for share, _seen in ways:
            share(*to)
        assert [(line[1], line[-1]) for line in noted] == [("shared", told)] * 3
        assert {line[2] for line in noted} == {"set", "session", "corrections"}


def test_what_was_made_of_a_limited_library_is_seen_by_its_teams_alone(
    sessions, corrections, session, acts, tmp_path, monkeypatch
):
    monkeypatch.setattr(limits, "_libraries", tmp_path)
    acts("ada", "history")
    sessions.share(sessions.save(session, "Tea").id, True)
    corrections.save("tea", BASIS, History(), (), known=None)
    corrections.share("tea", True)
    for name in (session.origin.library, BASIS.library):
        limits.limit_library(tmp_path, name, ["history"])
    for team, seen in (("history", 1), ("law", 0)):
        acts("rob", team)
        assert len(sessions.headers()) == len(corrections.all()) == seen
    with raises(CorrectionsNotFoundError, name="tea", there="none"):
        corrections.load("tea")
    acts("ada")  # who made them has left the team
    assert sessions.headers() == []
    acts(None)
    assert len(sessions.headers()) == 1
