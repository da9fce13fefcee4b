"""The same calls as in a notebook, to a server."""

import httpx2
import pytest
from raising import raises

import subclust
from subclust.api.remote import Server, connect
from subclust.core.exceptions import ClusterError, InputError, SubclustError


@pytest.fixture
def server(client):
    return Server(client)


@pytest.fixture
def answer(server):
    return server.open_library("small").search("sugar tax", 3, "tfidf")


def test_an_answer_is_that_of_the_library_itself(server, answer, settings):
    there = subclust.open_library("small", settings=settings).search("sugar tax", 3, "tfidf")
    assert answer.names == there.names and len(answer) == len(there) == 24
    assert answer.labels.tolist() == there.labels.tolist()
    columns = ["group", "name", "title", "text", "id", "rank"]
    assert answer.to_frame()[columns].equals(there.to_frame()[columns])
    assert answer._repr_html_().count("<svg") == 1


def test_libraries_are_listed_page_by_page_and_opened(server):
    [library] = server.libraries()
    assert (library.name, len(library), library.collections) == ("small", 24, {"unknown": 24})
    with pytest.raises(SubclustError, match="nothing-there"):
        server.open_library("nothing-there")


def test_what_follows_an_answer_is_asked_of_the_server(server, answer, tmp_path):
    other = answer.regroup("army and cannon", n_clusters=2)
    assert other.n_clusters == 2 and other.what_changed and len(other) == 24
    assert answer.regroup(n_clusters=3).n_clusters == 3
    assert other.regroup(n_clusters=3).subtopics.query.text == "army and cannon"
    assert answer.explain("tax1760")["id"] == "tax1760"
    assert answer.save("Tea")["name"] == "Tea"
    assert isinstance(answer.ways(), list)
    assert answer.export(tmp_path / "groups.ris").read_text().count("TY  - ") == 24
    with pytest.raises(InputError):
        answer.export(tmp_path / "groups.exe")


def test_a_file_is_imported_and_waited_for(server, client, tmp_path, monkeypatch, idle):
    states = iter(["queued", "running", "finished"])
    ask = Server.ask

    def told(self, method, place, **request):
        response = ask(self, method, place, **request)
        if place.startswith("jobs/"):
            value = {**response.json(), "state": next(states)}
            return httpx2.Response(200, json=value)
        return response

    monkeypatch.setattr(Server, "ask", told)
    monkeypatch.setattr("subclust.api.remote._POLL_SECONDS", 0)
    path = tmp_path / "salt.ris"
    path.write_text("TY  - JOUR\nTI  - Salt\nAB  - Salt was taxed in the town.\nER  - \n")
    [job] = server.import_files(path, "new")
    assert job["state"] == "finished" and job["kind"] == "import"
    with raises(InputError, file=str(tmp_path / "none.ris")):
        server.import_files([tmp_path / "none.ris"], "new")


@pytest.mark.parametrize("state", ["failed", "cancelled", "lost", "paused"])
def test_a_job_that_came_to_nothing_is_told(server, monkeypatch, state):
    response = httpx2.Response(200, json={"state": state, "error": None})
    monkeypatch.setattr(Server, "ask", lambda *_arguments: response)
    with raises(SubclustError, job="one", state=state):
        server.wait_for("one")


def test_the_error_of_a_job_is_told_as_it_is(server, monkeypatch):
    told = "{title} is no field; {0} neither."
    response = httpx2.Response(200, json={"state": "failed", "error": told})
    monkeypatch.setattr(Server, "ask", lambda *_arguments: response)
    with pytest.raises(SubclustError) as caught:
        server.wait_for("one")
    assert caught.value.sentence == told


def test_what_is_no_server_of_ours_is_told(monkeypatch):
    with raises(ClusterError, error="ConnectError"):
        connect("http://localhost:9")
    with raises(InputError, url="localhost"):
        connect("localhost")
    asked = httpx2.Request("GET", "http://localhost")
    for status in (200, 404):
        page = httpx2.Response(status, html="<html>", request=asked)
        monkeypatch.setattr(httpx2.Client, "request", lambda *_, page=page, **__: page)
        with raises(ClusterError, status=status):
            connect("http://localhost")
    there = httpx2.Response(200, json={"methods": []}, request=asked)
    monkeypatch.setattr(httpx2.Client, "request", lambda *_, **__: there)
    assert connect("http://localhost/").client.base_url == "http://localhost/api/v1/"
