"""Lines of the log: one a record, whatever is in it."""

import io
import json
import logging

import pytest

from subclust.core import logs


@pytest.fixture
def written(monkeypatch):
    """Begin a log of a form, and give what it has written; what was set up before comes back."""
    root = logging.getLogger()
    before = root.handlers
    server = logging.getLogger("uvicorn.error")
    of_server = server.handlers, server.propagate
    stream = io.StringIO()

    def begin(form):
        logs.begin(form, stream)
        return stream

    yield begin
    root.handlers = before
    server.handlers, server.propagate = of_server


def test_a_line_of_json_holds_the_request_and_its_fields(written):
    stream = written("json")
    token = logs.request_id.set("abc")
    logs.note("request", {"path": "/explore", "ms": 1.5})
    logs.request_id.reset(token)
    logs.note("search", {"total_ms": 2.0})
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (first["event"], first["request"], first["path"], first["ms"]) == (
        "request", "abc", "/explore", 1.5,
    )  # fmt: skip
    assert second["level"] == "info" and "request" not in second


def test_what_the_web_server_says_is_a_line_like_the_others(written):
    server = logging.getLogger("uvicorn.error")
    server.handlers, server.propagate = [logging.StreamHandler(io.StringIO())], False
    stream = written("json")
    try:
        raise ValueError("a\nb")
    except ValueError:
        server.exception("went wrong")
    (line,) = stream.getvalue().splitlines()
    assert json.loads(line)["traceback"].endswith("ValueError: a\nb")


def test_text_keeps_a_record_on_one_line(written):
    stream = written("text")
    logs.note("request", {"path": "/a\nb", "status": 200})
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("info request path=/a\\nb status=200")


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_that_is_quoted_looks_like_a_line_or_is_obeyed_by_a_terminal(written, form):
    hostile = "a\nb\r\x1b[2J\x85\u2028\u202e 2001-02-03T04:05:06 info forged\n2001 info forged"
    stream = written(form)
    try:
        raise ValueError(hostile)
    except ValueError:
        logging.getLogger("subclust.text").exception("%s", hostile)
    logs.note("request", {"path": hostile})
    text = stream.getvalue()
    begin = [line for line in text.splitlines() if not line.startswith("  ")]
    assert len(begin) == 2 and not any(line.startswith("2001") for line in begin)
    assert set(text) & set("\r\x1b\x85\u2028\u202e") == set()
    if form == "json":
        assert all(hostile in json.loads(line).values() for line in begin)


def test_a_quiet_log_has_warnings_only(written):
    stream = written("quiet")
    logs.note("request", {"path": "/"})
    logging.getLogger("subclust.text").warning("slow")
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("warning slow")


def test_addresses_with_questions_in_them_are_not_written(written):
    access = logging.getLogger("uvicorn.access")
    before = access.handlers, access.propagate, access.level
    access.setLevel(logging.INFO)
    stream = written("json")
    access.warning('127.0.0.1 - "GET /?q=secret HTTP/1.1" 200')
    access.handlers, access.propagate, access.level = before
    assert stream.getvalue() == ""
