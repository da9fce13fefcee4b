"""Whose a labelled set is, and with whom it is shared: one small file for all its versions."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from subclust.core.exceptions import LabelledSetError
from subclust.core.storage.damaged import first_line, typed
from subclust.core.storage.disk import check_reached, write_whole

SHARING_FILE = "sharing.json"


@dataclass(frozen=True)
class Sharing:
    """Whose something is, and with whom it is shared.

    Parameters
    ----------
    owner : str
        Name of who made it; "" where nobody had signed in, which is everybody's.
    shared : bool
        Whether everybody who signs in may see it.
    team : str
        Team whose members may see it, too; "" for none.
    """

    owner: str = ""
    shared: bool = False
    team: str = ""


def read_sharing(folder: Path) -> Sharing:
    """Read whose a set is.

    Raises
    ------
    LabelledSetError
        If the file is damaged; the set is nobody's to see then but in a repair.
    """
    path = folder / SHARING_FILE
    try:
        return typed(Sharing, json.loads(path.read_bytes()))
    except FileNotFoundError:
        return Sharing()
    except (OSError, ValueError, TypeError, RecursionError) as error:
        check_reached(error, path)
        raise LabelledSetError(
            "Nobody can tell whose the labelled set {name} is, since {file} is damaged ({error}); "
            "restore it from a copy, or delete it, which makes the set everybody's.",
            name=folder.name,
            file=path,
            error=first_line(error),
        ) from error


def write_sharing(folder: Path, sharing: Sharing) -> None:
    """Write whose a set is."""
    write_whole(folder / SHARING_FILE, json.dumps(asdict(sharing), ensure_ascii=False))
