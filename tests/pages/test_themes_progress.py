"""What Explore tells of a search for themes: how far it is, how long it takes, how it ended."""

import json
from dataclasses import replace

import pytest
import themed_library
from app_files import PAGES
from streamlit.testing.v1 import AppTest

from subclust.core.settings import Settings
from subclust.jobs import JobStore


@pytest.fixture
def asked(tmp_path, monkeypatch, launcher):
    themed_library.build(tmp_path)
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    page = AppTest.from_file(PAGES / "explore.py", default_timeout=60)
    page.query_params["whole"] = "themed"
    page.run()
    page.button(key="themes-find").click().run()
    assert not page.exception
    store = JobStore(Settings.from_environment().jobs_dir)
    (job,) = (one for one in store.jobs() if one.kind == "themes")
    return page, store, job


def warned(page):
    """List warnings as they are read, without what keeps signs from being taken for Markdown."""
    return [one.value.replace("\\", "") for one in page.warning]


def bar(page):
    page.run()
    assert not page.exception
    (found,) = page.get("progress")
    return found.proto.value, found.proto.text


@pytest.mark.parametrize(
    ("stage", "share", "told"),
    [
        ("encoding", 8, "Encoding "),
        ("training", 55, "Training … about 4 min left"),
        ("saving", 90, "Naming the themes …"),
    ],
)
def test_the_bar_says_what_is_done_and_what_is_left(asked, stage, share, told):
    page, store, job = asked
    line = {"step": 50, "total": 100, "loss": 1.0, "seconds": 200.0, "eta": 220.0}
    (store.path(job.id) / "progress.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    store.update(job.id, lambda one: replace(one, stage=stage))
    value, text = bar(page)
    assert value == share and told in text, text


def test_why_it_ended_without_themes_is_said(asked):
    page, store, job = asked
    store.end(job, "failed", "No memory; find fewer.")
    page.run()
    assert not page.get("progress")
    (told,) = warned(page)
    assert told.endswith(" No memory; find fewer.")


def test_a_search_that_is_stopped_says_so(asked):
    page, store, job = asked
    page.button(key="themes-stop").click().run()
    assert store.load(job.id).cancel_asked
    store.end(job, "cancelled")
    page.run()
    assert not page.get("progress")
    (told,) = warned(page)
    assert "stopped" in told
