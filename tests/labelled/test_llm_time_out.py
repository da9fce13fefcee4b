"""The time-out of a language model's answer, whatever part of it is slow."""

import socket
import threading
import time
from contextlib import suppress

import pytest
from raising import raises

from subclust.core.exceptions import EndpointError
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.labelled.llm import ChatEndpoint, LLMLabeller, label_file

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


def ask(server, timeout=0.4):
    """Ask twice, and give what was told and the seconds that it took."""
    endpoint = ChatEndpoint(
        server.url, "small-1", timeout=timeout, n_retries=1, sleep=lambda _: None
    )
    started = time.monotonic()
    with pytest.raises(EndpointError) as caught:
        endpoint.ask("?")
    return str(caught.value), time.monotonic() - started


TOLD = "did not answer within 0.4 seconds, asked 2 times"


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
    endpoint = ChatEndpoint(server.url, "small-1", timeout=0.3, n_retries=0)
    texts = tuple(Passage(str(number), text) for number, text in enumerate(["red pen", "red ink"]))
    subsets = [ClusteringInstance(Query("list"), texts)]
    with raises(EndpointError, n_retries=1):
        label_file(subsets, LLMLabeller(endpoint), tmp_path / "a.jsonl.gz")
