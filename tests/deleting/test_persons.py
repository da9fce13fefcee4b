"""All that is kept of one person is exported, or deleted, and nothing of anybody else."""

import io
import stat
import time
import zipfile

import pytest
from hostile_map import ORIGIN, hostile_map
from queue_helpers import Nobody
from raising import raises

from subclust.core import audit
from subclust.core.access import Person, Role, acting_as
from subclust.core.accounts import Accounts, Retention
from subclust.core.bin import Bin
from subclust.core.exceptions import InputError, NotAllowedError
from subclust.core.records import Hit
from subclust.core.settings import Settings
from subclust.core.tokens import TokenStore
from subclust.deleting.persons import delete_person, export_person, forget_old, kept_of
from subclust.jobs import JobQueue, JobStore
from subclust.labelled.corrections import Basis, CorrectionStore, History
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore, session_of

BASIS = Basis("tea", "maps", "hashing", "0" * 64, "qs3m", None, "", 0, 2, "0.1.0", {})
SET = "query,text,label\n" + "".join(
    f"{query},{query} {number},{'ab'[number % 2]}\n" for query in "xyz" for number in range(4)
)
KINDS = ("sessions", "corrections", "sets", "tokens", "bin", "jobs", "audit")


def fill(settings, name):
    """Have somebody make one thing of each kind, and delete a session to the bin."""
    answer = hostile_map()
    hits = [Hit(m.passage, m.rank, 1.0) for g in answer.subtopics for m in g.passages]
    session = session_of(answer, hits, ORIGIN, address={})
    sessions, sets = SessionStore(settings.sessions_dir), LabelledSetStore(settings.sets_dir)
    person = Person(name, Role.CURATOR)
    with acting_as(person):
        sessions.save(session, f"Of {name}")
        sessions.delete(sessions.save(session, "Gone").id, Bin(settings.bin_dir))
        CorrectionStore(settings.corrections_dir).save(name[:3], BASIS, History(), (), known=None)
        sets.keep(sets.receive(io.BytesIO(SET.encode()), "a.csv"), name[:3])
        TokenStore(settings.tokens_dir).create(person, "notebook", Role.READER, 30)
        JobQueue(JobStore(settings.jobs_dir), Nobody()).submit(
            ("train", "qs3m", "--name", name[:3]), title=name[:3], device="cpu"
        )


@pytest.fixture
def settings(tmp_path):
    settings = Settings(data_dir=tmp_path / "data", models_dir=tmp_path / "models")
    audit.begin(settings.audit_dir / "audit.jsonl")
    fill(settings, "ada@example.org")
    fill(settings, "rob@example.org")
    yield settings
    audit.begin(None)


def test_an_export_has_all_of_theirs_and_nothing_of_anybody_else(settings, tmp_path):
    file = tmp_path / "ada.zip"
    counts = export_person(settings, "Ada@example.org", file)
    assert {kind: counts[kind] for kind in KINDS[:-1]} == dict.fromkeys(KINDS[:-1], 1)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    assert {name.split("/")[0] for name in content} == {
        "person.json", "sessions", "corrections", "sets", "bin", "tokens.json", "jobs.json",
        "audit.jsonl",
    }  # fmt: skip
    assert not any(b"rob@example.org" in one for one in content.values())
    assert not any(b"sha256" in content[name] for name in ("tokens.json",))
    assert len(content["audit.jsonl"].splitlines()) == counts["audit"] > 5
    with raises(InputError, file=str(file)):
        export_person(settings, "ada@example.org", file)


def test_deleting_leaves_nothing_of_them_and_all_of_the_others(settings):
    robs = kept_of(settings, "rob@example.org")
    before = len(audit.lines(settings.audit_dir / "audit.jsonl"))
    delete_person(settings, "ADA@example.org")
    assert kept_of(settings, "ada@example.org") == dict.fromkeys(KINDS, 0)
    assert kept_of(settings, "rob@example.org") == robs
    texts = [
        path.read_bytes() for path in settings.data_dir.rglob("*") if path.is_file()
    ]  # whatever there is
    assert not any(b"ada@example.org" in text for text in texts)
    assert any(b"rob@example.org" in text for text in texts)
    assert len(audit.lines(settings.audit_dir / "audit.jsonl")) > before  # none is gone
    delete_person(settings, "ada@example.org")  # again: there is nothing


def test_only_administrators_may(settings, tmp_path):
    with acting_as(Person("cleo", Role.CURATOR)):
        for do in (
            lambda: delete_person(settings, "rob@example.org"),
            lambda: export_person(settings, "rob@example.org", tmp_path / "rob.zip"),
        ):
            with pytest.raises(NotAllowedError):
                do()
    for name in ("", " "):  # what nobody owns is everybody's
        with pytest.raises(InputError):
            delete_person(settings, name)


def test_what_is_old_is_forgotten_when_the_accounts_say_so(settings, monkeypatch):
    now = time.time()
    assert forget_old(settings, Accounts()) == {"sessions": 0, "audit": 0, "bin": 0}
    monkeypatch.setattr(time, "time", lambda: now + 10 * 86400)
    keeping = Accounts(retention=Retention(sessions=11, audit=11))
    assert forget_old(settings, keeping) == {"sessions": 0, "audit": 0, "bin": 0}
    n_lines = len(audit.lines(settings.audit_dir / "audit.jsonl"))
    strict = Accounts(retention=Retention(sessions=9, audit=9))
    for days in (40, 0, 10):  # the clock leaps ahead, and back
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 86400)
        assert forget_old(settings, strict) == {"sessions": 0, "audit": 0, "bin": 0}
    monkeypatch.setattr(time, "time", lambda: now + 11 * 86400)
    gone = forget_old(settings, strict)
    assert gone["sessions"] == 2 and gone["audit"] >= n_lines
    assert SessionStore(settings.sessions_dir).headers() == []
    monkeypatch.setattr(time, "time", lambda: now + 41 * 86400)
    assert forget_old(settings, Accounts())["bin"] == 0
    monkeypatch.setattr(time, "time", lambda: now + 42 * 86400)
    assert forget_old(settings, Accounts())["bin"] == 2
