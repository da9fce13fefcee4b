"""What lies in the data folder and cannot be read, as lists show it beside what can."""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from subclust.core.exceptions import SubclustError
from subclust.core.messages import Message

Found = TypeVar("Found")

ZIP_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What comes of reading a ZIP archive that is damaged or crafted."""


def zip_damage(file: Path) -> Message:
    """Return what is wrong with a file whose reading ended in one of `ZIP_DAMAGES`."""
    # What Python says of it, such as "Bad magic number", helps nobody to a sound file.
    if zipfile.is_zipfile(file):
        return Message("it is damaged")
    return Message("it is not a ZIP file, or not a whole one")


@dataclass(frozen=True)
class Damaged:
    """A record that cannot be read.

    Parameters
    ----------
    name : str
        What its store calls it.
    problem : str
        A sentence: what is wrong, and what can be done.
    """

    name: str
    problem: str

    def __str__(self) -> str:
        """Return the line of a list, a `Message`."""
        return Message("{name}  damaged  {problem}", name=self.name, problem=self.problem)

    def to_dict(self) -> dict[str, Any]:
        """Return it as ``--json`` prints it."""
        return asdict(self)


def sorted_out(
    names: Iterable[str], load: Callable[[str], Found | None]
) -> tuple[list[Found], list[Damaged]]:
    """Load what can be loaded, and list what is wrong with the rest.

    Parameters
    ----------
    names : iterable of str
    load : callable
        Raises a `SubclustError` where the record of a name cannot be read; None where it is gone.
    """
    found, damaged = [], []
    for name in names:
        try:
            if (one := load(name)) is not None:
                found.append(one)
        except SubclustError as error:
            damaged.append(Damaged(name, error.sentence))
    return found, damaged


def typed(kind: type[Found], value: object) -> Found:
    """Make a dataclass of what JSON held, if every field is of its kind.

    Parameters
    ----------
    value : mapping of str to value
        Fields that the dataclass does not have are passed over.

    Raises
    ------
    ValueError
        If a field is missing or of another kind; the message names it.
    """
    from pydantic import ValidationError  # whoever reads no record, as --help, does not wait for it

    checker: Any = _checker
    try:
        made: Found = checker(kind).validate_python(value)
    except ValidationError as error:
        raise ValueError(first_mistake(error)) from error
    return made


def read_typed(kind: type[Found], content: bytes) -> Found:
    """Read a dataclass from JSON as `typed` does, but take no text for a number or the like.

    Raises
    ------
    ValueError
        If it is no JSON, or a field is missing or of another kind.
    """
    checker: Any = _checker
    made: Found = checker(kind).validate_json(content, strict=True)
    return made


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, for a sentence that names it."""
    return (str(error) or type(error).__name__).split("\n", 1)[0]


def first_mistake(error: ValueError) -> str:
    """Return what pydantic found first, and where: ``"groups.0.name: Field required"``."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return first_line(error)
    # Without the input, which may be as large as the file, or secret.
    told = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in told["loc"])
    said = told["msg"].removeprefix("Value error, ")
    return f"{place[:200]}: {said[:300]}" if place else said[:300]


@cache
def _checker(kind: type[Any]) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
