"""What environment variables hold, read as settings, or refused in a sentence that names them."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from subclust.core.exceptions import SettingsError
from subclust.core.storage import StoragePath, storage_path

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"", "0", "false", "no", "off"}

LAST_PORT = 65_535

Reader = Callable[[str, str], Any]
"""From the name of a variable and what it holds to a setting; raises SettingsError."""


def path(variable: str, value: str) -> Path:
    """Read the name of a file."""
    return Path(value)


def folder(variable: str, value: str) -> Path:
    """Read the name of a folder of this machine, which may be missing."""
    place = Path(value)
    # In a file, each part that is looked for would count as missing or damaged.
    file = next((str(one) for one in (place, *place.parents) if os.path.isfile(one)), None)
    if "://" in value or file is not None:
        raise SettingsError(
            "{name} must be a folder, but {value!r} is none.", name=variable, value=file or value
        )
    return place


def library_folder(variable: str, value: str) -> Path:
    """Read a folder, or a place in object storage."""
    place = storage_path(value)
    return place if isinstance(place, StoragePath) else folder(variable, value)


def text(variable: str, value: str) -> str:
    """Return the text as it is."""
    return value


def matching(pattern: str, sentence: str, **told: str) -> Reader:
    """Read a text that a pattern fits; the sentence says what is allowed."""

    def read(variable: str, value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise SettingsError(sentence, value=value, **told)
        return value

    return read


def several(pattern: str, wanted: str) -> Reader:
    """Read texts with spaces or commas between them, each of which a pattern fits."""

    def read(variable: str, value: str) -> tuple[str, ...]:
        values = value.replace(",", " ").split()
        for one in values:
            if not re.fullmatch(pattern, one):
                raise SettingsError(
                    "{name} must list {wanted}, but has {value!r}.",
                    name=variable,
                    wanted=wanted,
                    value=one,
                )
        return tuple(values)

    return read


def hours(variable: str, value: str) -> float:
    """Read a number of hours, up to a year."""
    try:
        hours = float(value)
    except ValueError:
        hours = -1.0
    if not 0 <= hours <= 24 * 366:
        raise SettingsError(
            "{name} must be a number of hours from 0 to 8784, but is {value!r}.",
            name=variable,
            value=value,
        )
    return hours


def flag(variable: str, value: str) -> bool:
    """Read 1 or 0, or words for them; an empty text is 0."""
    if value.lower() not in _TRUE | _FALSE:
        raise SettingsError("{name} must be 1 or 0, but is {value!r}.", name=variable, value=value)
    return value.lower() in _TRUE


def port(variable: str, value: str) -> int:
    """Read the number of a port; 0 is none."""
    if not value.isdecimal() or int(value) > LAST_PORT:
        raise SettingsError(
            "{name} must be a port from 1 to 65535, or 0 for none, but is {value!r}.",
            name=variable,
            value=value,
        )
    return int(value)


def whole(smallest: int) -> Reader:
    """Read a whole number of at least so many."""

    def read(variable: str, value: str) -> int:
        if not value.isdecimal() or int(value) < smallest:
            raise SettingsError(
                "{name} must be a whole number of at least {smallest}, but is {value!r}.",
                name=variable,
                smallest=smallest,
                value=value,
            )
        return int(value)

    return read
