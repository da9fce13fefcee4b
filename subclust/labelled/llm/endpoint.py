"""A language model behind an OpenAI-compatible address."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from subclust.core.exceptions import EndpointError
from subclust.core.messages import Message
from subclust.core.web import TimedOut, TryAgain, UnusableAddressError, send

MOST_BYTES = 4 << 20
"""Of an answer; more is none."""

_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""What may go better the next time."""

_LONGEST_PAUSE = 60.0


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
            except TryAgain as again:
                reason = str(again)
                if attempt < self.n_retries:
                    self.sleep(min(max(again.after, 2.0**attempt), _LONGEST_PAUSE))
        raise EndpointError(
            "The language model at {url} {reason}, asked {n_retries} times; check whether it "
            "runs, then start again: what has been labelled is kept.",
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
        try:
            response = send(
                f"{self.url.rstrip('/')}/chat/completions",
                headers,
                json.dumps(content).encode(),
                seconds=self.timeout,
                n_bytes=MOST_BYTES,
            )
        except TimedOut as error:
            raise TryAgain(
                Message("did not answer within {timeout:g} seconds", timeout=self.timeout)
            ) from error
        except UnusableAddressError as error:
            raise TryAgain(Message("cannot be reached ({reason})", reason=error)) from error
        if not 200 <= response.status < 300:
            self._refused(
                response.status, response.headers.get("retry-after", ""), response.content[:500]
            )
        if not response.is_whole:
            raise EndpointError(
                "The language model at {url} sent more than {most_bytes} MB for one answer; "
                "check whether the address is right.",
                url=self.url,
                most_bytes=MOST_BYTES >> 20,
            )
        return response.content

    def _refused(self, status: int, after: str, said: bytes) -> NoReturn:
        if status in _AGAIN:
            pause = float(after) if after.isdecimal() else 0.0
            raise TryAgain(Message("was busy or failed (status {status})", status=status), pause)
        advice = {
            401: Message("set SUBCLUST_LLM_KEY to a key that it takes"),
            403: Message("set SUBCLUST_LLM_KEY to a key that may use the model"),
            404: Message("check whether SUBCLUST_LLM_URL and SUBCLUST_LLM_MODEL are right"),
        }.get(status, Message("check whether SUBCLUST_LLM_URL and SUBCLUST_LLM_MODEL are right"))
        told = " ".join(said.decode("utf-8", "replace").split())
        if self.key:
            told = told.replace(self.key, "…")
        raise EndpointError(
            "The language model at {url} refused the request (status {status}: "
            "{reason}); {advice}.",
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
            raise TryAgain("did not answer in the form of the OpenAI API") from error


def _count(usage: Any, name: str) -> int:
    value = usage.get(name, 0)
    return value if isinstance(value, int) and value > 0 else 0
