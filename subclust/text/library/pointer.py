"""Which version of a library is in use: one small file, replaced by renaming.

A library that was never embedded anew has no such file: its table is version 1, in
``<name>.lance``. Version n lies beside it in ``<name>.<n>.lance``.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from subclust.core.exceptions import LibraryError
from subclust.core.messages import Message
from subclust.core.storage import StoragePath
from subclust.core.storage.disk import refusals_told, write_whole


@dataclass(frozen=True)
class Building:
    """A version that is being built.

    Parameters
    ----------
    number : int
    encoder_name, encoder_revision : str
        Of the encoder whose vectors it will hold.
    """

    number: int
    encoder_name: str
    encoder_revision: str


@dataclass(frozen=True)
class Pointer:
    """The versions of a library.

    Parameters
    ----------
    current : int
        The one in use.
    previous : int or None
        The one that was in use before it, and can be again.
    building : Building or None
    last : int
        The highest number that was ever given; none is given twice.
    """

    current: int = 1
    previous: int | None = None
    building: Building | None = None
    last: int = 1

    @classmethod
    def load(cls, folder: Path, name: str) -> "Pointer":
        """Read what there is; without a file, version 1 is all, as it is in object storage.

        Raises
        ------
        LibraryError
            If the file is damaged.
        """
        if isinstance(folder, StoragePath):
            return cls()
        file = pointer_file(folder, name)
        try:
            read = json.loads(file.read_bytes())
            building = read["building"]
            found = cls(
                read["current"],
                read["previous"],
                None if building is None else Building(**building),
                read["last"],
            )
            numbers = (found.current, *found.numbers)
            if not all(type(one) is int and 1 <= one <= found.last for one in numbers):
                raise ValueError("a version has no number, or one that was never given")
            return found
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise LibraryError(
                "The file {file}, which says what version of the library {name!r} is in use, is "
                "damaged; restore the library from a backup, or remove it and import its "
                "documents again.",
                file=file,
                name=name,
            ) from error

    def save(self, folder: Path, name: str) -> None:
        """Write it beside its place and rename it there; it is on the disk when this returns."""
        with refusals_told(Message("The library {name!r} cannot be changed", name=name), folder):
            write_whole(pointer_file(folder, name), json.dumps(asdict(self)))

    def switched(self, number: int) -> "Pointer":
        """Return the versions once this one is in use."""
        building = self.building
        if building is not None and building.number == number:
            building = None
        return replace(self, current=number, previous=self.current, building=building)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The versions that are needed, the one in use first."""
        building = None if self.building is None else self.building.number
        return tuple(n for n in (self.current, self.previous, building) if n is not None)


def pointer_file(folder: Path, name: str) -> Path:
    """Name the file that says what version is in use."""
    return folder / f".{name}.versions.json"


def table_of(name: str, number: int) -> str:
    """Name the table of a version."""
    return name if number == 1 else f"{name}.{number}"
