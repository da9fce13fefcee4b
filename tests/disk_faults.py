"""A disk that fails: whatever a test names, below a folder, raises an error of the system."""

import errno
import io
import os
from contextlib import contextmanager
from pathlib import Path

import pytest

WRITES = {
    "full": errno.ENOSPC,
    "over quota": errno.EDQUOT,
    "read-only": errno.EROFS,
    "not permitted": errno.EACCES,
    "stale": errno.ESTALE,
    "broken": errno.EIO,
    "not connected": errno.ENOTCONN,
}
"""How a disk refuses to be written to."""

READS = {name: WRITES[name] for name in ("not permitted", "stale", "broken", "not connected")}

STEPS = ("make", "flush", "rename")
"""Of writing a file whole, where a disk may fail."""


@contextmanager
def failing(folder, number, *steps):
    """Have these steps fail below a folder: ``read``, ``list``, or one of `STEPS`."""
    opened, made, flushed = io.open, os.open, os.fsync
    renamed, listed = os.replace, os.scandir

    def refuse(path, step):
        inside = not isinstance(path, int) and Path(os.fsdecode(path)).is_relative_to(folder)
        if step in steps and inside and not str(path).endswith((".lock", "version.json")):
            raise OSError(number, os.strerror(number), str(path))

    def open_file(path, mode="r", *given, **named):
        refuse(path, "read" if set(mode) <= set("rbt") else "make")
        return opened(path, mode, *given, **named)

    def make(path, flags, *given, **named):
        if flags & os.O_CREAT:
            refuse(path, "make")
        return made(path, flags, *given, **named)

    def flush(descriptor):
        refuse(os.readlink(f"/proc/self/fd/{descriptor}"), "flush")
        return flushed(descriptor)

    def rename(source, target, **named):
        refuse(target, "rename")
        return renamed(source, target, **named)

    def listing(path="."):
        refuse(path, "list")
        return listed(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "open", open_file)
        patch.setattr("builtins.open", open_file)
        for name, function in (
            ("open", make),
            ("fsync", flush),
            ("replace", rename),
            ("scandir", listing),
        ):
            patch.setattr(os, name, function)
        yield
