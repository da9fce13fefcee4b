"""Sessions and corrections belong to whom made them, and are shared when they say so."""

import pytest
from raising import raises

from subclust.core import access
from subclust.core.access import LOCAL, Person, Role
from subclust.core.bin import Bin
from subclust.core.exceptions import (
    CorrectionsNotFoundError,
    NotAllowedError,
    SessionNotFoundError,
)
from subclust.labelled.corrections import Basis, CorrectionStore, History
from subclust.sessions import SessionStore

BASIS = Basis("tea", "maps", "hashing", "0" * 64, "qs3m", None, "", 0, 2, "0.1.0", {})


@pytest.fixture
def acts(monkeypatch):
    """Have somebody act from now on."""

    def by(name):
        person = LOCAL if name is None else Person(name, Role.READER)
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
