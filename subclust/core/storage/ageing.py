"""What is old enough to be deleted for good, though the computer's clock may be wrong."""

import json
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from subclust.core.storage.disk import write_whole

WAIT_SECONDS = 23 * 3600.0
"""After which a second look must find the same: that of the next day, if there is one daily."""

DRAFT_DAYS = 30
"""Days after its last change for which a draft of corrections is kept, and its browser's number."""

_FILE = ".old.json"


def long_old(folder: Path, old: Collection[str]) -> list[str]:
    """Return what was found old a day ago already, and is still.

    A clock that leaps ahead makes everything old at once. What is found old is therefore only
    noted, and stays for a day; where the clock has come back by then, it is young again.

    Parameters
    ----------
    folder : Path
        Where it lies; what was found is noted in a file there.
    old : collection of str
        What the clock calls old now, by name.

    Returns
    -------
    list of str
        None of it where the folder cannot be written to.
    """
    now = time.time()
    noted = _noted(folder / _FILE)
    # What was noted at a time that is still to come, by a wrong clock, is noted anew.
    since = {name: min(noted.get(name, now), now) for name in old}
    if since != noted:
        try:
            write_whole(folder / _FILE, json.dumps(since), durable=False)
        except OSError:
            return []
    return [name for name in old if now - since[name] >= WAIT_SECONDS]


def old_folders(folder: Path, seconds: float) -> list[str]:
    """Return the names of the folders in a folder that the clock calls older than this."""
    now, found = time.time(), []
    for place in folder.iterdir():
        with suppress(OSError):  # deleted meanwhile
            if place.is_dir() and now - place.stat().st_mtime > seconds:
                found.append(place.name)
    return found


def _noted(file: Path) -> dict[str, float]:
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        found = json.loads(file.read_bytes())
        return {str(name): float(when) for name, when in found.items()}
    return {}
