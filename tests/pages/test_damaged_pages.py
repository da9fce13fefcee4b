"""What cannot be read is said where it would be listed, and can be deleted there."""

import pytest
from app_files import APP
from streamlit.testing.v1 import AppTest

from subclust.core.settings import Settings
from subclust.deleting.removal import bin_of
from subclust.jobs import JobStore


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "data"))
    return Settings.from_environment()


def opened(page, **params):
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["method"] = "tfidf"
    app.run()
    app.switch_page(f"pages/{page}.py")
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def warnings(app):
    return [one.value for one in app.warning]


@pytest.mark.parametrize("page, show", [("library", "imports"), ("train", "Trainings")])
def test_a_damaged_job_is_said_and_can_be_deleted(page, show, settings):
    folder = settings.jobs_dir / "broken"
    folder.mkdir(parents=True)
    (folder / "job.json").write_text('{"id": "bro')
    app = opened(page, show=show)
    assert any("broken" in told for told in warnings(app))
    app.button(key="damaged-broken").click().run()
    assert not app.exception
    assert not warnings(app)
    assert JobStore(settings.jobs_dir).damaged() == []
    assert not folder.exists()


def test_a_damaged_harvest_is_said(settings):
    settings.harvests_dir.mkdir(parents=True)
    (settings.harvests_dir / "papers.json").write_text("[]")
    assert any("papers" in told for told in warnings(opened("library", show="imports")))


def test_a_damaged_set_is_said(settings):
    folder = settings.sets_dir / "ants" / "1"
    folder.mkdir(parents=True)
    (folder / "set.json").write_text("{")
    app = opened("train")
    assert any("ants" in told for told in warnings(app))
    app.button(key="damaged-ants@1").click().run()
    assert not app.exception
    assert not warnings(app)
    assert [entry.name for entry in bin_of(settings).entries("set")] == ["ants@1"]
