"""Corrections that are saved under names: ``<data_dir>/corrections/<name>.json``."""

import json
import re
import time
import unicodedata
from pathlib import Path

from subclust.core.bin import Bin
from subclust.core.exceptions import CorrectionsError, CorrectionsNotFoundError, InputError
from subclust.core.messages import Message
from subclust.core.storage.damaged import Damaged, sorted_out
from subclust.core.storage.disk import write_whole
from subclust.labelled.corrections.files import alone_in
from subclust.labelled.corrections.history import History
from subclust.labelled.corrections.saved import Basis, KeptGroup, SavedCorrections

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class CorrectionStore:
    """All saved corrections of one folder. Several browsers and programs may use it at once.

    Each is one file, written beside its place and renamed, so that it is there whole or as it was
    before, whenever the machine is switched off.

    Parameters
    ----------
    folder : Path
        Made when first written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """List the names, in their order."""
        return sorted(
            path.stem for path in self.folder.glob("*.json") if _NAME.fullmatch(path.stem)
        )

    def all(self) -> list[SavedCorrections]:
        """Read all that can be read, the newest first."""
        found, _ = sorted_out(self.names(), self.load)
        return sorted(found, key=lambda one: (-one.saved, one.name))

    def damaged(self) -> list[Damaged]:
        """List those that cannot be read, by name."""
        return sorted_out(self.names(), self.load)[1]

    def load(self, name: str) -> SavedCorrections:
        """Read what was saved under a name.

        Raises
        ------
        InputError
            If no corrections can have this name.
        CorrectionsNotFoundError
            If there are none of this name.
        CorrectionsError
            If the file is damaged.
        """
        path = self._path(name)
        try:
            saved = SavedCorrections.from_dict(json.loads(path.read_bytes()))
            if saved.name != name:
                raise ValueError(f"they are those of {saved.name}")
        except FileNotFoundError as error:
            there = ", ".join(self.names()) or "none"
            raise CorrectionsNotFoundError(
                "There are no corrections saved as {name!r} (there: {there}); choose one of these.",
                name=name,
                there=there,
            ) from error
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise CorrectionsError(
                "The corrections {name} are damaged ({error}); restore {path} from a copy, or "
                "delete them.",
                name=name,
                error=error,
                path=path,
            ) from error
        return saved

    def save(
        self,
        name: str,
        basis: Basis,
        history: History,
        groups: tuple[KeptGroup, ...],
        *,
        known: int | None,
    ) -> SavedCorrections:
        """Save corrections under a name.

        Parameters
        ----------
        name : str
            See `check_name`.
        basis, history, groups
            As for `SavedCorrections`.
        known : int or None
            The revision that whoever saves has loaded or saved before, which alone is replaced;
            None for a new name.

        Returns
        -------
        SavedCorrections

        Raises
        ------
        InputError
            If no corrections can have this name.
        CorrectionsError
            If somebody else has saved or deleted them meanwhile, or the disk does not take them.
        """
        path = self._path(name)
        with alone_in(self.folder, Message("The corrections {name} cannot be saved", name=name)):
            there = self.load(name).revision if path.exists() else None
            if there != known:
                raise CorrectionsError(_not_the_same(name, there, known))
            saved = SavedCorrections(name, (known or 0) + 1, time.time(), basis, history, groups)
            write_whole(path, json.dumps(saved.to_dict(), ensure_ascii=False, indent=1))
        return saved

    def delete(self, name: str, to: Bin | None = None) -> None:
        """Delete what was saved under a name, also where it is damaged.

        Parameters
        ----------
        name : str
        to : Bin, optional
            Where it can be put back from; without one it is deleted for good.

        Raises
        ------
        InputError
            If no corrections can have this name.
        CorrectionsNotFoundError
            If there are none of this name.
        CorrectionsError
            If the disk does not let it go.
        """
        path = self._path(name)
        if not path.exists():
            self.load(name)
        with alone_in(self.folder, Message("The corrections {name} cannot be deleted", name=name)):
            if to is not None:
                to.put("corrections", name, self.folder, [path])
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{check_name(name)}.json"


def check_name(name: str) -> str:
    """Return a name back that is safe as a file's.

    Raises
    ------
    InputError
        Unless it is 1 to 64 small letters, digits, ``-`` and ``_``, a letter or digit first.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            "A name for corrections has 1 to 64 small letters from a to z, digits, '-' or '_', "
            "and begins with a letter or digit, but this is {name!r}.",
            name=name,
        )
    return name


def suggested_name(text: str) -> str:
    """Make a name of what somebody typed, or of a question: "Börse (neu)" gives "borse-neu"."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", letters).strip("-_")[:48].rstrip("-_") or "corrections"


def _not_the_same(name: str, there: int | None, known: int | None) -> str:
    if there is None:
        return Message(
            "Somebody has deleted {name} meanwhile; save your corrections under a new name.",
            name=name,
        )
    if known is None:
        return Message(
            "There are corrections called {name} already; choose another name, or load these.",
            name=name,
        )
    return Message(
        "Somebody has saved {name} meanwhile; load it to see what changed, or save yours "
        "under another name.",
        name=name,
    )
