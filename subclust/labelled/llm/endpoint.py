"""A language model behind an OpenAI-compatible address; all that touches the network here."""

import http.client
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

from subclust.core.exceptions import EndpointError
from subclust.core.messages import Message

MOST_BYTES = 4 << 20
"""Of an answer; more is none."""

_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""What may go better the next time."""

_LONGEST_PAUSE = 60.0


_Said = tuple[int, str, bytes]
"""A status, when to ask again, and the content."""


@dataclass(frozen=True)
class ChatAnswer:
    """What came back.

    Parameters
    ----------
    text : str
        ``""`` where the model said nothing.
    tokens_in, tokens_out : int
        As the endpoint counted them; 0 where it does not.
    cut : bool
        Whether the model stopped because it was not allowed to say more.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cut: bool = False


@dataclass(frozen=True)
class ChatEndpoint:
    """Asks one question at a time.

    Parameters
    ----------
    url : str
        Of the API, such as ``"http://localhost:11434/v1"``; ``/chat/completions`` is added.
    model : str
    key : str
        Sent as a bearer token where it is not empty; never shown, and sent to no other address.
    timeout : float
        Seconds that one answer may take, from the look-up of the name to the last byte; above 0.
    n_retries : int
        Times that a question is asked again where the endpoint is busy or does not answer.
    sleep : callable
        Waits so many seconds between two attempts.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 60.0
    n_retries: int = 3
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False, compare=False)

    def ask(self, prompt: str) -> ChatAnswer:
        """Ask a question.

        Raises
        ------
        EndpointError
            If there is no answer after all attempts, or the endpoint refuses.
        """
        reason = ""
        for attempt in range(self.n_retries + 1):
            try:
                return self._answer(self._post(prompt))
            except _Again as again:
                reason = str(again)
                if attempt < self.n_retries:
                    self.sleep(min(max(again.after, 2.0**attempt), _LONGEST_PAUSE))
        raise EndpointError(
            "The language model at {url} {reason}, asked {n_retries} times; see whether it runs, "
            "then start again: what has been labelled is kept.",
            url=self.url,
            reason=reason,
            n_retries=self.n_retries + 1,
        )

    def _post(self, prompt: str) -> bytes:
        content = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
        }
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(
            f"{self.url.rstrip('/')}/chat/completions", json.dumps(content).encode(), headers
        )
        try:
            status, after, said = _within(self.timeout, partial(self._exchange, request))
        except TimeoutError as error:
            raise _Again(
                Message("did not answer within {timeout:g} seconds", timeout=self.timeout)
            ) from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _Again(
                    Message("did not answer within {timeout:g} seconds", timeout=self.timeout)
                ) from error
            raise _Again(Message("cannot be reached ({reason})", reason=error.reason)) from error
        except (OSError, http.client.HTTPException) as error:
            raise _Again(Message("broke off ({error})", error=type(error).__name__)) from error
        if not 200 <= status < 300:
            self._refused(status, after, said)
        return said

    def _exchange(self, request: urllib.request.Request, line: "_Line") -> "_Said":
        opener = urllib.request.build_opener(_NoRedirect, _Plain(line), _Secure(line))
        try:
            with opener.open(request, timeout=self.timeout) as response:
                return response.status, "", self._read(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers.get("Retry-After", ""), error.read(500)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        pieces, n_bytes = [], 0
        while piece := response.read1(1 << 16):
            pieces.append(piece)
            n_bytes += len(piece)
            if n_bytes > MOST_BYTES:
                raise EndpointError(
                    "The language model at {url} sent more than {most_bytes} MB for one answer; "
                    "see whether the address is right.",
                    url=self.url,
                    most_bytes=MOST_BYTES >> 20,
                )
        if response.length:
            raise http.client.IncompleteRead(b"".join(pieces), response.length)
        return b"".join(pieces)

    def _refused(self, status: int, after: str, said: bytes) -> NoReturn:
        if status in _AGAIN:
            pause = float(after) if after.isdecimal() else 0.0
            raise _Again(Message("was busy or failed (status {status})", status=status), pause)
        advice = {
            401: Message("set SUBCLUST_LLM_KEY to a key that it takes"),
            403: Message("set SUBCLUST_LLM_KEY to a key that may use the model"),
            404: Message("see whether SUBCLUST_LLM_URL and SUBCLUST_LLM_MODEL are right"),
        }.get(status, Message("see whether SUBCLUST_LLM_URL and SUBCLUST_LLM_MODEL are right"))
        told = " ".join(said.decode("utf-8", "replace").split())
        if self.key:
            told = told.replace(self.key, "…")
        raise EndpointError(
            "The language model at {url} refused (status {status}: {reason}); {advice}.",
            url=self.url,
            status=status,
            reason=told[:200] or "no word",
            advice=advice,
        )

    def _answer(self, content: bytes) -> ChatAnswer:
        try:
            record = json.loads(content)
            choice = record["choices"][0]
            text = choice["message"].get("content")
            usage = record.get("usage") or {}
            return ChatAnswer(
                text if isinstance(text, str) else "",
                _count(usage, "prompt_tokens"),
                _count(usage, "completion_tokens"),
                choice.get("finish_reason") == "length",
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise _Again("did not answer in the form of the OpenAI API") from error


class _Again(Exception):
    """An attempt that failed, and may succeed ``after`` some seconds."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows nothing, so that texts and key go to the address that was named and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Line:
    """The connection of one exchange, which somebody else can cut."""

    def __init__(self) -> None:
        self.is_cut = False
        self.socket: socket.socket | None = None

    def opened(self, connected: socket.socket) -> None:
        self.socket = connected
        if self.is_cut:
            self.cut()

    def cut(self) -> None:
        """End whatever waits for the other side, now or later."""
        self.is_cut = True
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)


class _PlainConnection(http.client.HTTPConnection):
    """Tells its line about its socket, which nobody else hands out."""

    def __init__(self, *words: Any, line: _Line, **more: Any) -> None:
        super().__init__(*words, **more)
        self.line = line

    def connect(self) -> None:
        super().connect()
        self.line.opened(self.sock)


class _SecureConnection(_PlainConnection, http.client.HTTPSConnection):
    """The same over TLS."""


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, line: _Line) -> None:
        super().__init__()
        self.line = line

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_PlainConnection, line=self.line), request)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, line: _Line) -> None:
        super().__init__()
        self.line = line

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_SecureConnection, line=self.line), request)


def _within(seconds: float, exchange: Callable[[_Line], _Said]) -> _Said:
    """Return what an exchange gives, or raise a `TimeoutError` after some seconds.

    It has a thread of its own, since the time-out of a socket holds for each piece alone, headers
    are read where nobody can look at a clock, and the look-up of a name knows no time-out at all.
    """
    outcome: Future[_Said] = Future()
    line = _Line()

    def run() -> None:
        try:
            outcome.set_result(exchange(line))
        except Exception as error:
            outcome.set_exception(error)

    threading.Thread(target=run, name="language model", daemon=True).start()
    try:
        return outcome.result(seconds)
    finally:
        line.cut()


def _count(usage: Any, name: str) -> int:
    value = usage.get(name, 0)
    return value if isinstance(value, int) and value > 0 else 0
