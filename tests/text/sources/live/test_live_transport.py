import asyncio
import gzip
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from unittest.mock import ANY

import pytest
from live_machine import Clock
from live_server import HTML, Reply, served
from raising import raises

from subclust.core.exceptions import LiveSourceError
from subclust.core.live import LiveAccess
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.fetching import Limits
from subclust.text.sources.live.transport import AnswerCache, RefusedError, Transport

FINE = Reply(b'{"fine": true}')
QUICK = Limits(connect=1.0, silence=0.3, seconds=0.4, n_bytes=10_000, n_retries=2, patience=60.0)


@pytest.fixture
def server():
    with served(lambda asked: FINE) as live:
        yield live


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def transport(tmp_path, server, clock):
    return make(tmp_path, server, clock)


def make(tmp_path, server, clock, name="openalex", cache_hours=0.0, limits=QUICK):
    access = LiveAccess(name, "librarian@example.org", "k-123", (server.url,))
    return Transport(
        LIVE[name],
        access,
        tmp_path / "live",
        limits=limits,
        cache_hours=cache_hours,
        sleep=clock.sleep,
        clock=clock,
    )


def ask(transport, understand=json.loads, **options):
    url = transport.access.urls[0] + "/works"
    return transport.ask(url, {"q": "sparse retrieval"}, understand, **options)


def test_who_asks_is_said_and_how_to_write_to_them(transport, server):
    answer = ask(transport, secrets={"api_key": "k-123"}, headers={"X-More": "1"})
    assert answer.value == {"fine": True}
    assert not answer.from_cache
    asked = server.asked[0]
    assert asked.path == "/works"
    assert asked.query == {"q": "sparse retrieval", "api_key": "k-123"}
    assert asked.headers["user-agent"].startswith("Subclust/")
    assert asked.headers["user-agent"].endswith("(mailto:librarian@example.org)")
    assert asked.headers["x-more"] == "1"


def test_it_can_be_asked_from_within_an_event_loop(transport):
    async def in_a_notebook():
        return ask(transport)

    # In a thread of its own, since browser tests leave a loop running in this one.
    with ThreadPoolExecutor(max_workers=1) as thread:
        answer = thread.submit(lambda: asyncio.run(in_a_notebook())).result()
    assert answer.value == {"fine": True}


@pytest.mark.parametrize(
    "trouble",
    [
        Reply(b"busy", 503),
        Reply(b"oops", 500),
        Reply(b"slow down", 429),
        HTML,
        Reply(b""),
        Reply(b'{"fine": true}', how="cut"),
        Reply(how="close"),
        Reply(how="hang"),
        Reply(b"[" * 5000, how="drip"),
        Reply(how="drip-headers"),
    ],
    ids=["503", "500", "429", "html", "empty", "cut", "closed", "hang", "drip", "drip-headers"],
)
def test_what_may_pass_is_asked_again_and_told_if_it_does_not(transport, server, clock, trouble):
    server.answers(trouble)
    assert ask(transport).value == {"fine": True}
    assert len(server.asked) == 2
    assert 0.7 < clock.slept[0] < 1.3

    server.answers(*[trouble] * 3)
    started = time.monotonic()
    with raises(LiveSourceError, label="OpenAlex", n_retries=3) as told:
        ask(transport)
    assert time.monotonic() - started < 5
    assert str(told.value).count(".") < 12  # one sentence, and an address in it
    assert len(server.asked) == 5


def test_each_wait_is_about_twice_the_one_before(transport, server, clock):
    server.answers(*[Reply(status=503)] * 2)
    ask(transport)
    first, second = clock.slept
    assert 0.75 <= first <= 1.25
    assert 1.5 <= second <= 2.5


def test_a_wish_to_be_left_alone_is_heeded(transport, server, clock):
    server.answers(Reply(status=429, headers={"Retry-After": "17"}))
    ask(transport)
    assert clock.slept == [17.0]


def test_a_wish_may_be_a_moment(transport, server, clock):
    server.answers(Reply(status=503, headers={"Retry-After": formatdate(clock.now + 40)}))
    ask(transport)
    assert 38 <= clock.slept[0] <= 41


@pytest.mark.parametrize("nonsense", ["soon", "-5", "9" * 400, "Thu, 99 Foo 2020"])
def test_a_wish_that_cannot_be_read_is_none(transport, server, clock, nonsense):
    server.answers(Reply(status=503, headers={"Retry-After": nonsense}))
    try:
        ask(transport)
    except LiveSourceError as error:
        assert "a pause" in str(error)  # a year, for the digits
    else:
        assert clock.slept[0] < 2


def test_a_long_wish_is_told_and_kept_to_by_the_next_who_asks(tmp_path, server, clock):
    server.answers(Reply(b'{"message": "Daily limit"}', 429, {"Retry-After": "7200"}))
    with raises(LiveSourceError, count=2, label="OpenAlex"):
        ask(make(tmp_path, server, clock))
    with raises(LiveSourceError, count=2, label="OpenAlex"):
        ask(make(tmp_path, server, clock))
    assert len(server.asked) == 1
    clock.now += 7201
    assert ask(make(tmp_path, server, clock)).value == {"fine": True}


def test_a_refused_key_is_told_without_the_key(transport, server):
    server.answers(Reply(b'{"error": "Unauthorized", "message": "k-123 is not valid"}', 401))
    with raises(RefusedError, label="OpenAlex", status=401, variable="OPENALEX") as told:
        ask(transport)
    assert "SUBCLUST_KEY_OPENALEX" in str(told.value)
    assert "k-123" not in str(told.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(b'{"message": "Unknown filter: x."}', 400), ": Unknown filter: x"),
        (Reply(b"<html><head><style>p{}</style></head><p>No &amp; no</p>", 404), ": No & no"),
        (Reply(b'{"errors": [{"detail": "bad"}]}', 422), ": bad"),
        (Reply(b"", 414), ""),
        (Reply(b"x" * 900, 400), ANY),
    ],
)
def test_what_a_service_says_for_people_is_told(transport, server, reply, reason):
    server.answers(reply)
    with raises(RefusedError, status=reply.status, reason=reason):
        ask(transport)
    assert len(server.asked) == 1


def test_too_much_is_not_read(transport, server):
    server.answers(Reply(b"x" * 20_000), Reply(gzip.compress(b"x" * 9_000_000), 200))
    with raises(LiveSourceError, source="OpenAlex"):
        ask(transport)
    packed = Reply(gzip.compress(b"x" * 9_000_000), headers={"Content-Encoding": "gzip"})
    server.script.clear()
    server.answers(packed)
    with raises(LiveSourceError, source="OpenAlex"):
        ask(transport)


def test_nobody_there(tmp_path, clock):
    with served() as gone:
        transport = make(tmp_path, gone, clock)
    with raises(LiveSourceError, label="OpenAlex", n_retries=3):
        ask(transport)


def test_only_the_same_host_is_followed(transport, server):
    with served(lambda asked: FINE) as other:
        server.answers(
            Reply(status=301, headers={"Location": "/moved"}),
            FINE,
            Reply(status=302, headers={"Location": "http://localhost:1/elsewhere"}),
        )
        assert ask(transport).value == {"fine": True}
        assert server.asked[1].path == "/moved"
        with raises(LiveSourceError, label="OpenAlex", scheme="http"):
            ask(transport)
        assert not other.asked
    server.answers(*[Reply(status=301, headers={"Location": "/round"})] * 9)
    with raises(LiveSourceError, source="OpenAlex"):
        ask(transport)


def test_answers_are_kept_for_the_stated_time(tmp_path, server, clock):
    transport = make(tmp_path, server, clock, cache_hours=2.0)
    ask(transport, secrets={"api_key": "k-123"})
    clock.now += 3600
    again = ask(transport)
    assert again.from_cache
    assert clock.now - again.asked_at == pytest.approx(3600, abs=1)
    assert len(server.asked) == 1
    clock.now += 3700
    assert not ask(transport).from_cache
    assert len(server.asked) == 2
    kept = b"".join(file.read_bytes() for file in (tmp_path / "live").rglob("*") if file.is_file())
    assert b"k-123" not in kept


def test_what_is_no_answer_is_not_kept(tmp_path, server, clock):
    transport = make(tmp_path, server, clock, cache_hours=2.0)
    server.answers(HTML)
    ask(transport)
    assert ask(transport).value == {"fine": True}
    file = next((tmp_path / "live" / "answers").rglob("*.answer"))
    file.write_bytes(file.read_bytes()[:-3])  # a disk that lost some
    assert not ask(transport).from_cache


@pytest.mark.parametrize("head", ["100.0 2x", "1oo 2", "100.0 3", "100.0", "100.0 2 2"])
def test_an_answer_with_a_damaged_head_is_none(tmp_path, head):
    cache = AnswerCache(tmp_path, 10.0, clock=lambda: 105.0)
    cache.put("who?", b"ab", 100.0)
    assert cache.get("who?") == (b"ab", 100.0)
    (file,) = tmp_path.iterdir()
    file.write_bytes(f"subclust-live-1 {head}\nab".encode())
    assert cache.get("who?") is None


def test_between_two_requests_there_is_a_pause(tmp_path, server, clock):
    arxiv = make(tmp_path, server, clock, "arxiv")
    for _ in range(3):
        ask(arxiv)
    assert clock.slept == [3.0, 3.0]
    clock.now += 2
    ask(make(tmp_path, server, clock, "arxiv"))  # another process of ours
    assert clock.slept[2:] == [1.0]


def test_a_clock_that_was_set_back_stops_nobody(tmp_path, server, clock):
    ask(make(tmp_path, server, clock))
    clock.now -= 10 * 24 * 3600
    ask(make(tmp_path, server, clock))
    assert clock.slept == []


def test_a_service_is_asked_one_thing_at_a_time(tmp_path, server):
    def slow(asked):
        time.sleep(0.05)
        return FINE

    server.service = slow
    clock = Clock()
    many = [threading.Thread(target=ask, args=(make(tmp_path, server, clock),)) for _ in range(5)]
    for one in many:
        one.start()
    for one in many:
        one.join()
    assert len(server.asked) == 5
    assert server.most_at_once == 1
