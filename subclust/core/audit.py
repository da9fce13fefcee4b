"""Who changed what, and when: lines of JSON in the data folder, where people sign in.

No line says what anybody asked or read. Several processes may write to one file.
"""

import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from subclust.core.storage.disk import write_whole

MOST_BYTES, EARLIER = 10_000_000, 9
_PATIENCE = 10.0
_log = logging.getLogger(__name__)
_file: Path | None = None


def begin(file: Path | None) -> None:
    """Note in a file from now on, for as long as this process lives; nowhere where it is None.

    At 10 MB it is put aside as ``FILE.1``; nine such files are kept.

    Parameters
    ----------
    file : Path or None
        Made when something is noted; its folder is made now.
    """
    global _file
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    _file = file


def note(person: str, what: str, thing: str = "", name: str = "", to: str = "") -> None:
    """Note what somebody did; nothing where nobody asked for it.

    What cannot be written is told to the program's log, and stops nobody.

    Parameters
    ----------
    person : str
        "" for whoever is at the computer.
    what : str
        ``"signed in"``, ``"change"``, ``"refused"``, ``"created"``, ``"revoked"``, ``"shared"``,
        ``"limited"``, ``"exported"`` or ``"deleted"``.
    thing : str
        Kind of what was changed; see `subclust.core.access.Thing`.
    name : str
        Of what was changed, where it is known.
    to : str
        With whom it was shared, or for whom it is: ``"everybody"``, ``"nobody"`` or teams.
    """
    if _file is None:
        return
    time = datetime.now(UTC).isoformat(timespec="seconds")
    line = {"time": time, "person": person, "did": what, "thing": thing, "name": name, "to": to}
    content = json.dumps({key: value for key, value in line.items() if value}) + "\n"
    try:
        # One lock for checking the size, rotating and writing: otherwise two processes could rotate
        # twice, or one could append to a file that the other has just renamed.
        with _alone(_file):
            if _file.exists() and _file.stat().st_size + len(content) > MOST_BYTES:
                _put_aside(_file)
            with _file.open("ab+") as stream:
                # After a power cut the last line may lack its end; this one must not join it.
                if stream.tell() and stream.seek(-1, os.SEEK_END) >= 0 and stream.read(1) != b"\n":
                    stream.write(b"\n")
                stream.write(content.encode())
    except (OSError, Timeout) as error:
        _log.error("The audit log cannot be written to (%s).", error)


def lines(file: Path) -> list[dict[str, Any]]:
    """Read what was noted in a file and those put aside of it, oldest first."""
    found = []
    for path in _files(file):
        for written in _written(path):
            line = _line(written)
            if line is not None:
                found.append(line)
    return found


def rewrite(
    file: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None], *, forgotten: str = ""
) -> int:
    """Change what was noted, or leave lines out, and return of how many.

    Damaged lines stay as they are.

    Parameters
    ----------
    file : Path
        Those put aside of it are changed, too.
    change : callable
        From a line to what is in its place; None to leave it out.
    forgotten : str
        Damaged lines that have this name in them are left out, whatever its letters' case.
    """
    n_changed = 0
    with _alone(file):
        for path in _files(file):
            before = _written(path)
            after = [_changed(written, change, forgotten) for written in before]
            n_here = sum(new != old for new, old in zip(after, before, strict=True))
            if n_here:
                write_whole(path, b"".join(new for new in after if new is not None))
            n_changed += n_here
    return n_changed


def _changed(
    written: bytes, change: Callable[[dict[str, Any]], dict[str, Any] | None], forgotten: str
) -> bytes | None:
    line = _line(written)
    if line is None:
        name = json.dumps(forgotten)[1:-1].encode().lower()
        return None if name and name in written.lower() else written
    new = change(dict(line))
    if new == line:
        return written
    return None if new is None else f"{json.dumps(new)}\n".encode()


def _written(path: Path) -> list[bytes]:
    """Read lines as they were written, with their ends."""
    with path.open("rb") as stream:
        return list(stream)


def _line(written: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(written)
    except (ValueError, RecursionError):  # a machine that went off while it was written
        return None
    return found if isinstance(found, dict) else None


def _files(file: Path) -> list[Path]:
    named = [_earlier(file, number) for number in range(EARLIER, 0, -1)]
    return [path for path in (*named, file) if path.exists()]


def _earlier(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}.{number}")


def _put_aside(file: Path) -> None:
    # From the oldest on, so that no file is overwritten before it has been renamed itself.
    for number in range(EARLIER, 1, -1):
        if _earlier(file, number - 1).exists():
            os.replace(_earlier(file, number - 1), _earlier(file, number))
    os.replace(file, _earlier(file, 1))


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(file.with_name(f".{file.name}.lock"), timeout=_PATIENCE):
        yield
