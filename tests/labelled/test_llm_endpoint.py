import socket
import threading
import time
from contextlib import suppress

import pytest
from raising import raises
from stub_model import StubModel, chat, grouped

from subclust.core.exceptions import EndpointError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.llm import ChatAnswer, ChatEndpoint, LLMLabeller, label_file


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def endpoint(stub, pauses):
    return ChatEndpoint(stub.url, "small-1", "secret", 5.0, 2, pauses.append)


def test_a_good_answer_and_what_was_asked(stub, endpoint):
    stub.script = ["Glue:\n- a"]
    assert endpoint.ask("Cluster these.") == ChatAnswer("Glue:\n- a", 30, 20)
    ((path, headers, body),) = stub.requests
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer secret"
    assert body["model"] == "small-1" and body["temperature"] == 0
    assert body["messages"] == [{"role": "user", "content": "Cluster these."}]


def test_without_a_key_none_is_sent_and_it_is_never_shown(stub, endpoint):
    ChatEndpoint(stub.url, "small-1").ask("?")
    assert "Authorization" not in stub.requests[0][1]
    assert "secret" not in repr(endpoint)


def test_a_partial_answer_is_marked_and_an_empty_one_is_empty(stub, endpoint):
    stub.script = [
        chat("Glue:", finish_reason="length"),
        chat(None),
        b'{"choices": [{"message": {}}]}',
    ]
    assert endpoint.ask("?").cut
    assert endpoint.ask("?").text == ""
    assert endpoint.ask("?") == ChatAnswer("")


@pytest.mark.parametrize(
    "bad", [503, 429, 500, b"<html>", b"{}", b'{"choices": []}', b"[]", b"\xff"]
)
def test_what_may_go_better_is_asked_again(stub, endpoint, pauses, bad):
    stub.script = [bad, bad, "Well."]
    assert endpoint.ask("?").text == "Well."
    assert len(stub.requests) == 3 and pauses == [1.0, 2.0]


def test_a_busy_model_says_how_long_to_wait(stub, endpoint, pauses):
    stub.script = [(429, {"Retry-After": "7"}), (429, {"Retry-After": "9000"}), "Well."]
    assert endpoint.ask("?").text == "Well."
    assert pauses == [7.0, 60.0]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (503, "(status 503), asked 3 times"),
        (b"<html>", "the OpenAI API, asked 3 times"),
    ],
)
def test_in_the_end_it_gives_up_in_one_sentence(stub, endpoint, bad, told):
    stub.script = [bad]
    with pytest.raises(EndpointError) as caught:
        endpoint.ask("?")
    assert told in str(caught.value) and "\n" not in str(caught.value)
    assert len(stub.requests) == 3


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "SUBCLUST_LLM_KEY"),
        (403, "use the model"),
        (404, "SUBCLUST_LLM_MODEL"),
        (400, "URL"),
    ],
)
def test_a_refusal_is_told_at_once(stub, endpoint, pauses, status, advice):
    stub.script = [status]
    with raises(EndpointError, status=status, reason="no such thing") as caught:
        endpoint.ask("?")
    assert advice in str(caught.value) and len(stub.requests) == 1 and not pauses


@pytest.mark.parametrize("slow", ["hang", "trickle"])
def test_a_hanging_answer_ends_with_the_time_out(stub, pauses, slow):
    # One that sends a byte now and then would keep the socket's own time-out from ever passing.
    stub.script = [slow]
    endpoint = ChatEndpoint(stub.url, "small-1", timeout=0.2, n_retries=1, sleep=pauses.append)
    started = time.monotonic()
    with raises(EndpointError, n_retries=2):
        endpoint.ask("?")
    assert time.monotonic() - started < 10


def test_an_answer_that_breaks_off_is_asked_for_again(stub, endpoint):
    stub.script = [(200, {"Content-Length": "500"}), "Well."]
    assert endpoint.ask("?").text == "Well."


def test_nobody_there(pauses):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    endpoint = ChatEndpoint(f"http://127.0.0.1:{port}/v1", "m", n_retries=1, sleep=pauses.append)
    with raises(EndpointError, n_retries=2):
        endpoint.ask("?")
    assert pauses == [1.0]


def test_texts_and_key_follow_nobody_elsewhere(stub, endpoint):
    other = StubModel()
    try:
        stub.script = [(307, {"Location": f"{other.url}/chat/completions"})]
        with raises(EndpointError, status=307):
            endpoint.ask("?")
        assert other.requests == []
    finally:
        other.close()


def test_a_flood_is_no_answer(stub, endpoint, monkeypatch):
    monkeypatch.setattr("subclust.labelled.llm.endpoint.MOST_BYTES", 1000)
    stub.script = [b" " * 2000]
    with raises(EndpointError, most_bytes=0):
        endpoint.ask("?")


def test_the_stub_groups_by_the_first_word():
    assert grouped("Cluster:\nred pen\nred ink\nblue pen\nEnd.") == (
        "\n**Red things**\n- red pen\n- red ink\n\n**Blue things**\n- blue pen"
    )


HEADERS = b"HTTP/1.1 %d Said\r\nContent-Length: 500\r\n\r\n"


class SlowServer:
    """Reads a question and says some bytes, then others one by one for five seconds."""

    def __init__(self):
        self.at_once, self.slowly = b"", b""
        self.n_asked = 0
        self.stopped = threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}/v1"

    def serve(self):
        with suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                self.n_asked += 1
                threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection, suppress(OSError):
            asked = b""
            while b"messages" not in asked:
                asked += connection.recv(1 << 16)
            connection.sendall(self.at_once)
            for byte in self.slowly:
                connection.sendall(bytes([byte]))
                if self.stopped.wait(0.05):
                    return
            self.stopped.wait(5)

    def close(self):
        self.stopped.set()
        self.socket.close()


@pytest.fixture
def server():
    slow = SlowServer()
    yield slow
    slow.close()


def ask(server, timeout=0.2):
    """Ask twice, and give what was told and the seconds that it took."""
    endpoint = ChatEndpoint(
        server.url, "small-1", timeout=timeout, n_retries=1, sleep=lambda _: None
    )
    started = time.monotonic()
    with pytest.raises(EndpointError) as caught:
        endpoint.ask("?")
    return str(caught.value), time.monotonic() - started


TOLD = "did not answer within 0.2 seconds, asked 2 times"


@pytest.mark.parametrize("status", [401, 429, 500, 503])
@pytest.mark.parametrize("slowly", [b"", b"x" * 100], ids=["hangs", "trickles"])
def test_an_error_that_says_no_more_is_asked_again(server, status, slowly):
    server.at_once, server.slowly = HEADERS % status, slowly
    told, seconds = ask(server)
    assert TOLD in told and server.n_asked == 2 and seconds < 3


@pytest.mark.parametrize("status", [200, 500])
def test_headers_that_come_byte_by_byte_are_not_waited_for(server, status):
    server.slowly = HEADERS % status + b" " * 100
    told, seconds = ask(server)
    assert TOLD in told and server.n_asked == 2 and seconds < 3


def test_nothing_goes_on_after_the_time_out(server):
    server.slowly = b"HTTP/1.1 200 OK\r\nSlow: " + b"x" * 100
    ask(server)
    until = time.monotonic() + 3
    while any(one.name == "language model" for one in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_name_that_is_not_found_is_not_waited_for(server, monkeypatch):
    look_up = socket.getaddrinfo

    def slow_look_up(*words, **more):
        server.stopped.wait(4)
        return look_up(*words, **more)

    monkeypatch.setattr(socket, "getaddrinfo", slow_look_up)
    told, seconds = ask(server)
    assert TOLD in told and seconds < 3
    # The look-ups end before the test does, and find that nobody waits for them.
    server.stopped.set()


def test_a_file_is_not_said_to_be_unwritable_when_the_model_hangs(server, tmp_path):
    server.at_once = HEADERS % 500
    endpoint = ChatEndpoint(server.url, "small-1", timeout=0.2, n_retries=0)
    texts = tuple(Passage(str(number), text) for number, text in enumerate(["red pen", "red ink"]))
    subsets = [ClusteringInstance(Query("list"), texts)]
    with raises(EndpointError, n_retries=1):
        label_file(subsets, LLMLabeller(endpoint), tmp_path / "a.jsonl.gz")
