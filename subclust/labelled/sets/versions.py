"""The folder of one labelled set: which versions are there, and how the next one comes to be."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

from subclust.labelled.sets.files import flush
from subclust.labelled.sets.record import RECORD_FILE, SET_FILE, LabelledSet, record_of
from subclust.labelled.sets.sharing import Sharing, read_sharing, write_sharing

VERSION = re.compile(r"[1-9][0-9]{0,8}")
REMOVED = ".removed-"
"""With it, the name of the emptied folder of a version begins that was removed."""


def versions(folder: Path) -> list[int]:
    """List the versions that are there, in their order."""
    found = (path.parent.name for path in folder.glob(f"*/{RECORD_FILE}"))
    return sorted(int(name) for name in found if VERSION.fullmatch(name))


def place(work: Path, folder: Path, planned: LabelledSet) -> LabelledSet:
    """Assign what was written its number and its place; whoever writes the first owns all.

    Parameters
    ----------
    work : Path
        Folder with the files of the version, but for its record.
    folder : Path
        Of the set.
    """
    version = _next_version(folder)
    target = folder / str(version)
    sharing = Sharing(planned.owner) if version == 1 else read_sharing(folder)
    whose = vars(sharing)
    kept = replace(planned, version=version, path=target / SET_FILE, is_new=True, **whose)
    with (work / RECORD_FILE).open("x", encoding="utf-8") as stream:
        json.dump(record_of(kept), stream, indent=1, ensure_ascii=True)
    # Contents before the name: after a power cut, the rename could have outlived them.
    for file in (*work.iterdir(), work):
        flush(file)
    folder.mkdir(exist_ok=True)
    if version == 1 and sharing.owner:
        write_sharing(folder, sharing)
    os.rename(work, target)
    flush(folder)
    flush(folder.parent)
    return kept


def _next_version(folder: Path) -> int:
    names = (path.name.removeprefix(REMOVED) for path in folder.glob("*"))
    return max((int(name) for name in names if VERSION.fullmatch(name)), default=0) + 1
