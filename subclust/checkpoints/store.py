"""Checkpoints on disk, and which of them are in use."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace as changed
from pathlib import Path
from typing import Any, Self

from subclust.checkpoints.checkpoint import (
    Checkpoint,
    checked,
)
from subclust.checkpoints.promotions import Promotion, PromotionFile, in_force
from subclust.checkpoints.saved import SavedCheckpoints, readme_of, write_json
from subclust.core.bin import Bin
from subclust.core.exceptions import CheckpointError, CheckpointNotFoundError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.storage.disk import flush_names, write_whole

DEFAULT_METHOD = "default"
"""Stands for the method that is shipped as the default."""


class CheckpointStore(SavedCheckpoints):
    """All checkpoints, a place's own and the shipped ones, and which one each method uses.

    ``promoted.json`` lists, per method, the checkpoints that were its default, newest last, and
    under ``"default"`` the methods that were the default method; going back marks the last ones as
    undone. The one beside the shipped checkpoints says what is in use at first, and a place's own
    what has changed since. Whatever is written is on the disk when a method returns, and lies in
    the place's own folder.

    Methods raise what those of `SavedCheckpoints` do, and a `CheckpointError` where something must
    stay as it is.
    """

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Open the checkpoints of this machine: its own, and those that came with the project."""
        return cls(settings.models_dir, settings.shipped_models_dir)

    def load(self, method: str, name: str | None = None) -> Checkpoint:
        """Read a checkpoint.

        Parameters
        ----------
        name : str, optional
            By default the promoted one, or the only one there is.
        """
        return super().load(method, name or self.promoted(method))

    def note(self, method: str, name: str, facts: Mapping[str, Any]) -> None:
        """Add facts to a checkpoint's card, such as how it was judged."""
        checkpoint = self.load(method, name)
        folder = self.place(method, name)
        if self._is_fixed(method, name):
            raise CheckpointError(
                "{method}/{name} came with Subclust and is not changed; leave --save out.",
                method=method,
                name=name,
            )
        with self._promotions.locked():
            card = {**self.card(method, name), **facts}
            write_json(folder / "card.json", card)
            write_whole(folder / "README.md", readme_of(changed(checkpoint, card=card)))

    def promoted(self, method: str) -> str:
        """Name the checkpoint that a method uses unless told otherwise."""
        names = self.names(method)
        history = [one.name for one in self.history(method) if one.name in names]
        if history:
            return history[-1]
        if not names:
            raise CheckpointNotFoundError(
                "The method {method} has no trained checkpoint in {folder}; train one with "
                "'python -m subclust train {same} --data FILE --name NAME', or choose another "
                "method.",
                method=method,
                folder=self.folder,
                same=method,
            )
        return names[0]

    def default_method(self) -> str:
        """Name the method that ``default`` stands for."""
        history = self.history(DEFAULT_METHOD)
        if not history:
            raise CheckpointNotFoundError(
                "No default method is set in {path}; name a method, or restore that file.",
                path=self._promotions.path,
            )
        return history[-1].name

    def history(self, method: str, *, undone: bool = False) -> list[Promotion]:
        """List the promotions of a method's checkpoints, oldest first.

        Parameters
        ----------
        method : str
            Or ``"default"``, for those of the default method.
        undone : bool
            Whether those count that somebody went back from.
        """
        history = self._promotions.read().get(method, [])
        return history if undone else in_force(history)

    def promote(
        self,
        method: str,
        name: str | None = None,
        *,
        as_default: bool = False,
        who: str | None = None,
        why: str | None = None,
    ) -> None:
        """Make a checkpoint its method's default, and (if asked) the method the default method.

        What may be promoted without a reason is for `subclust.checkpoints.promoting` to say.
        """
        judgement = None
        if name is not None:
            judgement = self.load(method, name).card.get("judgement")
        verdict = str(judgement.get("verdict")) if isinstance(judgement, Mapping) else None
        with self._promotions.locked():
            histories = self._promotions.read()
            when = self.time()
            if name is not None:
                # Again under the lock, because it may have been removed since it was loaded.
                self.place(method, name)
                entry = Promotion(name, when, who, why, verdict)
                histories.setdefault(method, []).append(entry)
            if as_default:
                entry = Promotion(checked(method), when, who, why)
                histories.setdefault(DEFAULT_METHOD, []).append(entry)
            self._promotions.write(histories)

    def current(self, method: str) -> int | None:
        """Return the place in the whole history of the promotion that counts now.

        Returns
        -------
        int or None
            From 0, in ``history(method, undone=True)``; None where nobody promoted what is there.
        """
        history = self.history(method, undone=True)
        past = self._past(method, in_force(history))
        # By identity: somebody may promote the same checkpoint twice within one second.
        return max(i for i, one in enumerate(history) if one is past[-1]) if past else None

    def earlier(self, method: str) -> str | None:
        """Name the default before the present one, None where there was none."""
        past = self._past(method, self.history(method))
        return next((one.name for one in reversed(past) if one.name != past[-1].name), None)

    def roll_back(self, method: str, *, who: str | None = None) -> str:
        """Go back to the default before the present one, and name it.

        Checkpoints that have been removed since are passed over.

        Raises
        ------
        CheckpointError
            If there was none before.
        """
        with self._promotions.locked():
            histories = self._promotions.read()
            history = histories.get(method, [])
            past = self._past(method, in_force(history))
            kept = [one for one in past if one.name != past[-1].name]
            if not kept:
                raise CheckpointError(
                    "{method} has no earlier default to go back to; promote another checkpoint.",
                    method=method,
                )
            when = self.time()
            last = max(i for i, one in enumerate(history) if one is kept[-1])
            histories[method] = [
                changed(one, undone=when, undone_by=who) if i > last and one.undone is None else one
                for i, one in enumerate(history)
            ]
            self._promotions.write(histories)
        return kept[-1].name

    def _past(self, method: str, history: list[Promotion]) -> list[Promotion]:
        """Leave out checkpoints that have been removed since."""
        if method == DEFAULT_METHOD:
            return history
        there = self.names(method)
        return [one for one in history if one.name in there]

    def protected(
        self, method: str, name: str, needed: Mapping[str, str] | None = None
    ) -> str | None:
        """Return in one sentence why a checkpoint must stay, None where it may go.

        It stays while it is its method's default, others rest on its layers, or a default was
        trained from it. The only checkpoint of a method may go as long as nobody has promoted it.

        Parameters
        ----------
        needed : mapping of str to str, optional
            For each ``METHOD/NAME`` that is needed outside this folder, by what, such as a job
            that trains from it.
        """
        this = f"{method}/{name}"
        if self._is_fixed(method, name):
            return Message("{model} came with Subclust; such models are never removed.", model=this)
        if users := self.users(method, name):
            return Message(
                "{names} is based on the layers of {model}; remove that one first.",
                names=", ".join(users),
                model=this,
            )
        if self._in_use(method) == name:
            return Message(
                "{model} is in use as the default; promote another one first.", model=this
            )
        for other in self.methods():
            used = self._in_use(other)
            if used and (other, used) != (method, name) and self.parent(other, used) == this:
                return Message(
                    "{other}/{used}, which is in use, was trained from {model}; it stays as "
                    "long as that one is the default.",
                    model=this,
                    other=other,
                    used=used,
                )
        if needed and this in needed:
            return Message(
                "{model} is needed by {needed}; wait until that is done, or cancel it.",
                model=this,
                needed=needed[this],
            )
        return None

    def _in_use(self, method: str) -> str | None:
        """Name the checkpoint that a method uses, None where nothing depends on it."""
        names = self.names(method)
        alone = len(names) == 1 and not self.history(method)
        if not names or (alone and method not in {one.name for one in self.history("default")}):
            return None
        return self.promoted(method)

    def remove(
        self,
        method: str,
        name: str,
        needed: Mapping[str, str] | None = None,
        to: Bin | None = None,
    ) -> None:
        """Delete a checkpoint.

        Parameters
        ----------
        method, name, needed
            As for `protected`.
        to : Bin, optional
            Where it can be put back from; without one it is deleted for good.
        """
        folder = self.place(method, name)
        with self._promotions.locked():
            if reason := self.protected(method, name, needed):
                raise CheckpointError(reason)
            if to is not None:
                to.put("model", f"{method}/{name}", folder.parent.parent, [folder])
                flush_names(folder.parent)
                return
            # Renamed first, so that a process killed while it deletes leaves no half checkpoint.
            away = Path(tempfile.mkdtemp(prefix=f".{name}-", suffix=".partial", dir=folder.parent))
            folder.rename(away / name)
            flush_names(folder.parent)
        shutil.rmtree(away)

    def _is_fixed(self, method: str, name: str) -> bool:
        """Return whether a checkpoint lies among those that are only read, and is one of them."""
        inside = self.place(method, name).parent.parent == self.shipped
        return inside and self.is_shipped(method, name)

    @property
    def _promotions(self) -> PromotionFile:
        return PromotionFile(self.folder, self.shipped)
