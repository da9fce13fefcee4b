import json
import re
from dataclasses import replace

import pytest
from live_catalogues import oai_pmh
from live_server import Reply, served
from live_shapes import arxiv, records
from raising import numbers

from subclust.jobs import JobStore
from subclust.text.library import PassageLibrary
from subclust.text.sources.live import LIVE


@pytest.fixture
def server(monkeypatch):
    """Switch on three sources that lead to a server of this machine, which needs no pauses."""
    with served(arxiv(records(12))) as live:
        for name in ("arxiv", "oai-pmh"):
            monkeypatch.setitem(LIVE, name, replace(LIVE[name], pause=0.0))
        monkeypatch.setenv("SUBCLUST_LIVE", "arxiv oai-pmh sru")
        monkeypatch.setenv("SUBCLUST_OFFLINE", "0")
        monkeypatch.setenv("SUBCLUST_CONTACT", "librarian@example.org")
        monkeypatch.setenv("SUBCLUST_URL_ARXIV", live.url)
        monkeypatch.setenv("SUBCLUST_URL_OAI_PMH", live.url)
        yield live


def test_sources_are_listed_and_nobody_is_asked(run, settings, server):
    status, said, _ = run("sources", "list", "--json")
    assert status == 0
    rows = {row["name"]: row for row in json.loads(said)["live"]}
    assert [name for name, row in rows.items() if row["on"]] == ["arxiv", "oai-pmh"]
    assert "put openalex into SUBCLUST_LIVE" in rows["openalex"]["why_off"]
    assert "SUBCLUST_URL_SRU" in rows["sru"]["why_off"]
    assert rows["arxiv"]["contact"] == "librarian@example.org"
    status, said, _ = run("sources")
    assert re.search(r"^arxiv +on ", said, re.MULTILINE)
    assert not server.asked


def test_a_search_that_is_off_is_one_sentence(run, settings):
    status, said, told = run("search-live", "maps", "--source", "arxiv")
    assert (status, said) == (1, "")
    assert {"source": "arXiv", "name": "arxiv", "variable": "ARXIV"}.items() <= told.values.items()
    status, _, told = run("harvest", "oai-pmh", "--library", "mine")
    assert status == 1
    assert {"name": "oai-pmh", "variable": "OAI_PMH"}.items() <= told.values.items()


def test_hits_are_printed_and_kept(run, settings, server):
    status, said, _ = run("search-live", "passages", "--source", "arxiv", "--top-k", 5)
    assert status == 0
    assert numbers(said)[:3] == ["5", "12", "1"]
    status, said, _ = run(
        "search-live", "passages", "--source", "arxiv", "--top-k", 5, "--keep", "mine", "--json"
    )
    assert len(server.asked) == 1  # the same question within a day
    found = json.loads(said)
    assert found["from_cache"]
    assert found["total"] == 12
    assert [hit["rank"] for hit in found["hits"]] == [1, 2, 3, 4, 5]
    assert found["kept"] == {
        "library": "mine",
        "collection": "arXiv: passages",
        "n_read": 5,
        "n_imported": 5,
        "n_unchanged": 0,
        "n_merged": 0,
        "n_refused": 0,
        "n_passages": 5,
    }
    library = PassageLibrary.open(settings.library_dir, "mine")
    assert library.collections() == {"arXiv: passages": 5}
    status, said, _ = run("search-live", "passages", "--source", "arxiv", "--top-k", 5)
    assert "answered" in said.splitlines()[0]
    run("search-live", "passages", "--source", "arxiv", "--top-k", 5, "--fresh")
    assert len(server.asked) == 2


def test_a_harvest_is_reported_and_listed(run, settings, server):
    server.service = oai_pmh(records(45), page_size=40)
    words = ("harvest", "oai-pmh", "--library", "mine", "--collection", "theses")
    status, said, told = run(*words, "--max", 40)
    assert status == 0
    assert numbers(said)[:4] == ["40", "38", "2", "1"]
    status, said, _ = run(*words, "--resume", "--json")
    report = json.loads(said)
    assert (report["n_read"], report["n_imported"], report["finished"]) == (45, 43, True)
    status, said, _ = run("sources", "harvests", "--json")
    (row,) = json.loads(said)["harvests"]
    assert (row["library"], row["finished"], row["n_pages"]) == ("mine", True, 2)
    assert run("sources", "harvests")[1].startswith("oai-pmh      theses\n")


def test_wrong_words_are_told_without_a_request(run, settings, server):
    assert run("search-live", "x", "--source", "oai-pmh")[0] == 2
    assert run("harvest", "google", "--library", "mine")[0] == 2
    status, _, told = run("harvest", "oai-pmh", "--library", "x" * 81)
    assert (status, "81" in told) == (1, True)
    status, _, told = run("search-live", " ", "--source", "arxiv")
    assert (status, told.values["source"]) == (1, "arXiv")
    assert not server.asked


def test_a_service_that_refuses_is_one_sentence(run, settings, server):
    server.service = lambda asked: Reply(b"<p>Not you.</p>", 403)
    status, said, told = run("search-live", "maps", "--source", "arxiv")
    assert (status, said) == (1, "")
    assert {"label": "arXiv", "status": 403}.items() <= told.values.items()


@pytest.mark.app  # waits for processes
def test_a_queued_harvest_keeps_the_record_of_its_job(run, settings, idle, monkeypatch):
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
