"""Corrections in files: saved under names, and drafts that are not saved yet."""

import json
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.core.access import (
    acting,
    check_may_change,
    check_owner,
    check_sharing,
    may_open,
    shared_with,
)
from subclust.core.bin import Bin
from subclust.core.exceptions import (
    CorrectionsError,
    CorrectionsNotFoundError,
    DraftElsewhereError,
    InputError,
)
from subclust.core.limits import may_use
from subclust.core.messages import Message
from subclust.core.storage.ageing import DRAFT_DAYS, long_old
from subclust.core.storage.damaged import Damaged, sorted_out
from subclust.core.storage.disk import check_reached, write_whole
from subclust.labelled.corrections.edits import Edit, History, from_object, to_object
from subclust.labelled.corrections.saved import Basis, KeptGroup, SavedCorrections

_PATIENCE = 20.0
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")

_FORMAT = 1


@contextmanager
def _alone_in(folder: Path, what: str) -> Iterator[None]:
    """Hold a folder's lock, and turn what a disk refuses into a sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=_PATIENCE):
            yield
    except Timeout as error:
        raise CorrectionsError(
            "The saved corrections are in use by another program; try again in a moment."
        ) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CorrectionsError(
            "{what} ({reason}); check whether {folder} may be written to and has space left.",
            what=what,
            reason=reason,
            folder=folder,
        ) from error


class CorrectionStore:
    """All saved corrections of one folder. Several browsers and programs may use it at once.

    Each is one file, written beside its place and renamed, so that it is there whole or as it was
    before, whenever the machine is switched off.

    Methods raise an `InputError` for a name that corrections cannot have, a
    `CorrectionsNotFoundError` where there are none, and a `CorrectionsError` where they are
    damaged, in use, changed by somebody else meanwhile, or the disk refuses.

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
        """Read all that can be read and who acts may see, the newest first."""
        found, _ = sorted_out(self.names(), self._read)
        found = [one for one in found if _may_open(one)]
        return sorted(found, key=lambda one: (-one.saved, one.name))

    def damaged(self) -> list[Damaged]:
        """List those that cannot be read, by name."""
        return sorted_out(self.names(), self._read)[1]

    def load(self, name: str) -> SavedCorrections:
        """Read what was saved under a name."""
        saved = self._read(name)
        if not _may_open(saved):
            raise self._missing(name)
        return saved

    def _missing(self, name: str) -> CorrectionsNotFoundError:
        there = ", ".join(one.name for one in self.all()) or Message("none")
        return CorrectionsNotFoundError(
            "There are no corrections saved as {name!r} (available: {there}); choose one of these.",
            name=name,
            there=there,
        )

    def _read(self, name: str) -> SavedCorrections:
        path = self._path(name)
        try:
            saved = SavedCorrections.from_dict(json.loads(path.read_bytes()))
            if saved.name != name:
                raise ValueError(f"they are those of {saved.name}")
        except FileNotFoundError as error:
            raise self._missing(name) from error
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            check_reached(error, path)
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
            See `_check_name`.
        basis, history, groups
            As for `SavedCorrections`.
        known : int or None
            The revision that whoever saves has loaded or saved before, which alone is replaced;
            None for a new name.
        """
        path = self._path(name)
        check_may_change("corrections", name)
        with _alone_in(self.folder, Message("The corrections {name} cannot be saved", name=name)):
            there = self._read(name) if path.exists() else None
            revision = None if there is None else there.revision
            if revision != known:
                raise CorrectionsError(_not_the_same(name, revision, known))
            saved = SavedCorrections(
                name, (known or 0) + 1, time.time(), basis, history, groups, acting().name
            )
            if there is not None:
                check_owner(there.owner)
                saved = replace(saved, owner=there.owner, shared=there.shared, team=there.team)
            self._write(saved)
        return saved

    def share(self, name: str, shared: bool, team: str = "") -> SavedCorrections:
        """Let everybody who signs in load corrections, or a team, or nobody else any more."""
        # Not in the audit log yet: the owner is checked first, below.
        check_may_change("corrections", name, did="")
        with _alone_in(self.folder, Message("The corrections {name} cannot be saved", name=name)):
            saved = self.load(name)
            check_sharing(saved.owner, team)
            saved = replace(saved, shared=shared, team=team)
            check_may_change("corrections", name, "shared", shared_with(saved))
            self._write(saved)
        return saved

    def _write(self, saved: SavedCorrections) -> None:
        content = json.dumps(saved.to_dict(), ensure_ascii=False, indent=1)
        write_whole(self._path(saved.name), content)

    def delete(self, name: str, to: Bin | None = None) -> None:
        """Delete what was saved under a name, also where it is damaged.

        Parameters
        ----------
        to : Bin, optional
            Where it can be put back from; without one it is deleted for good.
        """
        path = self._path(name)
        check_may_change("corrections", name)
        owner = ""
        try:
            owner = self.load(name).owner
        except CorrectionsNotFoundError:
            raise
        except CorrectionsError:
            pass  # damaged: everybody's
        with _alone_in(self.folder, Message("The corrections {name} cannot be deleted", name=name)):
            check_owner(owner)
            if to is not None:
                to.put("corrections", name, self.folder, [path], owner=owner)
            path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{_check_name(name)}.json"


def _may_open(saved: SavedCorrections) -> bool:
    return may_open(saved) and may_use(saved.basis.library)


def _check_name(name: str) -> str:
    """Return a name back that is safe as a file's."""
    if not _NAME.fullmatch(name):
        raise InputError(
            "A name for corrections has 1 to 64 small letters from a to z, digits, '-' or '_', "
            "and begins with a letter or digit, but this is {name!r}.",
            name=name,
        )
    return name


def _not_the_same(name: str, there: int | None, known: int | None) -> str:
    if there is None:
        return Message(
            "Somebody has deleted {name} in the meantime; save your corrections under a new name.",
            name=name,
        )
    if known is None:
        return Message(
            "There are corrections called {name} already; choose another name, or load these.",
            name=name,
        )
    return Message(
        "Somebody has saved {name} in the meantime; load it to see what changed, or save yours "
        "under another name.",
        name=name,
    )


@dataclass(frozen=True)
class Draft:
    """Corrections of one question by one person, as they are now.

    Parameters
    ----------
    revision : int or None
        Of the saved corrections that they began with; None where they began with none.
    kept : tuple of Edit
        The edits of those saved corrections.
    stamp : str
        Tells each state of the draft from every other; empty before it is kept.
    """

    history: History
    revision: int | None = None
    kept: tuple[Edit, ...] = ()
    stamp: str = ""


class DraftStore:
    """The drafts of one folder, one file each, kept for `DRAFT_DAYS` after their last change.

    A file is named by a hash of its owner and what it belongs to, so that nobody finds a draft
    without its owner's key, and no file says what was asked.

    Methods raise a `CorrectionsError` where a draft is damaged or the disk refuses.

    Parameters
    ----------
    folder : Path
        Made when first written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, owner: str, about: Sequence[str]) -> Draft | None:
        """Return a draft, None where there is none.

        A damaged one is set aside under a name that ends in ``.damaged``.

        Parameters
        ----------
        owner : str
            A key that only its owner has.
        about : sequence of str
            What the corrections belong to.
        """
        path = self._path(owner, about)
        try:
            return _from_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CorrectionsError(
                "The draft of your corrections cannot be read ({reason}); check whether "
                "{folder} may be read.",
                reason=error.strerror or error,
                folder=self.folder,
            ) from error
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            aside = path.with_suffix(".damaged")
            with suppress(OSError):
                path.replace(aside)
            raise CorrectionsError(
                "The draft of your corrections is damaged ({error}) and was set aside as "
                "{aside}; start again, or load corrections that you have saved.",
                error=error,
                aside=aside,
            ) from error

    def keep(self, owner: str, about: Sequence[str], draft: Draft) -> str:
        """Write a draft over the state of it that its stamp names.

        Returns
        -------
        str
            The stamp of the new state.

        Raises
        ------
        DraftElsewhereError
            If there is another state, made in another window.
        CorrectionsError
            If the disk does not take it.
        """
        path = self._path(owner, about)
        check_may_change("corrections")
        with _alone_in(self.folder, Message("A draft of your corrections cannot be kept")):
            there = self.load(owner, about)
            if there is not None and there.stamp != draft.stamp:
                raise DraftElsewhereError(
                    "You have corrected the groups of this question in another window; reload "
                    "this page to continue from there."
                )
            if there is None:
                self._clear_out()
            stamp = secrets.token_hex(8)
            write_whole(path, _to_json(draft, stamp))
        return stamp

    def discard(self, owner: str, about: Sequence[str]) -> None:
        """Delete a draft, if there is one."""
        path = self._path(owner, about)
        if path.exists():
            check_may_change("corrections")
            with _alone_in(self.folder, Message("The draft of your corrections cannot be deleted")):
                path.unlink(missing_ok=True)

    def _path(self, owner: str, about: Sequence[str]) -> Path:
        named = json.dumps([owner, *about]).encode()
        return self.folder / f"{sha256(named).hexdigest()[:40]}.json"

    def _clear_out(self) -> None:
        oldest = time.time() - DRAFT_DAYS * 24 * 3600
        old = []
        for path in self.folder.iterdir():
            if path.suffix in (".json", ".damaged", ".partial"):
                with suppress(OSError):  # another window may have been quicker
                    if path.stat().st_mtime < oldest:
                        old.append(path.name)
        for name in long_old(self.folder, old):
            with suppress(OSError):
                (self.folder / name).unlink()


def _to_json(draft: Draft, stamp: str) -> str:
    value = {
        "format": _FORMAT,
        "stamp": stamp,
        "revision": draft.revision,
        "kept": [to_object(edit) for edit in draft.kept],
        "done": [to_object(edit) for edit in draft.history.done],
        "undone": [to_object(edit) for edit in draft.history.undone],
    }
    return json.dumps(value, ensure_ascii=False)


def _from_json(text: bytes) -> Draft:
    value = json.loads(text)
    if value["format"] != _FORMAT:
        raise ValueError(f"form {value['format']} is not known here")
    kept, done, undone = (
        tuple(from_object(edit) for edit in value[part]) for part in ("kept", "done", "undone")
    )
    revision = None if value["revision"] is None else int(value["revision"])
    return Draft(History(done, undone), revision, kept, str(value["stamp"]))
