"""Which libraries are only for some teams: whoever is in none of them neither sees nor searches."""

import json
from collections.abc import Sequence
from pathlib import Path

from subclust.core.access import LOCAL, acting, check_may_change
from subclust.core.exceptions import InputError, LibraryError
from subclust.core.messages import Message
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import refusals_told, write_whole

_DAMAGED = ("",)
"""Teams that nobody belongs to."""

_libraries: Path | None = None


def libraries_in(folder: Path) -> None:
    """Say where the libraries lie, for as long as this process lives; it serves several people."""
    global _libraries
    _libraries = folder


def limit_file(folder: Path, id_: str) -> Path:
    """Name the file that says for whom a library is."""
    return folder / f".{id_}.limit.json"


def teams_of(folder: Path, id_: str) -> tuple[str, ...]:
    """Return the teams that a library is for; none where it is for all."""
    if isinstance(folder, StoragePath):
        return ()
    try:
        teams = json.loads(limit_file(folder, id_).read_bytes())["teams"]
        return tuple(map(str, teams))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        # Not (), which means everybody: a limit that cannot be read must not open a library.
        return _DAMAGED


def is_for(teams: Sequence[str]) -> bool:
    """Return whether who acts belongs to one of some teams, or there are none."""
    person = acting()
    return not teams or person == LOCAL or not set(person.teams).isdisjoint(teams)


def may_use(id_: str | None, folder: Path | None = None) -> bool:
    """Return whether who acts may know of a library and of whatever was made of it.

    Parameters
    ----------
    id_ : str or None
        Of the library; None for what belongs to none.
    folder : Path, optional
        Where it lies; by default where `libraries_in` says.
    """
    place = folder or _libraries
    return id_ is None or place is None or acting() == LOCAL or is_for(teams_of(place, id_))


def limit_library(folder: Path, id_: str, teams: Sequence[str]) -> None:
    """Limit a library that is there to some teams, or to nobody where there are none.

    Raises
    ------
    InputError
        If who acts would not see it any more, or a name cannot be a team's.
    LibraryError
        If it lies in object storage, or the disk refuses.
    """
    check_may_change("library", id_, did="")
    wanted = tuple(dict.fromkeys(team.strip() for team in teams))
    if not all(team and team.isprintable() for team in wanted):
        raise InputError("A team's name must have at least one visible character.")
    if not is_for(wanted):
        raise InputError("You belong to none of these teams; name one of yours as well.")
    if isinstance(folder, StoragePath):
        raise LibraryError(
            "A library in object storage cannot be limited to teams; keep it on a disk, or have "
            "another server serve it."
        )
    check_may_change("library", id_, "limited", ", ".join(wanted) or "everybody")
    file = limit_file(folder, id_)
    what = Message("The library {name!r} cannot be changed", name=id_)
    with refusals_told(what, folder, LibraryError):
        if wanted:
            write_whole(file, json.dumps({"teams": wanted}, ensure_ascii=False))
        else:
            file.unlink(missing_ok=True)
