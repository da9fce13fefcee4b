"""Which form a data folder has, so that no older Subclust writes into a newer one's."""

import json
from contextlib import suppress
from pathlib import Path

from subclust.core.exceptions import SettingsError
from subclust.core.storage.disk import write_whole
from subclust.core.storage.presence import VERSION_FILE

FORM = 2
"""Of the data folders that this version writes; `subclust.upgrades` makes it of earlier ones."""

FIRST_FORM = 1
"""Of the folders of versions that marked none."""

RESTORING_FILE = "restoring.json"
"""It is there while a backup is put in the folder's place."""

_MARKS_OF_USE = ("library", "models", "sets", "sessions")


def check_version(folder: Path, subclust: str) -> int:
    """Return the form of a data folder, and mark a new one with this version's.

    Parameters
    ----------
    folder : Path
        It may be missing.
    subclust : str
        Version of this program, for whoever reads the file.

    Returns
    -------
    int
        `FORM`, or less where the folder can be read and is to be brought up to date.

    Raises
    ------
    SettingsError
        If the folder's form is newer than `FORM`, or a backup was restored to it only in part.
    """
    if (folder / RESTORING_FILE).exists():
        raise SettingsError(
            "A backup is being restored to {folder}, or restoring was interrupted; wait until it "
            "ends, or run 'python -m subclust restore-all FILE --replace' again.",
            folder=folder,
        )
    file = folder / VERSION_FILE
    try:
        told = json.loads(file.read_bytes())
        form, written_by = int(told["form"]), str(told["subclust"])
    except FileNotFoundError:
        if any((folder / name).exists() for name in _MARKS_OF_USE):
            return FIRST_FORM
        # Merely looking at a folder that is missing must not create it.
        if folder.is_dir():
            with suppress(OSError):  # read-only, or full: the next command says so where it matters
                mark(folder, FORM, subclust)
        return FORM
    except (OSError, ValueError, KeyError, TypeError):
        return FORM  # lost or cut: whatever reads the folder's parts checks them
    if form > FORM:
        raise SettingsError(
            "The data in {folder} are of a newer Subclust ({version}); install that version, or "
            "name another folder in SUBCLUST_DATA_DIR.",
            folder=folder,
            version=written_by,
        )
    return form


def mark(folder: Path, form: int, subclust: str) -> None:
    """Write which form a data folder has, and which version of Subclust made it so.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    write_whole(folder / VERSION_FILE, json.dumps({"form": form, "subclust": subclust}) + "\n")
