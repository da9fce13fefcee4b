"""All that is kept of one person: exported to a file, or deleted."""

import json
import os
import secrets
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, TypeVar

from subclust.core import audit
from subclust.core.access import LOCAL, acting_as, check_may_change
from subclust.core.accounts import Accounts
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.storage.ageing import long_old
from subclust.core.storage.disk import refusals_told
from subclust.core.tokens import TokenStore
from subclust.deleting.removal import bin_of
from subclust.jobs import JobStore
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.labelled.sets.sharing import SHARING_FILE
from subclust.sessions import SessionStore
from subclust.sessions.records import SUFFIX


class _Owned(Protocol):
    @property
    def owner(self) -> str: ...


_T = TypeVar("_T", bound=_Owned)


class _Person:
    """What is kept of somebody, seen by whoever is at the computer."""

    def __init__(self, settings: Settings, name: str) -> None:
        self.name = name
        self.sessions = SessionStore(settings.sessions_dir)
        self.corrections = CorrectionStore(settings.corrections_dir)
        self.sets = LabelledSetStore(settings.sets_dir)
        self.tokens = TokenStore(settings.tokens_dir)
        self.bin = bin_of(settings)
        self.jobs = JobStore(settings.jobs_dir)
        self.audit_log = settings.audit_dir / "audit.jsonl"
        self.own_sessions = self._own(self.sessions.headers())
        self.own_corrections = self._own(self.corrections.all())
        self.own_sets = self._own(self.sets.sets())
        self.own_tokens = self._own(self.tokens.all())
        self.own_bin = self._own(self.bin.entries())
        self.own_jobs = self._own(self.jobs.jobs())
        lines = audit.lines(self.audit_log)
        self.own_lines = [line for line in lines if self.is_them(str(line.get("person", "")))]

    def is_them(self, name: str) -> bool:
        return name.casefold() == self.name.casefold()

    def _own(self, things: Iterable[_T]) -> list[_T]:
        return [one for one in things if self.is_them(one.owner)]

    def counts(self) -> dict[str, int]:
        return {
            "sessions": len(self.own_sessions),
            "corrections": len(self.own_corrections),
            "sets": len(self.own_sets),
            "tokens": len(self.own_tokens),
            "bin": len(self.own_bin),
            "jobs": len(self.own_jobs),
            "audit": len(self.own_lines),
        }


def kept_of(settings: Settings, name: str) -> dict[str, int]:
    """Return how much of each kind is kept of somebody."""
    _check_given(name)
    with acting_as(LOCAL):
        return _Person(settings, name).counts()


def export_person(settings: Settings, name: str, to: Path) -> dict[str, int]:
    """Write all that is kept of somebody to a ZIP file, and return how much of each kind it is.

    Access tokens are in it without their hashes. Drafts of corrections are not, since nobody can
    tell whose they are.

    Parameters
    ----------
    name : str
        By which the sign-in knows them.
    to : Path
        Only whoever runs this may read it.

    Raises
    ------
    InputError
        If the name is empty, or the file exists already.
    StorageError
        If the disk refuses.
    """
    check_may_change("person", name, "exported")
    _check_given(name)
    if to.exists():
        raise InputError("There is a file {file} already; name another one.", file=to)
    with (
        acting_as(LOCAL),
        refusals_told(Message("The file cannot be written"), to.parent),
        # Beside the target, because a rename works only within one file system.
        tempfile.TemporaryDirectory(prefix=".person-", dir=to.parent) as work,
    ):
        person = _Person(settings, name)
        counts = person.counts()
        beside = Path(work) / to.name
        with zipfile.ZipFile(beside, "x", zipfile.ZIP_DEFLATED) as archive:
            about = {"person": name, "exported": datetime.now(UTC).isoformat(timespec="seconds")}
            archive.writestr("person.json", _json({**about, **counts}))
            for member, content in _members(person):
                archive.writestr(member, content)
        # Before the rename; until then the private temporary folder protects the file.
        beside.chmod(0o600)
        os.replace(beside, to)
    return counts


def _members(person: _Person) -> Iterator[tuple[str, bytes | str]]:
    for session in person.own_sessions:
        yield f"sessions/{session.id}{SUFFIX}", person.sessions.export(session.id)
    for saved in person.own_corrections:
        yield f"corrections/{saved.name}.json", _json(saved.to_dict())
    for kept in person.own_sets:
        for file in sorted(kept.path.parent.iterdir()):
            yield f"sets/{kept.name}/{kept.version}/{file.name}", file.read_bytes()
    for entry in person.own_bin:
        for named in entry.files:
            place = person.bin.place(entry, named)
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.is_file():
                    inside = path.relative_to(place.parent)
                    yield f"bin/{entry.id}/{inside.as_posix()}", path.read_bytes()
    tokens = [asdict(one) for one in person.own_tokens]
    for token in tokens:
        del token["sha256"]
    yield "tokens.json", _json(tokens)
    yield "jobs.json", _json([asdict(one) for one in person.own_jobs])
    yield "audit.jsonl", "".join(json.dumps(line) + "\n" for line in person.own_lines)


def delete_person(settings: Settings, name: str) -> dict[str, int]:
    """Delete all that is kept of somebody for good, and return how much of each kind it was.

    Lines of the audit log stay, with a name in the place of theirs that is drawn at random and kept
    nowhere; so do jobs, as nobody's, and the libraries and models that they worked on.

    Parameters
    ----------
    name : str
        By which the sign-in knows them.

    Raises
    ------
    InputError
        If the name is empty.
    SubclustError
        If something of theirs cannot be deleted; doing it again goes on.
    """
    check_may_change("person", "", "deleted")
    _check_given(name)
    with acting_as(LOCAL):
        person = _Person(settings, name)
        counts = person.counts()
        for token in person.own_tokens:
            person.tokens.revoke(token.id)
        for session in person.own_sessions:
            person.sessions.delete(session.id)
        for saved in person.own_corrections:
            person.corrections.delete(saved.name)
        for label in dict.fromkeys(kept.name for kept in person.own_sets):
            person.sets.remove(label)
        # The folder of a removed set stays, as version numbers are never reused, with its owner.
        for file in settings.sets_dir.glob(f"*/{SHARING_FILE}"):
            if person.is_them(str(json.loads(file.read_bytes()).get("owner", ""))):
                file.unlink()
        for entry in person.own_bin:
            person.bin.remove(entry)
        for job in person.own_jobs:
            person.jobs.update(job.id, lambda now: replace(now, owner="", teams=()))
        instead = f"person-{secrets.token_hex(4)}"

        def unnamed(line: dict[str, Any]) -> dict[str, Any]:
            return {
                key: instead if isinstance(value, str) and person.is_them(value) else value
                for key, value in line.items()
            }

        if person.audit_log.exists():
            audit.rewrite(person.audit_log, unnamed, forgotten=name)
    return counts


def forget_old(settings: Settings, accounts: Accounts) -> dict[str, int]:
    """Delete for good what is older than the accounts say, and what the bin has kept long enough.

    What is old when this is called first goes when it is called a day later: a clock may leap.

    Returns
    -------
    dict of str to int
        How many sessions, lines of the audit log and things of the bin went.
    """
    keep, counts = accounts.retention, {"sessions": 0, "audit": 0}
    with acting_as(LOCAL):
        if keep.sessions is not None:
            store = SessionStore(settings.sessions_dir)
            oldest = _days_ago(keep.sessions)
            old = [one.id for one in store.headers() if datetime.fromisoformat(one.saved) < oldest]
            for id_ in long_old(settings.sessions_dir, old):
                store.delete(id_)
                counts["sessions"] += 1
        file = settings.audit_dir / "audit.jsonl"
        if keep.audit is not None and file.exists():
            oldest = _days_ago(keep.audit)
            # By day, because `long_old` notes every name in a file, and a log has very many lines.
            times = {_day(line) for line in audit.lines(file) if _when(line) < oldest}
            over = set(long_old(settings.audit_dir, sorted(times)))
            counts["audit"] = audit.rewrite(
                file, lambda line: None if _when(line) < oldest and _day(line) in over else line
            )
        counts["bin"] = len(bin_of(settings).sweep())
    return counts


def _days_ago(days: int) -> datetime:
    return datetime.fromtimestamp(time.time(), UTC) - timedelta(days=days)


def _when(line: dict[str, Any]) -> datetime:
    try:
        return datetime.fromisoformat(str(line.get("time")))
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def _day(line: dict[str, Any]) -> str:
    return _when(line).date().isoformat()


def _check_given(name: str) -> None:
    if not name.strip():
        raise InputError("Give the name by which the sign-in knows somebody.")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
