"""Which checkpoints were put in use, by whom, when and why: ``promoted.json``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from subclust.checkpoints.saved import write_json
from subclust.core.access import check_may_change
from subclust.core.exceptions import CheckpointError
from subclust.core.storage.damaged import typed

_PROMOTED_FILE = "promoted.json"
_LOCK_FILE = ".promoted.lock"
LONGEST_WAIT = 20.0
"""Seconds that a change waits for others that are going on."""


@dataclass(frozen=True)
class Promotion:
    """One line of a method's history.

    Parameters
    ----------
    name : str
        Of the checkpoint, or of the method in the history of the default method.
    when, who, why : str or None
        Time in UTC by ISO 8601, and what somebody told; None where nothing was told.
    verdict : str or None
        Of the judgement at that time.
    undone, undone_by : str or None
        When and by whom it was gone back from; None where it counts.
    """

    name: str
    when: str | None = None
    who: str | None = None
    why: str | None = None
    verdict: str | None = None
    undone: str | None = None
    undone_by: str | None = None

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read an entry: a plain name, as older files have them, or an object.

        Raises
        ------
        ValueError
            If it is neither.
        """
        if isinstance(value, str):
            return cls(value)
        return typed(cls, value)

    def to_dict(self) -> dict[str, str | None]:
        """Return all facts as one object for JSON."""
        return asdict(self)

    def to_json(self) -> str | dict[str, str]:
        """Write an entry; a plain name where nothing more is known."""
        told = {key: value for key, value in asdict(self).items() if value is not None}
        return self.name if len(told) == 1 else told


History = dict[str, list[Promotion]]


def in_force(history: Sequence[Promotion]) -> list[Promotion]:
    """Leave out the promotions that somebody went back from."""
    return [promotion for promotion in history if promotion.undone is None]


class PromotionFile:
    """The histories of all methods in one file, which several processes may change at once.

    Parameters
    ----------
    folder : Path
        Of the checkpoints.
    beneath : Path, optional
        Folder whose file is read and never written, such as that of the shipped checkpoints. The
        histories begin with what it says, so that a newer version brings its defaults; the file in
        `folder` holds what this place adds, and which entries of the other it went back from.
    """

    def __init__(self, folder: Path, beneath: Path | None = None) -> None:
        self.path = folder / _PROMOTED_FILE
        self._beneath = None if beneath in (None, folder) else beneath / _PROMOTED_FILE

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold off other changes; the lock falls when its process dies, however it dies.

        Raises
        ------
        CheckpointError
            If others hold it for longer than `LONGEST_WAIT`.
        """
        check_may_change("model")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.path.with_name(_LOCK_FILE), timeout=LONGEST_WAIT):
                yield
        except Timeout as error:
            raise CheckpointError(
                "Somebody else is changing the models; wait until that is done, and try again."
            ) from error
        except PermissionError as error:
            raise CheckpointError(
                "{parent} cannot be written to; ask whoever looks after this machine for "
                "permission.",
                parent=self.path.parent,
            ) from error

    def read(self) -> History:
        """Read the promotions of each method, oldest first; empty where there is no file.

        Raises
        ------
        CheckpointError
            If it is damaged.
        """
        own = _read(self.path)
        if self._beneath is None:
            return own
        shipped = _read(self._beneath)
        return {
            method: _joined(shipped.get(method, []), own.get(method, []))
            for method in {**shipped, **own}
        }

    def write(self, history: Mapping[str, Sequence[Promotion]]) -> None:
        """Put other histories in the place of the present ones; the caller holds the lock."""
        shipped = {} if self._beneath is None else _read(self._beneath)
        # Shipped entries stay out of this file, so that those of a later version can replace them.
        own = {
            method: [one for one in promotions if one not in shipped.get(method, [])]
            for method, promotions in history.items()
        }
        write_json(
            self.path,
            {
                method: [one.to_json() for one in entries]
                for method, entries in own.items()
                if entries
            },
        )


def _joined(shipped: Sequence[Promotion], own: Sequence[Promotion]) -> list[Promotion]:
    """Add a place's own promotions to the shipped ones.

    Its copy of a shipped entry says whether it was gone back from. Other entries without a time
    were shipped by an earlier version, and so come first.
    """
    copies = {(one.name, one.when): one for one in own}
    known = {(one.name, one.when) for one in shipped}
    added = [one for one in own if (one.name, one.when) not in known]
    return [
        *(one for one in added if one.when is None),
        *(copies.get((one.name, one.when), one) for one in shipped),
        *(one for one in added if one.when is not None),
    ]


def _read(path: Path) -> History:
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or not all(
            isinstance(entries, list) for entries in found.values()
        ):
            raise ValueError("it must hold one object of lists")
        return {
            method: [Promotion.from_json(entry) for entry in entries]
            for method, entries in found.items()
        }
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise CheckpointError(
            "{path} cannot be read ({error}); restore or delete it.", path=path, error=error
        ) from error
