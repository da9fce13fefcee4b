"""Calling a function in a process of its own, which is ended where it takes too much."""

import importlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, get_type_hints

import psutil
from pydantic import TypeAdapter

import subclust.exceptions
from subclust.exceptions import SubclustError

_PAUSE = 0.02
_MODULE = "subclust.storage.apart"


class TooSlowError(SubclustError):
    """The process was ended since it took longer than it may."""


class TooMuchMemoryError(SubclustError):
    """The process was ended since it took more memory than it may."""


def call_apart(
    function: Callable[..., Any], *, seconds: float, most_bytes: int, **arguments: Any
) -> Any:
    """Call a function in a process of its own.

    Parameters
    ----------
    function : callable
        Of a module's top level, its parameters and what it returns annotated with types that
        pydantic can write as JSON.
    seconds : float
        It is ended after that.
    most_bytes : int
        Of memory; it is ended where it takes more.
    **arguments
        Its parameters.

    Returns
    -------
    object
        What it returns.

    Raises
    ------
    TooSlowError
    TooMuchMemoryError
        Also where the system ends it for want of memory.
    SubclustError
        Of the class that the function raises, or the nearest above it that is in
        `subclust.exceptions`.
    RuntimeError
        If it fails otherwise.
    """
    hints = get_type_hints(function)
    given = {
        name: TypeAdapter(hints[name]).dump_python(value, mode="json")
        for name, value in arguments.items()
    }
    words = [function.__module__, function.__name__, json.dumps(given)]
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as wrong:
        process = psutil.Popen(
            [sys.executable, "-m", _MODULE, *words],
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=wrong,
        )
        try:
            _wait(process, seconds, most_bytes)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        told.seek(0)
        wrong.seek(0)
        answer = told.read()
        if process.returncode == 0:
            return TypeAdapter(hints["return"]).validate_json(answer)
        if process.returncode == 3:
            name, message = json.loads(answer)
            raise getattr(subclust.exceptions, name)(message)
        if process.returncode in (4, -9):
            raise TooMuchMemoryError("It took more memory than there is.")
        raise RuntimeError(wrong.read().decode("utf-8", "replace"))


def _wait(process: psutil.Popen, seconds: float, most_bytes: int) -> None:
    until = time.monotonic() + seconds
    while process.poll() is None:
        try:
            if process.memory_info().rss > most_bytes:
                raise TooMuchMemoryError(f"It took more than {most_bytes >> 20} MB of memory.")
        except psutil.NoSuchProcess:  # ended meanwhile
            continue
        if time.monotonic() > until:
            raise TooSlowError(f"It took more than {seconds:.0f} seconds.")
        time.sleep(_PAUSE)


def main(module: str, name: str, given: str) -> int:
    """Call the function, and write what it returns, or what error, to the standard output."""
    function = getattr(importlib.import_module(module), name)
    hints = get_type_hints(function)
    arguments = {
        key: TypeAdapter(hints[key]).validate_python(value)
        for key, value in json.loads(given).items()
    }
    try:
        value = function(**arguments)
    except SubclustError as error:
        kinds = (one.__name__ for one in type(error).__mro__)
        known = next(name for name in kinds if hasattr(subclust.exceptions, name))
        sys.stdout.write(json.dumps([known, str(error)]))
        return 3
    except MemoryError:
        return 4
    sys.stdout.buffer.write(TypeAdapter(hints["return"]).dump_json(value))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
