"""What addresses do: pages of lists, files in and out, jobs, and what is refused."""

import io
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from small_sets import labelled
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from subclust.cli import main
from subclust.core.records import Passage
from subclust.deleting.removal import bin_of
from subclust.jobs import JobStore
from subclust.rest.application import PREFIX, BodyLimit, application
from subclust.text.encoders import load_encoder

SEARCH = {"query": "sugar tax", "library": "small", "method": "tfidf", "n_clusters": 3}


@pytest.fixture
def labelled_set(tmp_path):
    return labelled(tmp_path / "war.jsonl").read_bytes()


def is_problem(answer, status):
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.status_code == told["status"] == status, told
    assert told["title"] and told["detail"].endswith(".") and "Traceback" not in answer.text
    return True


def test_a_list_comes_in_pages(client):
    ids, cursor = [], ""
    while cursor is not None:
        page = client.get("libraries/small/passages", params={"limit": 7, "cursor": cursor}).json()
        assert len(page["passages"]) <= 7 and page["n_passages"] == 24
        ids += [one["id"] for one in page["passages"]]
        cursor = page["next"]
    assert len(ids) == len(set(ids)) == 24 and ids == sorted(ids)


@pytest.mark.parametrize("name", ["csv", "xlsx", "ris", "bib", "csl.json", "json", "html", "svg"])
def test_groups_are_taken_away_as_files(client, name):
    file = client.post("export", json={**SEARCH, "format": name})
    assert file.status_code == 200 and file.content
    assert file.headers["content-disposition"] == f'attachment; filename="groups.{name}"'
    id_ = client.post("sessions", json={"name": "Tea", "search": SEARCH}).json()["id"]
    assert client.get(f"sessions/{id_}/export", params={"format": name}).content
    assert is_problem(client.post("export", json={**SEARCH, "format": "exe"}), 422)


def test_a_file_is_imported_in_the_background(client, settings, idle):
    content = b"TY  - JOUR\nTI  - Salt\nAB  - Salt was taxed in the harbour of the town.\nER  - \n"
    asked = {"filename": "../salt.ris", "collection": "salt"}
    answer = client.post("libraries/Salt works/imports", params=asked, content=content)
    assert answer.status_code == 202, answer.text
    job = answer.json()["job"]
    assert answer.headers["location"] == f"/api/v1/jobs/{job}"
    assert client.get(f"jobs/{job}").json()["state"] == "queued"
    assert list(settings.uploads_dir.iterdir())
    assert main([*JobStore(settings.jobs_dir).load(job).argv, "--job", job]) == 0
    assert not list(settings.uploads_dir.iterdir())
    shown = client.get("libraries/Salt works").json()
    assert shown["n_passages"] == 1 and shown["collections"] == {"salt": 1}
    imported = client.get("libraries/Salt works/imports").json()["imports"]
    assert len(imported) == 1
    place = f"libraries/Salt works/imports/{imported[0]['id']}"
    assert client.delete(place).status_code == 204
    assert is_problem(client.get("libraries/Salt works"), 404)


NAMES = [
    "../../evil.csv", "/etc/evil.csv", "C:\\evil.csv", "..", ".", "a\0b.csv", "\r\nevil.csv",
    "-rf.csv", "x" * 3000 + ".csv", "\u202egnp.csv", "=cmd|'/C calc'!A0.csv", "~/evil.csv",
    "%2e%2e%2fevil.csv",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["libraries/new/imports", "sets"])
def test_a_name_leads_nowhere_and_is_no_option(client, settings, idle, place, name):
    before = {path for path in settings.data_dir.rglob("*") if path.is_file()}
    rows = b"query,title,text,label\n" + b"war,A,Salt was taxed in the harbour,x\n" * 3
    headers = {"Content-Type": "text/html"}  # whatever it says
    answer = client.post(place, params={"filename": name}, content=rows, headers=headers)
    assert answer.status_code < 500
    new = {path for path in settings.data_dir.parent.rglob("*") if path.is_file()} - before
    assert all(path.is_relative_to(settings.data_dir) for path in new)
    assert not any(path.name.startswith(("-", "~", "=")) for path in new)
    for job in JobStore(settings.jobs_dir).jobs():
        (file,) = [word for word in job.argv if word.startswith(str(settings.uploads_dir))]
        assert Path(file).read_bytes() == rows and not set(file) & set("\0\r\n\u202e")


@pytest.mark.parametrize("length", ["10", "999999999999999999999", "-5", "x", None])
@pytest.mark.parametrize("place", ["libraries/new/imports", "sets"])
def test_a_size_that_is_not_true_helps_nobody(client, settings, idle, monkeypatch, place, length):
    for module in ("text.ingest.uploads", "labelled.sets.upload"):
        monkeypatch.setattr(f"subclust.{module}.MOST_BYTES", 100_000)

    def pieces():
        for _ in range(40):
            yield b"title,text\n" + b"a" * 10_000

    headers = {} if length is None else {"Content-Length": length}
    answer = client.post(place, params={"filename": "a.csv"}, content=pieces(), headers=headers)
    assert is_problem(answer, 422)
    left = [*settings.uploads_dir.rglob("*.csv"), *settings.sets_dir.rglob("*.csv")]
    assert left == [] and JobStore(settings.jobs_dir).jobs() == []


def test_a_file_that_stops_coming_is_given_up(settings, library, idle, monkeypatch):  # noqa: F811
    monkeypatch.setattr("subclust.rest.uploads.MOST_SILENCE", 0.2)
    app = Starlette(routes=[Mount(PREFIX, application(settings))])
    sent, given = [], iter([{"type": "http.request", "body": b"title,", "more_body": True}])

    async def receive():
        for message in given:
            return message
        await anyio.sleep_forever()

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": f"{PREFIX}/libraries/new/imports",
        "query_string": b"filename=a.csv", "headers": [], "client": ("127.0.0.1", 1),
    }  # fmt: skip

    async def ask():
        with anyio.fail_after(20):
            await app(scope, receive, send)

    anyio.run(ask)
    assert sent[0]["status"] == 422
    assert list(settings.uploads_dir.rglob("*.csv")) == []


@pytest.mark.parametrize("content", [b"", b"\x00\x01 no list of anything"])
def test_a_file_that_is_no_good_is_refused_and_not_kept(client, settings, idle, content):
    place = "libraries/new/imports"
    assert is_problem(client.post(place, params={"filename": "a.bin"}, content=content), 422)
    assert not settings.uploads_dir.exists() or not list(settings.uploads_dir.iterdir())
    assert is_problem(client.post(place, content=b"x"), 422)


def test_a_labelled_set_is_kept_shown_and_deleted(client, labelled_set):
    kept = client.post(
        "sets", params={"filename": "war.jsonl", "title": "War"}, content=labelled_set
    )
    assert kept.status_code == 201 and kept.json()["added"]
    again = client.post("sets", params={"filename": "war.jsonl"}, content=labelled_set).json()
    assert not again["added"]
    assert client.get("sets/war").json()["n_passages"] == 54
    assert client.delete("sets/war").status_code == 204
    assert is_problem(client.get("sets/war"), 404)
    assert is_problem(
        client.post("sets", params={"filename": "war.csv"}, content=b"query,text\nwar,x\n"), 422
    )


def test_a_training_is_queued_over_a_labelled_set_of_now(client, settings, idle, labelled_set):
    client.post("sets", params={"filename": "war.jsonl"}, content=labelled_set)
    asked = {"method": "qs3m", "name": "ours", "data": ["war"], "set": ["epochs=1"]}
    answer = client.post("trainings", json=asked)
    assert answer.status_code == 202, answer.text
    job = client.get(f"jobs/{answer.json()['job']}").json()
    assert job["argv"][:3] == ["train", "qs3m", "--name=ours"]
    assert "--data=set:war@1" in job["argv"] and job["data"] == {"set": "war", "version": 1}
    assert client.post(f"jobs/{job['id']}/cancel").json()["state"] == "cancelled"
    assert is_problem(client.post("trainings", json=asked), 422)  # it can still be resumed
    assert client.delete(f"jobs/{job['id']}").status_code == 204
    assert is_problem(client.get(f"jobs/{job['id']}"), 404)


@pytest.mark.parametrize(
    "wrong",
    [
        {"data": ["/etc/passwd"]},
        {"data": ["none"]},
        {"recipe": "../../secret.toml"},
        {"recipe": "none.toml"},
        {"method": "tfidf"},
        {"set": ["no_such=1"]},
        {"name": "../x"},
    ],
)
def test_a_training_of_what_is_not_there_is_refused(client, settings, idle, wrong, labelled_set):
    client.post("sets", params={"filename": "war.jsonl"}, content=labelled_set)
    asked = {"method": "qs3m", "name": "ours", "data": ["war"], **wrong}
    answer = client.post("trainings", json=asked)
    assert is_problem(answer, 404 if wrong == {"data": ["none"]} else 422)
    assert client.get("jobs").json()["jobs"] == []


def test_a_library_is_renamed_and_deleted_to_the_bin(client, settings):
    renamed = client.patch("libraries/small", json={"name": "Our colony"}).json()
    assert (renamed["name"], renamed["title"]) == ("small", "Our colony")
    assert client.delete("libraries/Our colony").status_code == 204
    assert is_problem(client.get("libraries/small"), 404)
    assert [one.kind for one in bin_of(settings).entries()] == ["library"]


def test_themes_are_queued_and_found(client, settings, library, idle):  # noqa: F811
    texts = [f"{word} number {row}" for row in range(70) for word in ("salt", "corn", "iron")]
    more = [Passage(f"more{row}", text, title="Colony") for row, text in enumerate(texts)]
    library.add(more, load_encoder(settings).encode(texts))
    asked = {"method": "kmeans", "n_themes": 3, "projection": "pca"}
    answer = client.post("libraries/small/themes", json=asked)
    assert answer.status_code == 202, answer.text
    job, key = answer.json()["job"], answer.json()["themes"]
    assert is_problem(client.get(f"themes/{key}"), 404)
    assert main([*JobStore(settings.jobs_dir).load(job).argv, "--job", job]) == 0
    found = client.get(f"themes/{key}").json()
    assert found["n_themes"] == 3 and sum(one["size"] for one in found["themes"]) == 234
    assert found["themes"][0]["texts"][0]["title"] == "Colony"
    assert client.delete(f"themes/{key}").status_code == 204
    assert is_problem(client.get(f"themes/{key}"), 404)


@pytest.mark.parametrize(
    ("method", "place", "status", "body"),
    [
        ("GET", "nothing", 404, None),
        ("PUT", "search", 405, None),
        ("GET", "libraries/none", 404, None),
        ("GET", "libraries/..%2F..", 404, None),
        ("GET", "sessions/aaaaaaaaaaaa", 404, None),
        ("GET", "jobs/none", 404, None),
        ("GET", "models/qs3m/none", 404, None),
        ("GET", "models/none/none", 422, None),
        ("GET", "libraries?cursor=x", 422, None),
        ("GET", "libraries?limit=0", 422, None),
        ("POST", "search", 422, {}),
        ("POST", "search", 422, {**SEARCH, "query": ""}),
        ("POST", "search", 422, {**SEARCH, "query": "x" * 3000}),
        ("POST", "search", 422, {**SEARCH, "n_clusters": 0}),
        ("POST", "search", 422, {**SEARCH, "n_clusters": -2}),
        ("POST", "search", 422, {**SEARCH, "seed": -1, "projection": "umap"}),
        ("POST", "search", 422, {**SEARCH, "seed": 2**32}),
        ("POST", "search", 422, {**SEARCH, "top_k": 0}),
        ("POST", "search", 422, {**SEARCH, "max_other": 7}),
        ("POST", "search", 422, {**SEARCH, "dig": [99]}),
        ("POST", "search", 422, {**SEARCH, "unknown": 1}),
        ("POST", "search", 422, {**SEARCH, "method": "none"}),
        ("POST", "search", 404, {**SEARCH, "checkpoint": "none", "method": "qs3m"}),
        ("POST", "search", 404, {**SEARCH, "library": "none"}),
        ("POST", "regroup", 422, SEARCH),
        ("POST", "explain", 422, {**SEARCH, "passage_id": "none"}),
        ("POST", "compare", 422, {"query": "tax", "library": "small", "columns": [{}]}),
    ],
)
def test_what_cannot_be_met_is_a_problem_with_a_sentence(client, method, place, status, body):
    assert is_problem(client.request(method, place, json=body), status)


def test_a_problem_is_told_in_the_language_that_is_asked_for(client):
    english = client.get("libraries/none").json()["detail"]
    german = client.get("libraries/none", headers={"Accept-Language": "fr, de-AT;q=0.8"}).json()
    assert german["detail"] != english and "none" in german["detail"]


def test_a_body_that_is_no_json_is_a_problem(client):
    for content in (b"{", b"\xff\xfe", b"[1]", io.BytesIO(b'{"query": NaN}').read()):
        headers = {"Content-Type": "application/json"}
        assert is_problem(client.post("search", content=content, headers=headers), 422)


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 200_000,
        b'{"library": "small", "method": "tfidf", "query": "' + b"x" * 900_000 + b'"}',
    ],
)
def test_a_body_that_is_deep_or_long_is_a_problem(client, content):
    answer = client.post("search", content=content, headers={"Content-Type": "application/json"})
    assert is_problem(answer, answer.status_code) and answer.status_code in (400, 422)


def test_a_body_that_would_fill_the_memory_is_refused_while_it_comes_in(client):
    # A library may be called as an address that takes a file ends.
    for method, place in (("POST", "search"), ("PATCH", "libraries/imports"), ("PUT", "sets")):
        assert is_problem(client.request(method, place, content=b" " * (2 << 20)), 413)
    taken, sent = [], []

    async def endless():
        taken.append(1)
        return {"type": "http.request", "body": b" " * 65_536, "more_body": True}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/search", "headers": []}
    anyio.run(BodyLimit(None), scope, endless, send)
    assert sent[0]["status"] == 413 and len(taken) == 17


def test_only_pages_of_sites_that_are_named_may_ask(settings, library):  # noqa: F811
    named = replace(settings, api_origins=("https://catalogue.example",))
    app = Starlette(routes=[Mount(PREFIX, application(named))])
    client = TestClient(app, base_url=f"http://localhost{PREFIX}")
    for origin, allowed in {
        "https://catalogue.example": True,
        "https://evil.example": False,
    }.items():
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        before = client.options("search", headers=asked)
        then = client.get("methods", headers={"Origin": origin})
        for answer in (before, then):
            assert (answer.headers.get("access-control-allow-origin") == origin) is allowed


def test_the_page_that_describes_it_loads_nothing_else(client):
    document = client.get("openapi.json").json()
    page = client.get("docs")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<script" not in page.text and "http://" not in page.text
    for place, methods in document["paths"].items():
        assert place in page.text
        for method, told in methods.items():
            assert told["description"].endswith("."), (method, place)
