"""The API while disk or memory fails: a problem with a sentence, in the language asked for."""

import errno

import pytest
from disk_faults import READS, failing
from starlette.testclient import TestClient

from subclust.core.storage import presence
from subclust.rest.engine import Engine

GERMAN = {"Accept-Language": "de"}


@pytest.fixture
def quiet(client):
    """Ask as a browser does, which gets an answer instead of an exception."""
    return TestClient(client.app, base_url=client.base_url, raise_server_exceptions=False)


@pytest.fixture
def watched(settings, library):
    (settings.data_dir / presence.VERSION_FILE).write_text("{}")
    presence.watch(settings.data_dir)
    yield settings.data_dir
    presence.watch(None)


def told(answer, status):
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert problem["status"] == status and "Traceback" not in answer.text
    return problem["detail"]


@pytest.mark.parametrize(
    ("body", "kind", "named"),
    [
        ("query=war", "application/x-www-form-urlencoded", "Content-Type: application/json"),
        ("[]", "application/json", "Content-Type: application/json"),
        ("{war", "application/json", "JSON"),
        ("{}", "application/json", "query"),
        ('{"query": "war", "hits": 3}', "application/json", "hits"),
        ('{"query": 5}', "application/json", "query"),
    ],
)
def test_a_body_that_is_none_is_told_in_a_sentence(client, body, kind, named):
    english, german = (
        told(client.post("/search", content=body, headers={"Content-Type": kind} | more), 422)
        for more in ({}, GERMAN)
    )
    assert named in english and named in german and english[0].isalpha()
    assert (english != german) is (body != '{"query": 5}')  # pydantic's own words


FAULTS = [
    (MemoryError(), 503),
    (RuntimeError("DefaultCPUAllocator: can't allocate memory"), 503),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), 503),
    *((OSError(number, "no"), 507) for number in READS.values()),
    (RuntimeError("Unable to read (os error 116)"), 507),
]


@pytest.mark.parametrize(("error", "status"), FAULTS, ids=str)
def test_a_search_that_fails_of_disk_or_memory_is_told_and_the_next_is_answered(
    quiet, monkeypatch, error, status
):
    def fail(*_, **__):
        raise error

    asked = {"library": "small", "query": "stamp duty", "method": "tfidf"}
    with monkeypatch.context() as patch:
        patch.setattr(Engine, "pipelines", fail)
        english, german = (
            told(quiet.post("/search", json=asked, headers=headers), status)
            for headers in ({}, GERMAN)
        )
    assert english != german
    assert quiet.post("/search", json=asked).status_code == 200


@pytest.mark.parametrize("error", [OSError("odd"), RuntimeError("a mistake of the program")])
def test_the_programs_own_mistakes_stay_mistakes(client, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Engine, "pipelines", fail)
    with pytest.raises(type(error)):
        client.post("/search", json={"library": "small", "query": "tax", "method": "tfidf"})


@pytest.mark.parametrize("number", READS.values(), ids=READS)
@pytest.mark.parametrize("step", ["read", "list"])
def test_lists_that_cannot_be_read_are_no_mistake_of_the_program(quiet, settings, number, step):
    for address in ("/libraries", "/sessions", "/sets", "/jobs", "/models"):
        with failing(settings.data_dir, number, step):
            answer = quiet.get(address)
        assert answer.status_code in (200, 507), (address, answer.text)
        assert quiet.get(address).status_code == 200


def test_a_data_folder_that_is_gone_is_told_and_all_is_there_when_it_is_back(quiet, watched):
    before = quiet.get("/libraries").json()
    assert [one["name"] for one in before["libraries"]] == ["small"]
    aside = watched.rename(watched.with_name("unmounted"))
    watched.mkdir()
    assert str(watched) in told(quiet.get("/libraries"), 507)
    assert list(watched.iterdir()) == []
    watched.rmdir()
    aside.rename(watched)
    assert quiet.get("/libraries").json() == before
