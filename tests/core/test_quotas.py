"""What each role may have, and how often somebody may ask."""

import io
import json
from dataclasses import replace

import anyio
import pytest
from queue_helpers import Nobody
from raising import raises

from subclust.core import quotas
from subclust.core.access import Person, Role, acting_as
from subclust.core.accounts import read_accounts
from subclust.core.exceptions import QuotaError, SettingsError
from subclust.core.quotas import Quota, quota, working_under
from subclust.core.rates import Buckets, RateLimit, bearer_or_address
from subclust.core.records import Passage, Query
from subclust.jobs import JobQueue, JobStore
from subclust.labelled.sets import LabelledSetStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.uploads import receive_file
from subclust.text.library import PassageLibrary
from subclust.text.retrieval import Retriever
from subclust.text.sources.base import Document

HEADER = '[header]\nname = "X-User"\nproxies = []\n'
CLEO, ROB = Person("cleo", Role.CURATOR), Person("rob", Role.CURATOR)


@pytest.fixture
def limited(monkeypatch):
    bounds = {Role.CURATOR: Quota(upload_mb=1, passages=3, trainings=2, hits=50)}
    monkeypatch.setattr(quotas, "_quotas", bounds)


def test_quotas_are_read_and_only_roles_have_some(tmp_path):
    file = tmp_path / "accounts.toml"
    file.write_text(HEADER + "[quotas.reader]\nhits = 100\n[quotas.curator]\nupload_mb = 20\n")
    assert read_accounts(file).quotas == {"reader": Quota(hits=100), "curator": Quota(upload_mb=20)}
    for wrong in ("[quotas.nobody]\nhits = 1", "[quotas.reader]\nhits = -1", "quotas = 3"):
        file.write_text(f"{wrong}\n{HEADER}" if "=" in wrong[:9] else f"{HEADER}{wrong}\n")
        with raises(SettingsError, file=str(file)):
            read_accounts(file)


def test_whoever_is_at_the_computer_has_no_quota(limited):
    assert quota() == Quota()
    with acting_as(Person("ada", Role.ADMINISTRATOR)):
        assert quota() == Quota()


def test_no_larger_file_is_taken_whether_its_size_is_known_or_not(limited, tmp_path):
    content = b"id,text\n" + b"1,ants\n" * 200_000
    sets = LabelledSetStore(tmp_path / "sets")
    with acting_as(CLEO):
        for n_bytes in (None, len(content)):
            for receive in (lambda *g, **k: receive_file(tmp_path / "up", *g, **k), sets.receive):
                with raises(QuotaError, most=1):
                    receive(io.BytesIO(content), "a.csv", n_bytes=n_bytes)
        receive_file(tmp_path / "up", io.BytesIO(content[:100]), "a.csv")
    receive_file(tmp_path / "up", io.BytesIO(content), "a.csv")


def documents(*ids):
    return [Document(id_, "Ants", (Passage(id_, f"Ants march {id_}."),)) for id_ in ids]


def test_no_library_grows_beyond_it_and_what_is_there_counts_once(limited, tmp_path):
    encoder = HashingEncoder(16)
    with acting_as(CLEO):
        ingest(documents("a", "b", "c"), encoder, tmp_path, "ants")
        ingest(documents("a", "c"), encoder, tmp_path, "ants")  # they are there
        with raises(QuotaError, most=3):
            ingest(documents("d"), encoder, tmp_path, "ants")
    assert PassageLibrary.open(tmp_path, "ants").count() == 3
    with working_under(Quota(passages=3)), raises(QuotaError, most=3):  # as a job of theirs
        ingest(documents("d"), encoder, tmp_path, "ants")
    ingest(documents("d"), encoder, tmp_path, "ants")


def test_no_more_hits_are_searched(limited, tmp_path):
    encoder = HashingEncoder(16)
    ingest(documents("a", "b"), encoder, tmp_path, "ants")
    retriever = Retriever(PassageLibrary.open(tmp_path, "ants"), encoder)
    with acting_as(CLEO):
        assert len(retriever.search(Query("ants"), 50).hits) == 2
        with raises(QuotaError, most=50):
            retriever.search(Query("ants"), 51)


def submit(queue, owner, name):
    with acting_as(owner):
        return queue.submit(
            ("train", "qs3m", "--name", name), title=f"qs3m/{name}", device="cpu"
        ).id


def test_no_more_trainings_wait_at_once_than_a_person_may_have(limited, tmp_path):
    store = JobStore(tmp_path)
    queue = JobQueue(store, Nobody())
    first, _second = submit(queue, CLEO, "a"), submit(queue, CLEO, "b")
    assert store.load(first).most_passages == 3
    with raises(QuotaError, most=2):
        submit(queue, CLEO, "c")
    submit(queue, ROB, "c")
    queue.cancel(first)
    submit(queue, CLEO, "d")


def test_people_take_turns(tmp_path):
    from queue_helpers import PaperLauncher

    store, launcher = JobStore(tmp_path), PaperLauncher()
    queue = JobQueue(store, launcher)
    for name in ("a1", "a2", "a3"):
        submit(queue, CLEO, name)
    for name in ("b1", "b2"):
        submit(queue, ROB, name)
    assert [job.title[-2:] for job in queue.waiting()] == ["a1", "b1", "a2", "b2", "a3"]
    order = []
    while queue.waiting():
        (job,) = queue.advance()
        order.append(job.title[-2:])
        store.update(job.id, lambda now: replace(now, started=float(len(order))))
        launcher.ends(store, job.id)
    assert order == ["a1", "b1", "a2", "b2", "a3"]


def test_a_bucket_fills_again_with_time():
    now = [0.0]
    buckets = Buckets(per_minute=60, burst=3, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 1]
    assert buckets.take("b") == 0
    now[0] = 0.5
    assert buckets.take("a") == 0.5
    now[0] = 1.0
    assert buckets.take("a") == 0
    now[0] = 1000.0
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 1]


def test_many_keys_take_no_more_memory(monkeypatch):
    buckets = Buckets(60, 3)
    for number in range(20_001):
        buckets.take(str(number))
    assert len(buckets._known) == 10_000


def asked(app, path="/api", client="10.0.0.1", kind="http", headers=()):
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    scope = {"type": kind, "path": path, "client": (client, 1), "headers": list(headers)}
    anyio.run(app, scope, receive, send)
    return sent


async def answers(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})


def test_who_asks_too_often_is_told_when_to_come_back():
    app = RateLimit(answers, per_minute=6, burst=2, applies=lambda path: path != "/free")
    assert [asked(app)[0]["status"] for _ in range(3)] == [204, 204, 429]
    start, body = asked(app)
    assert dict(start["headers"])[b"retry-after"] == b"10"
    assert json.loads(body["body"])["status"] == 429
    german = asked(app, headers=[(b"accept-language", b"de-AT,en;q=0.5")])[1]
    assert json.loads(german["body"])["detail"] != json.loads(body["body"])["detail"]
    assert asked(app, client="10.0.0.2")[0]["status"] == 204
    assert asked(app, path="/free")[0]["status"] == 204
    assert asked(app, kind="websocket")[0]["status"] == 204


def test_tokens_are_told_apart_and_kept_nowhere():
    app = RateLimit(answers, per_minute=6, burst=1, key=bearer_or_address)
    for token in (b"Bearer one", b"Bearer two"):
        headers = [(b"authorization", token)]
        assert [asked(app, headers=headers)[0]["status"] for _ in range(2)] == [204, 429]
    assert not any("one" in key for key in app.buckets._known)
