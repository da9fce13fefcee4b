"""Where nothing may be changed every store refuses, whatever a page may ask of it."""

import inspect
import io
from types import SimpleNamespace

import numpy as np
import pytest
from queue_helpers import Nobody
from things import DELETE, MAKE, content

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.core import access as changes
from subclust.core.access import Person, Role
from subclust.core.bin import Bin
from subclust.core.exceptions import NotAllowedError, ReadOnlyError
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.core.tokens import TokenStore
from subclust.deleting.removal import bin_of, delete_passages, put_back
from subclust.jobs import Job, JobQueue, JobStore
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.reembed import reembed
from subclust.text.ingest.uploads import receive_file
from subclust.text.library import PassageLibrary
from subclust.text.library.backup import back_up, restore
from subclust.text.library.browse import PassageFilter
from subclust.text.library.imports import read_imports, take_back
from subclust.text.library.versions import forget
from subclust.text.sources.base import Document
from subclust.themes.kept import ThemeStore

ENCODER = HashingEncoder(16)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """One of each thing, one deleted of each kind, and a job that waits."""
    folder = tmp_path_factory.mktemp("data")
    settings = Settings(data_dir=folder, models_dir=folder / "models")
    for kind in MAKE:
        DELETE[kind](settings, MAKE[kind](settings))
        MAKE[kind](settings)
    TokenStore(settings.tokens_dir).create(changes.LOCAL, "notebook", Role.READER, 30)
    back_up(settings.library_dir, "maps", folder / "backup.zip")
    JobStore(settings.jobs_dir).save(
        Job("waits", ("train", "qss", "--data", "a.csv", "--name", "n"), queued_at=1.0)
    )
    return settings


@pytest.fixture(autouse=True)
def read_only(settings, monkeypatch):
    """Hold every test to a data folder that is the same afterwards."""
    before = content(settings.data_dir)
    monkeypatch.setattr(changes, "_forbidden", True)
    yield
    assert content(settings.data_dir) == before


def queue(settings):
    return JobQueue(JobStore(settings.jobs_dir), Nobody())


def library(settings):
    return PassageLibrary.open(settings.library_dir, "maps")


def models(settings):
    return CheckpointStore.of(settings)


def sets(settings):
    return LabelledSetStore(settings.sets_dir)


def sessions(settings):
    return SessionStore(settings.sessions_dir)


def tokens(settings):
    return TokenStore(settings.tokens_dir)


def corrections(settings):
    return CorrectionStore(settings.corrections_dir)


PASSAGE = Passage("new", "Ants.")
DOCUMENT = Document("new", "Ants", (PASSAGE,))
VECTORS = np.ones((1, 16), np.float32) / 4
OURS = Checkpoint("qs3m", "new", {}, {"head.w": np.ones((2, 2), np.float32)}, {})

SESSION = SimpleNamespace(header=SimpleNamespace(id="abcdef012345"))

CHANGES = {
    PassageLibrary: {
        "create": lambda s: ingest([DOCUMENT], ENCODER, s.library_dir, "new"),
        "remove": lambda s: PassageLibrary.remove(s.library_dir, "maps"),
        "put_back": lambda s: put_back(s, bin_of(s).entries("library")[0].id),
        "writing": lambda s: library(s).writing().__enter__(),
        "add": lambda s: library(s).add([PASSAGE], VECTORS),
        "replace": lambda s: library(s).replace(["a"], [PASSAGE], VECTORS),
        "discard": lambda s: library(s).discard(["a"]),
        "delete_passages": lambda s: delete_passages(s, "maps", PassageFilter(ids=("a",))),
        "optimize": lambda s: library(s).optimize(),
        "compact": lambda s: library(s).compact(),
        "import": lambda s: ingest([DOCUMENT], ENCODER, s.library_dir, "maps"),
        "take_back": lambda s: take_back(
            s.library_dir, "maps", read_imports(s.library_dir, "maps")[0].id
        ),
        "restore": lambda s: restore(s.library_dir, s.data_dir / "backup.zip", name="new"),
        "reembed": lambda s: reembed(s.library_dir, "maps", HashingEncoder(24)),
        "forget": lambda s: forget(s.library_dir, "maps", 1),
        "upload": lambda s: receive_file(s.uploads_dir, io.BytesIO(b"id,text\n"), "a.csv"),
    },
    JobQueue: {
        "submit": lambda s: queue(s).submit(["train"], title="qss/other", device="cpu"),
        "cancel": lambda s: queue(s).cancel("waits"),
        "resume": lambda s: queue(s).resume("waits"),
        "clone": lambda s: queue(s).clone("waits", {}, "other"),
        "remove": lambda s: JobStore(s.jobs_dir).remove("waits"),
    },
    LabelledSetStore: {
        "receive": lambda s: sets(s).receive(io.BytesIO(b"query,text,label\n"), "a.csv"),
        "keep": lambda s: sets(s)._alone().__enter__(),
        "share": lambda s: sets(s).share("ants", True),
        "remove": lambda s: sets(s).remove("ants"),
        "remove_damaged": lambda s: sets(s).remove_damaged("ants@1", bin_of(s)),
    },
    CorrectionStore: {
        "save": lambda s: corrections(s).save("new", None, None, (), known=None),
        "share": lambda s: corrections(s).share("ants", True),
        "delete": lambda s: corrections(s).delete("ants"),
    },
    SessionStore: {
        "save": lambda s: sessions(s)._write(SESSION),
        "rename": lambda s: sessions(s)._write(SESSION),
        "take": lambda s: sessions(s)._write(SESSION),
        "share": lambda s: sessions(s).share("abcdef012345", True),
        "delete": lambda s: sessions(s).delete("abcdef012345"),
    },
    CheckpointStore: {
        "save": lambda s: models(s).save(OURS),
        "note": lambda s: models(s).note("qs3m", "ours", {"told": 1}),
        "promote": lambda s: models(s).promote("qs3m", "ours"),
        "roll_back": lambda s: models(s).roll_back("qs3m"),
        "remove": lambda s: models(s).remove("qs3m", "ours"),
    },
    ThemeStore: {
        "save": lambda s: ThemeStore(s.themes_dir).save(SimpleNamespace(key="abc")),
        "remove": lambda s: ThemeStore(s.themes_dir).remove("abc"),
    },
    TokenStore: {
        "create": lambda s: tokens(s).create(changes.LOCAL, "notebook", Role.READER, 30),
        "revoke": lambda s: tokens(s).revoke(tokens(s).all()[0].id),
    },
    Bin: {
        "put": lambda s: bin_of(s).put("set", "x", s.sets_dir, [s.sets_dir / "ants"]),
        "put_back": lambda s: put_back(s, bin_of(s).entries("session")[0].id),
        "remove": lambda s: bin_of(s).remove(bin_of(s).entries()[0]),
    },
}

READS = {
    PassageLibrary: {
        "open", "names", "encoder_name", "encoder_revision", "embedding_dim",
        "check_encoder", "search_text", "search_vector", "get", "passages", "skim", "fingerprints",
        "revision", "count", "collections", "articles", "told", "listed",
    },
    JobQueue: {"advance", "state", "waiting", "position", "estimate_wait"},
    LabelledSetStore: {
        "discard", "preview", "check", "check_apart", "sets", "damaged", "load", "find", "export",
    },
    CorrectionStore: {"names", "all", "damaged", "load"},
    TokenStore: {"all", "person_of"},
    SessionStore: {"headers", "damaged", "load", "find", "export"},
    CheckpointStore: {
        "of", "load", "promoted", "default_method", "history", "current", "earlier", "protected",
        "names", "methods", "is_shipped", "hides_shipped", "place", "users", "card", "config",
        "parent", "time",
    },
    ThemeStore: {"find", "load", "all", "damaged"},
    Bin: {"entries", "find", "place", "sweep"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("store", "change"), [(store, change) for store in CHANGES for change in CHANGES[store]]
)
def test_a_change_is_refused(settings, store, change):
    with pytest.raises(ReadOnlyError):
        CHANGES[store][change](settings)


LEAST = {
    PassageLibrary: Role.CURATOR, JobQueue: Role.CURATOR, LabelledSetStore: Role.CURATOR,
    CorrectionStore: Role.READER, SessionStore: Role.READER, CheckpointStore: Role.ADMINISTRATOR,
    ThemeStore: Role.CURATOR,
}  # fmt: skip


@pytest.mark.parametrize(
    ("store", "change"), [(store, change) for store in LEAST for change in CHANGES[store]]
)
def test_a_change_is_refused_to_whoever_has_the_role_below(settings, monkeypatch, store, change):
    monkeypatch.setattr(changes, "_forbidden", False)
    below = Person("somebody", Role(LEAST[store] - 1))
    monkeypatch.setattr(changes, "_identify", lambda: below)
    with pytest.raises(NotAllowedError):
        CHANGES[store][change](settings)


@pytest.mark.parametrize(
    ("kind", "role"),
    [("session", Role.NOBODY), ("library", Role.READER), ("model", Role.CURATOR)],
)
def test_what_is_in_the_bin_takes_the_role_of_its_kind(settings, monkeypatch, kind, role):
    monkeypatch.setattr(changes, "_forbidden", False)
    monkeypatch.setattr(changes, "_identify", lambda: Person("somebody", role))
    entry = bin_of(settings).entries(kind)[0]
    for change in (
        lambda: bin_of(settings).put(kind, "x", settings.sets_dir, [settings.sets_dir / "ants"]),
        lambda: put_back(settings, entry.id),
        lambda: bin_of(settings).remove(entry),
    ):
        with pytest.raises(NotAllowedError):
            change()


@pytest.mark.parametrize("kind", DELETE)
def test_nothing_is_deleted(settings, kind):
    names = {"set": "ants@2", "model": "qs3m/ours", "library": "maps", "session": "abcdef012345"}
    with pytest.raises(ReadOnlyError):
        DELETE[kind](settings, names.get(kind, "ants"))


@pytest.mark.parametrize("store", CHANGES)
def test_whatever_a_store_can_do_is_known_to_read_or_to_change(store):
    public = {
        name
        for name, what in inspect.getmembers(store)
        if not name.startswith("_") and (callable(what) or not isinstance(what, str))
    }
    beside = {"import", "delete_passages", "take_back", "restore", "reembed", "forget", "upload"}
    assert public == READS[store] | (set(CHANGES[store]) - beside)


def test_what_waits_is_not_started_by_a_reader(settings, monkeypatch):
    monkeypatch.setattr(changes, "_forbidden", False)
    monkeypatch.setattr(changes, "_identify", lambda: Person("somebody", Role.READER))
    assert queue(settings).advance() == []


def test_what_waits_is_not_started(settings):
    assert queue(settings).advance() == []


def test_what_is_there_is_read(settings):
    assert library(settings).search_text("maps", 5).passages[0].id == "a"
    assert models(settings).load("qs3m", "ours").name == "ours"
    assert [one.label for one in sets(settings).sets()] == ["ants@2"]
    assert len(bin_of(settings).entries()) == len(MAKE)
