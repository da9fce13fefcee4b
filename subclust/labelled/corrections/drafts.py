"""Drafts: corrections that somebody is making and has not saved yet."""

import json
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from subclust.core.exceptions import CorrectionsError, DraftElsewhereError
from subclust.core.messages import Message
from subclust.core.storage.disk import write_whole
from subclust.labelled.corrections.edits import Edit
from subclust.labelled.corrections.files import alone_in
from subclust.labelled.corrections.history import History
from subclust.labelled.corrections.written import from_object, to_object

DRAFT_DAYS = 30
"""Days after its last change for which a draft is kept."""

_FORMAT = 1


@dataclass(frozen=True)
class Draft:
    """Corrections of one question by one person, as they are now.

    Parameters
    ----------
    history : History
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

        Raises
        ------
        CorrectionsError
            If it is damaged, or cannot be read.
        """
        path = self._path(owner, about)
        try:
            return _from_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CorrectionsError(
                "The draft of your corrections cannot be read ({reason}); look whether {folder} "
                "may be read.",
                reason=error.strerror or error,
                folder=self.folder,
            ) from error
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            aside = path.with_suffix(".damaged")
            with suppress(OSError):
                path.replace(aside)
            raise CorrectionsError(
                "The draft of your corrections is damaged ({error}) and was set aside as {aside}; "
                "begin anew, or load corrections that you have saved.",
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
        with alone_in(self.folder, Message("A draft of your corrections cannot be kept")):
            there = self.load(owner, about)
            if there is not None and there.stamp != draft.stamp:
                raise DraftElsewhereError(
                    "You have corrected the groups of this question in another window; reload this "
                    "one to go on from there."
                )
            if there is None:
                self._clear_out()
            stamp = secrets.token_hex(8)
            write_whole(path, _to_json(draft, stamp))
        return stamp

    def discard(self, owner: str, about: Sequence[str]) -> None:
        """Delete a draft, if there is one.

        Raises
        ------
        CorrectionsError
            If the disk does not let it go.
        """
        path = self._path(owner, about)
        if path.exists():
            with alone_in(self.folder, Message("The draft of your corrections cannot be deleted")):
                path.unlink(missing_ok=True)

    def _path(self, owner: str, about: Sequence[str]) -> Path:
        named = json.dumps([owner, *about]).encode()
        return self.folder / f"{sha256(named).hexdigest()[:40]}.json"

    def _clear_out(self) -> None:
        oldest = time.time() - DRAFT_DAYS * 24 * 3600
        for path in self.folder.iterdir():
            if path.suffix in (".json", ".damaged", ".partial"):
                with suppress(OSError):  # another window may have been quicker
                    if path.stat().st_mtime < oldest:
                        path.unlink()


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
