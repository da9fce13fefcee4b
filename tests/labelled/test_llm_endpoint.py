import socket
import time

import pytest
from raising import raises
from stub_model import StubModel, chat, grouped

from subclust.core.exceptions import EndpointError
from subclust.labelled.llm import ChatAnswer, ChatEndpoint


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
    endpoint = ChatEndpoint(stub.url, "small-1", timeout=0.3, n_retries=1, sleep=pauses.append)
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
