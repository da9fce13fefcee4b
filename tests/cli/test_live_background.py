import json

import pytest
from live_catalogues import oai_pmh
from live_server import served
from live_shapes import records

from subclust.jobs import JobStore

pytestmark = pytest.mark.app  # waits for processes


class Idle:
    """Stands for a launcher, and leaves the work to the test."""

    backend = "local"
    one_per_device = True

    def start(self, job, store):
        return job

    def is_alive(self, job):
        return True


def test_a_queued_harvest_keeps_the_record_of_its_job(run, settings, monkeypatch):
    monkeypatch.setattr("subclust.cli.give_way", lambda: None)
    monkeypatch.setattr("subclust.jobs.opening.launcher_of", lambda settings: Idle())
    with served(oai_pmh(records(60))) as live:
        monkeypatch.setenv("SUBCLUST_LIVE", "oai-pmh")
        monkeypatch.setenv("SUBCLUST_OFFLINE", "0")
        monkeypatch.setenv("SUBCLUST_CONTACT", "librarian@example.org")
        monkeypatch.setenv("SUBCLUST_URL_OAI_PMH", live.url)
        words = ("harvest", "oai-pmh", "--library", "mine", "--max", "20")
        id_ = json.loads(run(*words, "--queue", "--json")[1])["job"]
        assert not live.asked
        assert run(*words, "--job", id_)[0] == 0
    store = JobStore(settings.jobs_dir)
    assert store.load(id_).argv == words
    assert store.load(id_).outcome == "finished"
    lines = (store.path(id_) / "progress.jsonl").read_text().splitlines()
    assert [json.loads(line) | {"eta": None} for line in lines] == [
        {"step": 10, "total": 60, "eta": None},
        {"step": 20, "total": 60, "eta": None},
    ]
