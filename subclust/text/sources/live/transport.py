"""How a service is asked: in turn, with our name, again when it is busy, and not twice a day."""

import hashlib
import logging
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Generic, NoReturn, TypeVar
from urllib.parse import urlencode, urlsplit

from subclust import __version__
from subclust.core.exceptions import LiveSourceError
from subclust.core.live import LiveAccess
from subclust.core.messages import Message
from subclust.core.storage.cache_file import tell_once
from subclust.core.storage.disk import write_whole
from subclust.core.web import Response, TryAgain
from subclust.text.sources.live import LiveCard
from subclust.text.sources.live.answers import words_of
from subclust.text.sources.live.fetching import SEARCH, Limits, fetch
from subclust.text.sources.live.pace import Pace

MOST_BYTES = 256 << 20
"""Of all answers that are kept; the oldest go first."""

_HEAD = b"subclust-live-1 "

_log = logging.getLogger(__name__)

T = TypeVar("T")

_BUSY = (408, 425, 429, 500, 502, 503, 504)
"""What may go better the next time."""


@dataclass(frozen=True)
class Answered(Generic[T]):
    """What a service answered, understood.

    Parameters
    ----------
    value : T
    asked_at : float
        When the service gave it, in seconds since 1970.
    from_cache : bool
        Whether it was kept from an earlier time.
    """

    value: T
    asked_at: float
    from_cache: bool


class RefusedError(LiveSourceError):
    """The service understood who asks, or what, and says no; asking again changes nothing."""


class AnswerCache:
    """Keeps answers for a while in a folder, a file each, under a hash of their question.

    An HTTP cache such as hishel keeps what a service's headers allow; these services allow nothing
    or say nothing, and what is wanted here is something else: that the same question within a
    stated time is not asked twice, and that the reader is told how old the answer is.

    Parameters
    ----------
    folder : Path
        Made when needed.
    seconds : float
        How old an answer may become; 0 keeps none.
    clock : callable
        ``time.time``.
    """

    def __init__(
        self, folder: Path, seconds: float, clock: Callable[[], float] = time.time
    ) -> None:
        self.folder = folder
        self.seconds = seconds
        self._clock = clock

    def get(self, question: str) -> tuple[bytes, float] | None:
        """Return a young enough answer, and when it was given; a damaged one is none."""
        if self.seconds <= 0:
            return None
        try:
            head, _, content = self._file(question).read_bytes().partition(b"\n")
            moment, length = head.removeprefix(_HEAD).split()
            asked_at, n_bytes = float(moment), int(length)
        except (OSError, ValueError):
            return None
        if not head.startswith(_HEAD) or n_bytes != len(content):
            return None
        return (content, asked_at) if 0 <= self._clock() - asked_at <= self.seconds else None

    def put(self, question: str, content: bytes, asked_at: float) -> None:
        """Keep an answer if the disk takes it, and drop those that are too old or too many."""
        if self.seconds <= 0:
            return
        head = _HEAD + f"{asked_at:.3f} {len(content)}\n".encode()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._prune(len(content))
            write_whole(self._file(question), head + content, durable=False)
        except OSError as error:
            tell_once(
                _log,
                "Answers cannot be kept in %s and are asked for again (%s).",
                self.folder,
                error,
            )

    def _file(self, question: str) -> Path:
        digest = hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{digest[:32]}.answer"

    def _prune(self, n_more: int) -> None:
        found = []
        for file in self.folder.iterdir():
            try:
                status = file.stat()
            except OSError:  # another process was quicker
                continue
            found.append((status.st_mtime, status.st_size, file))
        n_bytes = n_more + sum(size for _, size, _ in found)
        for moment, size, file in sorted(found):
            too_old = self._clock() - moment > self.seconds
            if too_old or n_bytes > MOST_BYTES:
                file.unlink(missing_ok=True)
                n_bytes -= size


class Transport:
    """Asks one service.

    Parameters
    ----------
    card : LiveCard
    access : LiveAccess
        From `access_to`, which refuses where the source is off.
    folder : Path
        Of the paces and kept answers, ``Settings.live_dir``.
    limits : Limits
    cache_hours : float
        How old an answer may be to be given again; 0 keeps none.
    fresh : bool
        Whether kept answers are left aside; new ones are kept all the same.
    sleep, clock : callable
        ``time.sleep`` and ``time.time``.
    """

    def __init__(
        self,
        card: LiveCard,
        access: LiveAccess,
        folder: Path,
        *,
        limits: Limits = SEARCH,
        cache_hours: float = 24.0,
        fresh: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.card = card
        self.access = access
        self.folder = folder
        self.limits = limits
        self.cache = AnswerCache(folder / "answers" / card.name, cache_hours * 3600, clock)
        self.fresh = fresh
        self._sleep = sleep
        self._clock = clock

    @property
    def user_agent(self) -> str:
        """Who we say we are, and whom the service may write to."""
        contact = self.access.contact
        return f"Subclust/{__version__} ({'mailto:' if '@' in contact else '+'}{contact})"

    def ask(
        self,
        url: str,
        parameters: Mapping[str, str],
        understand: Callable[[bytes], T],
        *,
        secrets: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        answers: tuple[int, ...] = (),
    ) -> Answered[T]:
        """Ask a question, unless its answer is at hand.

        Parameters
        ----------
        url : str
        parameters : mapping of str to str
            Added to the address.
        understand : callable
            Makes something of the answer. A ValueError means nonsense, and the service is asked
            again, as after a `TryAgain`; a `LiveSourceError` is final.
        secrets : mapping of str to str, optional
            Parameters with a key in them: they are sent, but neither kept nor told.
        headers : mapping of str to str, optional
            More headers.
        answers : tuple of int
            Statuses besides 200 whose content is an answer.

        Raises
        ------
        RefusedError
            If the service says no.
        LiveSourceError
            If there is no answer in the end; its sentence says why.
        """
        question = f"{url}?{urlencode(sorted(parameters.items()))}"
        kept = None if self.fresh else self.cache.get(question)
        if kept is not None:
            content, asked_at = kept
            try:
                return Answered(understand(content), asked_at, True)
            except (ValueError, TryAgain):
                pass  # kept by another version
        whole = f"{url}{'&' if '?' in url else '?'}{urlencode({**parameters, **(secrets or {})})}"
        sent = {"User-Agent": self.user_agent, **(headers or {})}
        pace = Pace(
            self.folder / "paces" / _file_name(url),
            self.card.pause,
            self.card.label,
            sleep=self._sleep,
            clock=self._clock,
        )
        reason = ""
        for attempt in range(self.limits.n_retries + 1):
            with pace.turn(self.limits.patience):
                try:
                    response = fetch(whole, sent, self.limits, self.card.label)
                    value = self._understood(response, understand, answers)
                except TryAgain as again:
                    reason = str(again)
                    # With jitter, so that clients that were turned away together do not come back
                    # together.
                    pace.leave_alone(max(again.after, 2.0**attempt * random.uniform(0.75, 1.25)))
                    continue
                asked_at = self._clock()
            # Other statuses that count as answers are refusals, which may not hold tomorrow.
            if response.status == 200:
                self.cache.put(question, response.content, asked_at)
            return Answered(value, asked_at, False)
        self._give_up(url, reason)

    def _understood(
        self, response: Response, understand: Callable[[bytes], T], answers: tuple[int, ...]
    ) -> T:
        status = response.status
        if status == 200 or status in answers:
            try:
                return understand(response.content)
            except ValueError as error:
                if status == 200:
                    raise TryAgain(
                        Message("sent an answer that cannot be read ({error})", error=error)
                    ) from error
        told = self._told(response.content)
        if status in _BUSY:
            after = _seconds(response.headers.get("retry-after", ""), self._clock())
            raise TryAgain(
                Message("is busy or has failed (status {status}{told})", status=status, told=told),
                after,
            )
        if status in (401, 403) and self.card.key != "none":
            raise RefusedError(
                "{label} rejected the key (status {status}{reason}); put the right one, from "
                "{key_page}, into SUBCLUST_KEY_{variable}.",
                label=self.card.label,
                status=status,
                reason=told,
                variable=self.card.variable,
                key_page=self.card.key_page,
            )
        advice = {
            400: Message("change the query"),
            401: Message("it answers only clients that it knows"),
            403: Message(
                "it answers only clients that it knows, or has blocked this machine for a while"
            ),
            404: Message("check whether its address is right"),
            414: Message("make the query shorter"),
        }.get(status, Message("check whether its address and the query are right"))
        raise RefusedError(
            "{label} refused the request (status {status}{reason}); {advice}.",
            label=self.card.label,
            status=status,
            reason=told,
            advice=advice,
        )

    def _told(self, content: bytes) -> str:
        words = words_of(content)
        # A service may quote the request, key and all.
        if self.access.key:
            words = words.replace(self.access.key, "…")
        return f": {words}" if words else ""

    def _give_up(self, url: str, reason: str) -> NoReturn:
        raise LiveSourceError(
            "{label} {reason}, asked {n_retries} times; check whether this machine may reach "
            "{hostname}, or try again later.",
            label=self.card.label,
            reason=reason,
            n_retries=self.limits.n_retries + 1,
            hostname=urlsplit(url).hostname,
        )


def _file_name(url: str) -> str:
    return "".join(c if c.isalnum() or c in ".-" else "_" for c in urlsplit(url).netloc)


def _seconds(retry_after: str, now: float) -> float:
    """Read a ``Retry-After``: seconds, or a moment; 0 for what is neither."""
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(min(int(text[:9]), 365 * 24 * 3600))
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return 0.0
