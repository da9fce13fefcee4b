"""The jobs below a folder, and how their records change."""

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from subclust.core.access import check_may_change
from subclust.core.exceptions import DamagedJobError, InputError, NotFoundError
from subclust.core.limits import may_use
from subclust.core.messages import Message, with_messages, with_templates
from subclust.core.storage.damaged import Damaged, sorted_out
from subclust.core.storage.disk import check_reached, refusals_told, write_whole
from subclust.jobs.process import killed_for_memory
from subclust.jobs.record import RECORD_FILE, Job, is_alive, job_state

WITH_SETTINGS = ("train", "tune")
"""Commands with ``--name`` and ``--set key=value``."""


LOCK_SECONDS = 20.0
"""How long a lock that others take for milliseconds is waited for."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def with_settings(argv: Sequence[str], settings: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Return a command with another name and other settings.

    Parameters
    ----------
    argv : sequence of str
        Words after ``python -m subclust``.
    settings : mapping of str to str
        They replace those of the same key.

    Raises
    ------
    InputError
        If the command has no name and settings.
    """
    if not argv or argv[0] not in WITH_SETTINGS or option(argv, "--name") is None:
        raise InputError(
            "Only {names} can be cloned, but this job is {command}.",
            names=" and ".join(WITH_SETTINGS),
            command=" ".join(argv[:1]) or "empty",
        )
    words, rest = [], list(argv)
    while rest:
        word = rest.pop(0)
        key, equals, value = word.partition("=")
        if word in ("--resume", "--replace"):
            continue
        if key not in ("--name", "--set"):
            words.append(word)
            continue
        if not equals:
            value = rest.pop(0) if rest else ""
        if key == "--set" and _same_key(value) not in map(_same_key, settings):
            words += [key, value]
    words += ["--name", name]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return tuple(words)


def option(argv: Sequence[str], name: str) -> str | None:
    """Return the value of an option, the last where there are several; None where there is none."""
    found = None
    for number, word in enumerate(argv):
        if word == name and number + 1 < len(argv):
            found = argv[number + 1]
        elif word.startswith(f"{name}="):
            found = word.partition("=")[2]
    return found


def library_of(job: Job) -> str | None:
    """Return the library that a job works on; None where it works on none."""
    return job.title if job.argv[:1] == ("library",) else option(job.argv, "--library")


def missing_job(id: str, jobs: Sequence[Job]) -> NotFoundError:
    """Return what is raised where there is no such job for who acts."""
    there = ", ".join(job.id for job in jobs if may_use(library_of(job))) or Message("none")
    return NotFoundError("There is no job {job!r} (available: {there}).", job=id, there=there)


def _title_of(argv: Sequence[str]) -> str | None:
    """Return ``METHOD/NAME`` of a training or a search; None where it is neither."""
    name = option(argv, "--name")
    return f"{argv[1]}/{name}" if name is not None and argv[0] in WITH_SETTINGS else None


def count_of(argv: Sequence[str], name: str) -> int | None:
    """Return the value of an option that counts; None where there is none.

    Raises
    ------
    InputError
        If it is no whole number from 0.
    """
    value = option(argv, name)
    if value is None:
        return None
    if not value.isdecimal():
        raise InputError(
            "{name} must be a whole number from 0, but is {value!r}.", name=name, value=value
        )
    return int(value)


def _same_key(setting: str) -> str:
    """Return the key of a setting; one without a table belongs to ``[training]``."""
    return setting.partition("=")[0].strip().removeprefix("training.")


class JobStore:
    """All jobs below one folder; every write replaces the record by renaming.

    Reading needs no lock. Whoever changes a record reads it again under the lock first, as worker,
    pages and commands all write to it.

    Methods raise an `InputError` where there is no such job, or it is locked or at work; a
    `DamagedJobError` where its record cannot be read; a `StorageError` where the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def jobs(self) -> list[Job]:
        """List the jobs whose records can be read, oldest first."""
        found, _ = sorted_out(self._ids(), self._read)
        return sorted(found, key=lambda job: (job.created or 0.0, job.id))

    def damaged(self) -> list[Damaged]:
        """List the jobs whose records cannot be read, by id."""
        _, damaged = sorted_out(self._ids(), self._read)
        return damaged

    def load(self, id: str) -> Job:
        """Read a job."""
        # Ids come from addresses and commands; they must not lead out of the folder.
        if _ID.fullmatch(id) and (job := self._read(id)) is not None:
            return job
        raise missing_job(id, self.jobs())

    def _read(self, id: str) -> Job | None:
        path = self.path(id) / RECORD_FILE
        try:
            job = Job.from_dict(with_messages(json.loads(path.read_text(encoding="utf-8"))))
            # Records are saved under their own id: one in a copied folder would replace another.
            if job.id != id:
                raise ValueError("it is that of another job")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
            check_reached(error, path)
            raise DamagedJobError(
                "The record of the job {job} is damaged; remove the job, or restore {file} from a "
                "copy.",
                job=id,
                file=path,
            ) from error
        return job

    def find(self, id: str) -> Job | None:
        """Read a job, or give None where there is none of that id."""
        try:
            return self.load(id)
        except InputError:
            return None

    def _ids(self) -> list[str]:
        names = (path.parent.name for path in self.folder.glob(f"*/{RECORD_FILE}"))
        return sorted(name for name in names if _ID.fullmatch(name))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep all others from changing records meanwhile."""
        check_may_change("job")
        lock = FileLock(self.folder / ".lock")
        try:
            with refusals_told(Message("The jobs cannot be changed"), self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
                lock.acquire(timeout=LOCK_SECONDS)
        except Timeout as error:
            raise InputError(
                "The jobs in {folder} are locked by another program; try again in a moment.",
                folder=self.folder,
            ) from error
        try:
            yield
        finally:
            lock.release()

    def update(self, id: str, change: Callable[[Job], Job], *, durable: bool = True) -> Job:
        """Read a job, change it and write it, while nobody else does.

        Parameters
        ----------
        change : callable
            Gives the job as it shall be; the same one where nothing changes.
        durable : bool
            Whether it must outlast a power failure.
        """
        with self.locked():
            before = self.load(id)
            after = change(before)
            if after != before:
                self.save(after, durable=durable)
        return after

    def save(self, job: Job, *, durable: bool = True) -> None:
        """Write a job's record."""
        path = self.path(job.id) / RECORD_FILE
        with refusals_told(Message("The job {id} cannot be recorded", id=job.id), self.folder):
            write_whole(path, json.dumps(with_templates(asdict(job)), indent=1), durable=durable)

    def begin(self, id: str, argv: tuple[str, ...], *, device: str | None = None) -> Job:
        """Record that this process does a job, now, in whatever state it was."""
        with self.locked():
            before = self.find(id)
            if before is not None and before.is_this_process and before.outcome is None:
                return before
            state = job_state(before, is_alive(before)) if before else None
            if state in ("running", "cancelling"):
                raise InputError(
                    "The job {job} is already running; wait until it has finished, or "
                    "choose another name.",
                    job=id,
                )
            if before is not None and state == "queued" and before.queued_at is not None:
                raise InputError(
                    "The job {job} is already in the queue; wait for its turn, or cancel it.",
                    job=id,
                )
            resumed = before is not None and before.argv[:2] == argv[:2] and "--resume" in argv
            job = Job(
                id,
                argv,
                created=before.created if before and resumed else time.time(),
                kind=argv[0] if argv else "train",
                title=_title_of(argv) or id,
                device=device,
                cwd=os.getcwd(),
            ).by_this_process()
            self.save(job)
        return job

    def beat(self, job: Job) -> Job:
        """Record that the job is alive."""
        kills = killed_for_memory()

        def beat(now: Job) -> Job:
            mine = now.pid == job.pid and now.outcome is None
            return replace(now, heartbeat=time.time(), memory_kills=kills) if mine else now

        return self.update(job.id, beat, durable=False)

    def end(self, job: Job, outcome: str, error: str | None = None, **told: Any) -> Job:
        """Record how the job ended; what is known of its end already stays.

        Parameters
        ----------
        outcome : {"finished", "cancelled", "failed"}
        **told
            Other fields, such as ``way_out``.
        """

        def end(now: Job) -> Job:
            if now.outcome is not None or now.pid != job.pid:
                return now
            return replace(now, finished=time.time(), outcome=outcome, error=error, **told)

        return self.update(job.id, end)

    def remove(self, id: str) -> None:
        """Delete a job's folder, whole or not at all as far as its record goes."""
        with self.locked():
            # A name that begins with a dot is no id, so the job leaves all lists at once, however
            # long deleting its files takes.
            gone = self.folder / f".{id}.{os.getpid()}.removed.partial"
            with refusals_told(Message("The job {id} cannot be removed", id=id), self.folder):
                self.path(id).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def path(self, id: str) -> Path:
        """Return a job's folder."""
        return self.folder / id


def unique_id(wanted: str, taken: Callable[[str], bool]) -> str:
    """Make a folder's name of a title, with a number behind it where it is taken.

    Raises
    ------
    InputError
        If nothing of the title can stand in a folder's name.
    """
    id = re.sub(r"[^A-Za-z0-9._-]+", "-", wanted).strip("-._")
    if not id:
        raise InputError("{name!r} cannot name a job; give it letters or digits.", name=wanted)
    number, unique = 1, id
    while taken(unique):
        number += 1
        unique = f"{id}-{number}"
    return unique
