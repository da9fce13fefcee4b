"""Which form a data folder has, so that no older Subclust writes into a newer one's."""

import json
from contextlib import suppress
from pathlib import Path

from subclust.core.exceptions import SettingsError
from subclust.core.storage.disk import write_whole

FORM = 1
"""Of the data folders that this version reads and writes."""

VERSION_FILE = "version.json"


def check_version(folder: Path, subclust: str) -> None:
    """Refuse a data folder of a newer form; one that does not say its form is marked with this one.

    Parameters
    ----------
    folder : Path
        It may be missing.
    subclust : str
        Version of this program, for whoever reads the file.

    Raises
    ------
    SettingsError
        If the folder's form is newer than `FORM`.
    """
    file = folder / VERSION_FILE
    try:
        told = json.loads(file.read_bytes())
        form, written_by = int(told["form"]), str(told["subclust"])
    except FileNotFoundError:
        if folder.is_dir():
            with suppress(OSError):  # read-only, or full: the next command says so where it matters
                write_whole(file, json.dumps({"form": FORM, "subclust": subclust}) + "\n")
        return
    except (OSError, ValueError, KeyError, TypeError):
        return  # lost or cut: whatever reads the folder's parts checks them
    if form > FORM:
        raise SettingsError(
            "The data in {folder} are of a newer Subclust ({version}); install that version, or "
            "name another folder in SUBCLUST_DATA_DIR.",
            folder=folder,
            version=written_by,
        )
