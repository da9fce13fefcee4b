"""Answers of live sources that are kept for a while, a file each.

An HTTP cache such as hishel keeps what a service's headers allow; these services allow nothing or
say nothing, and what is wanted here is something else: that the same question within a stated time
is not asked twice, and that the reader is told how old the answer is.
"""

import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from subclust.core.storage.cache_file import tell_once
from subclust.core.storage.disk import write_whole

MOST_BYTES = 256 << 20
"""Of all answers that are kept; the oldest go first."""

_HEAD = b"subclust-live-1 "

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Kept:
    """An answer that was kept.

    Parameters
    ----------
    content : bytes
    asked_at : float
        When the service gave it, in seconds since 1970.
    """

    content: bytes
    asked_at: float


class AnswerCache:
    """Keeps answers in a folder, under a hash of their question.

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

    def get(self, question: str) -> Kept | None:
        """Return the answer to a question if it is young enough; a damaged one is none."""
        if self.seconds <= 0:
            return None
        try:
            head, _, content = self._file(question).read_bytes().partition(b"\n")
            moment, length = head.removeprefix(_HEAD).split()
            kept = Kept(content, float(moment))
        except (OSError, ValueError):
            return None
        if not head.startswith(_HEAD) or int(length) != len(content):
            return None
        return kept if 0 <= self._clock() - kept.asked_at <= self.seconds else None

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
