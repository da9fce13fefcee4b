"""Files that are whole or not there, whatever happens while they are written."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from subclust.core.storage.disk import write_whole


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write one object beside its place and rename it there, on the disk when this returns."""
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def flush(folder: Path) -> None:
    """Have the disk keep the content of each file in a folder."""
    for file in folder.iterdir():
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
