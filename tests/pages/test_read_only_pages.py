"""An app that is served read-only: no control that is drawn changes anything."""

import io

import pytest
import small_library
from app_files import APP
from page_texts import texts
from streamlit.testing.v1 import AppTest
from things import content

from subclust.checkpoints import CheckpointStore
from subclust.core import access as changes
from subclust.core.access import Person, Role
from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of, delete_library
from subclust.jobs import Job, JobStore
from subclust.labelled.sets import LabelledSetStore
from subclust.text.encoders import HashingEncoder
from subclust.text.library.counts import COUNTS_FILE
from subclust.text.library.imports import ImportLog

ROWS = b"query,text,label\na,one,x\na,two,y\nb,three,x\nb,four,y\n"
KEPT = ("library", "jobs", "sets", "corrections", "sessions", "models", "bin", "uploads", "themes")
REFUSED = ("Nothing can be changed here, since", "can change this")
TOLD = "This server is read-only: nothing can be changed."

PAGES = {
    "libraries": ("library", {}),
    "a damaged library": ("library", {"open": "broken"}),
    "import": ("library", {"show": "import"}),
    "services": ("library", {"show": "services"}),
    "an import that failed": ("library", {"show": "imports", "job": "import-old"}),
    "an import that waits": ("library", {"show": "imports", "job": "import-next"}),
    "a new training": ("train", {}),
    "a training that failed": ("train", {"show": "Trainings", "job": "failed"}),
    "a training that waits": ("train", {"show": "Trainings", "job": "waits"}),
    "models": ("models", {}),
    "another model": ("models", {"model": "other"}),
}


@pytest.fixture
def data(tmp_path, monkeypatch, random_checkpoint, launcher):
    """One of everything that somebody could change."""
    data = tmp_path / "data"
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(data))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(data / "models"))
    settings = Settings.from_environment()
    small_library.build(data, "gone", 3)
    delete_library(settings, "gone")
    small_library.build(data, "old", 5)
    (data / "library" / "broken.lance" / "_versions").mkdir(parents=True)
    (data / "library" / "broken.lance" / "_versions" / "1.manifest").write_bytes(b"no")
    with ImportLog(settings.library_dir, "old", []) as log:
        log.storing(["stamp-act:1#1"], {})
    store = LabelledSetStore(settings.sets_dir)
    store.keep(store.receive(io.BytesIO(ROWS), "ants.csv"), "ants")
    encoder = HashingEncoder()
    facts = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    models = CheckpointStore.of(settings)
    for name in ("first", "other"):
        models.save(random_checkpoint("qs3m", name, **facts))
        models.promote("qs3m", name, as_default=True)
    models.promote("qs3m", "first")
    jobs, train = JobStore(settings.jobs_dir), ("train", "qs3m", "--data", "set:ants", "--name")
    jobs.save(Job("failed", (*train, "new"), title="qs3m/new", outcome="failed", finished=2.0))
    jobs.save(Job("waits", (*train, "next"), title="qs3m/next", queued_at=1.0))
    for id, told in (("import-old", {"outcome": "failed", "finished": 2.0}), ("import-next", {})):
        words = ("import", f"{id}.ris", "--library", "old")
        jobs.save(Job(id, words, kind="import", title=f"old/{id}", queued_at=1.0, **told))
    return data


@pytest.fixture
def read_only(monkeypatch):
    monkeypatch.setattr(changes, "_forbidden", True)


def test_an_answer_is_shown_and_not_saved(data, read_only, open_page):
    before = kept(data)
    page = open_page(correcting=True, q="war", library="old")
    keys = {button.key for button in page.button}
    assert "undo" in keys and "save" not in keys
    page.button(key="take-sessions").click().run()
    assert not page.get("file_uploader") and not page.exception
    assert kept(data) == before


def visit(which):
    page, params = PAGES[which]
    app = AppTest.from_file(APP, default_timeout=120)
    for name, value in params.items():
        app.query_params[name] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def kept(data):
    found = {folder: content(data / folder) for folder in KEPT if (data / folder).exists()}
    return {  # what was counted may be kept wherever the process may write
        folder: {file: held for file, held in files.items() if not file.endswith(COUNTS_FILE)}
        for folder, files in found.items()
    }


def boxes(page):
    kinds = (page.info, page.warning, page.error, page.success, page.toast)
    return " ".join(one.value for kind in kinds for one in kind).replace("\\", "")


def words(page):
    return f"{boxes(page)} {texts(page)}"


@pytest.fixture(params=["read-only", "a reader"])
def only_looking(request, monkeypatch):
    """Serve read-only, or to somebody who may change neither libraries nor models."""
    if request.param == "read-only":
        monkeypatch.setattr(changes, "_forbidden", True)
    else:
        monkeypatch.setattr(changes, "_identify", lambda: Person("rob", Role.READER))


@pytest.mark.parametrize("which", PAGES)
def test_no_button_of_a_page_changes_anything_or_is_refused(data, only_looking, which):
    before = kept(data)
    page = visit(which)
    assert not page.get("file_uploader")
    keys = [button.key for button in page.button]
    for key in keys:
        page = visit(which)
        if key not in [button.key for button in page.button]:
            continue
        page.button(key=key).click().run()
        assert not page.exception
        assert not any(told in boxes(page) for told in REFUSED), key
    assert kept(data) == before


@pytest.mark.parametrize("which", PAGES)
def test_a_page_says_once_why(data, read_only, which):
    assert words(visit(which)).count(TOLD) == 1


# Of services there is nothing to click while all of them are off.
@pytest.mark.parametrize("which", [which for which in PAGES if which != "services"])
def test_without_it_there_is_more_to_click_and_no_such_sentence(data, monkeypatch, which):
    page = visit(which)
    assert TOLD not in words(page)
    there = {button.key for button in page.button} | {
        one.proto.id for one in page.get("file_uploader")
    }
    monkeypatch.setattr(changes, "_forbidden", True)
    assert {button.key for button in visit(which).button} < there
    assert len(bin_of(Settings.from_environment()).entries("library")) == 1


OFFERED_TO = {which: Role.CURATOR for which in PAGES if which != "services"} | {
    "models": Role.ADMINISTRATOR,
    "another model": Role.ADMINISTRATOR,
}
"""Who is the first to find more controls on a page than a reader does."""


@pytest.mark.parametrize("which", OFFERED_TO)
def test_a_page_offers_its_changes_from_a_role_on(data, monkeypatch, which):
    found = {}
    for role in (Role.READER, Role.CURATOR, Role.ADMINISTRATOR):
        monkeypatch.setattr(changes, "_identify", lambda role=role: Person("rob", role))
        page = visit(which)
        found[role] = {button.key for button in page.button} | {
            one.proto.label for one in page.get("file_uploader")
        }
    for role, controls in found.items():
        if role < OFFERED_TO[which]:
            assert controls == found[Role.READER]
        else:
            assert controls > found[Role.READER]
