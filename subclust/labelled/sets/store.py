"""Labelled sets that are kept: ``<data_dir>/sets/<name>/<version>/``, each whole or not there."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
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
from subclust.core.exceptions import LabelledSetError, LabelledSetNotFoundError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.core.records.names import counting_key
from subclust.core.storage.damaged import Damaged, sorted_out
from subclust.core.storage.disk import Readable, flush_names, new_folder
from subclust.labelled.reading.checker import MAX_WORDS, CheckReport, check_labelled_set
from subclust.labelled.reading.instances import file_digest
from subclust.labelled.sets.export import export_set
from subclust.labelled.sets.files import told_plainly, write_normal
from subclust.labelled.sets.left_out import (
    left_out_rows,
    refuse_errors,
    whole_queries,
    why_not_without,
)
from subclust.labelled.sets.preview import Preview, preview_apart, read_apart
from subclust.labelled.sets.record import (
    INCOMING,
    LEFT_OUT_FILE,
    RECORD_FILE,
    REMOVED,
    SET_FILE,
    SET_PREFIX,
    VERSION,
    LabelledSet,
    LeftOutRow,
    check_set_name,
    place,
    read_record,
    set_reference,
    versions,
)
from subclust.labelled.sets.sharing import Sharing, read_sharing, write_sharing
from subclust.labelled.sets.upload import Upload, receive_upload, sweep

_PATIENCE = 60.0

_CHECK_SECONDS, _CHECK_MEMORY = 300.0, 2 << 30
"""What the check of an upload may take in a process of its own."""


class LabelledSetStore:
    """All labelled sets below one folder.

    A set has a name and versions 1, 2, 3 and so on; a number is never given twice. Uploads lie in
    ``incoming/`` until they are kept, and are swept away after a day. Several processes may work on
    one store.

    Methods raise an `InputError` for a name that no set can have, a `LabelledSetNotFoundError`
    where there is none, and a `LabelledSetError` where it is damaged or the disk refuses.

    Parameters
    ----------
    folder : Path
        Made when first written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def receive(self, stream: Readable, filename: str, *, n_bytes: int | None = None) -> Upload:
        """Write an upload to disk, piece by piece, if it is text; see `receive_upload`."""
        check_may_change("set")
        with told_plainly(Message("{filename!r} cannot be received", filename=filename)):
            sweep(self._incoming)
            for forgotten in self.folder.glob(f"*/{REMOVED}*/*"):
                forgotten.unlink(missing_ok=True)  # of a removal that was killed
            return receive_upload(self._incoming, stream, filename, n_bytes=n_bytes)

    def discard(self, upload: Upload) -> None:
        """Delete an upload that is not wanted any more."""
        shutil.rmtree(upload.path.parent, ignore_errors=True)

    def preview(self, upload: Upload) -> Preview:
        """Show how an upload begins, and guess which column holds what; see `preview_apart`."""
        return preview_apart(_there(upload).path)

    def check(
        self,
        upload: Upload,
        columns: Mapping[str, str] | None = None,
        *,
        max_words: int | None = MAX_WORDS,
    ) -> CheckReport:
        """Find every problem of an upload; see `check_labelled_set`."""
        return check_labelled_set(_there(upload).path, columns=columns, max_words=max_words)

    def check_apart(
        self, upload: Upload, columns: Mapping[str, str] | None, *, max_words: int | None
    ) -> CheckReport:
        """Do as `check` in a process of its own, so that a visitor's file holds up nobody else."""
        report: CheckReport = read_apart(
            check_labelled_set,
            _there(upload).path,
            seconds=_CHECK_SECONDS,
            most_bytes=_CHECK_MEMORY,
            columns=columns,
            max_words=max_words,
        )
        return report

    def keep(
        self,
        upload: Upload,
        name: str,
        columns: Mapping[str, str] | None = None,
        *,
        without_errors: bool = False,
        title: str | None = None,
        report: CheckReport | None = None,
    ) -> LabelledSet:
        """Keep an upload as the next version of a set, and delete the upload.

        Parameters
        ----------
        name : str
            See `check_set_name`.
        columns : mapping of str to str, optional
            Our column names to those of the file.
        without_errors : bool
            Whether to leave out the rows that have errors, where `why_not_without` allows it.
        title : str, optional
            For people; by default the file's name.
        report : CheckReport, optional
            What `check` said of this upload and these columns, so that it is not checked again.

        Returns
        -------
        LabelledSet
            Where the newest version holds just the same, that one, with `is_new` False.

        Raises
        ------
        InputError
            If the name cannot be a set's.
        LabelledSetError
            If there are errors and they are not, or cannot be, left out; if the disk does not
            take it.
        """
        check_set_name(name)
        if report is None or report.path != upload.path:
            report = self.check(upload, columns)
        if not without_errors:
            refuse_errors(report)
        elif (sentence := why_not_without(report)) is not None:
            raise LabelledSetError(sentence)
        left_out = left_out_rows(report)
        instances = whole_queries(report.instances)
        n_passages = sum(len(instance.passages) for instance in instances)
        planned = LabelledSet(
            name=name,
            version=0,
            title=(title or "").strip() or upload.filename,
            created=time.time(),
            sha256="",
            filename=upload.filename,
            n_queries=len({instance.query.text for instance in instances}),
            n_passages=n_passages,
            n_labels=sum(len(set(instance.gold())) for instance in instances),
            n_left_out=max(report.n_rows - n_passages, len(left_out)) if left_out else 0,
            path=Path(),
            owner=acting().name,
        )
        with told_plainly(Message("The set {name} cannot be stored", name=name)):
            kept = self._write(planned, instances, left_out)
        self.discard(upload)
        return kept

    def sets(self) -> list[LabelledSet]:
        """List all versions of all sets that who acts may see, by name, newest version first."""
        return sorted(
            self._sorted_out()[0], key=lambda kept: (counting_key(kept.name), -kept.version)
        )

    def damaged(self) -> list[Damaged]:
        """List the versions of sets that cannot be read, as ``NAME@VERSION``."""
        return self._sorted_out()[1]

    def _sorted_out(self) -> tuple[list[LabelledSet], list[Damaged]]:
        names = (
            set_reference(f"{SET_PREFIX}{path.parent.parent.name}@{path.parent.name}")
            for path in sorted(self.folder.glob(f"*/*/{RECORD_FILE}"))
            if VERSION.fullmatch(path.parent.name)
        )
        return sorted_out(
            (f"{name}@{version}" for name, version in names),
            lambda label: self._seen(*set_reference(f"{SET_PREFIX}{label}")),
        )

    def _seen(self, name: str, version: int | None) -> LabelledSet | None:
        """Look up a set; None where it is not for who acts."""
        return self.load(name, version) if may_open(read_sharing(self.folder / name)) else None

    def load(self, name: str, version: int | None = None) -> LabelledSet:
        """Look up a set.

        Parameters
        ----------
        version : int, optional
            By default the newest.
        """
        versions = self._versions(check_set_name(name))
        if not versions or not may_open(read_sharing(self.folder / name)):
            there = ", ".join(sorted({kept.name for kept in self.sets()})) or Message("none")
            raise LabelledSetNotFoundError(
                "There is no labelled set {name!r} (available: {there}); choose one of these, "
                "or add it with 'python -m subclust sets add'.",
                name=name,
                there=there,
            )
        if version is not None and version not in versions:
            there = ", ".join(map(str, versions))
            raise LabelledSetNotFoundError(
                "The labelled set {name} has no version {number} (available: {there}); choose "
                "one of these.",
                name=name,
                number=version,
                there=there,
            )
        kept = read_record(self.folder / name / str(version or versions[-1]))
        if not kept.path.is_file():
            raise LabelledSetError(
                "The labelled set {name} is damaged: {file} is missing; restore it, or add the "
                "set again.",
                name=kept.label,
                file=kept.path,
            )
        return kept

    def find(self, reference: str) -> LabelledSet | None:
        """Look up ``set:NAME`` or ``set:NAME@VERSION`` and hold its file to its sum.

        Returns
        -------
        LabelledSet or None
            None where `reference` does not begin with ``set:``, so that it is something else.
        """
        if not reference.startswith(SET_PREFIX):
            return None
        kept = self.load(*set_reference(reference))
        if file_digest(kept.path) != kept.sha256:
            raise LabelledSetError(
                "The labelled set {name} is damaged: {file} is not what was kept; restore it, or "
                "add the set again.",
                name=kept.label,
                file=kept.path,
            )
        return kept

    def export(self, name: str, version: int | None, path: Path) -> Path:
        """Write a set to a file, in the format of its ending; see `export_set`."""
        return export_set(self.load(name, version), path)

    def share(self, name: str, shared: bool, team: str = "") -> Sharing:
        """Let everybody who signs in use a set, or a team, or nobody else any more."""
        # Not in the audit log yet: the owner is checked first, below.
        check_may_change("set", name, did="")
        sharing = Sharing(self.load(name).owner, shared, team)
        check_sharing(sharing.owner, team)
        with (
            told_plainly(Message("The set {name} cannot be stored", name=name)),
            self._alone(name, "shared", shared_with(sharing)),
        ):
            write_sharing(self.folder / name, sharing)
        return sharing

    def remove(
        self, name: str, version: int | None = None, to: Bin | None = None
    ) -> list[LabelledSet]:
        """Delete a set, or one version of it, whoever reads it.

        Parameters
        ----------
        version : int, optional
            By default all.
        to : Bin, optional
            Where it can be put back from; without one it is deleted for good.
        """
        owner = self.load(name, version).owner
        check_owner(owner)
        cannot = Message("The set {name} cannot be removed", name=name)
        with told_plainly(cannot), self._alone(name):
            doomed = [self.load(name, v) for v in self._versions(name) if version in (None, v)]
            for kept in doomed:
                folder = kept.path.parent
                # The emptied folder stays, so that its number is not given again.
                gone = folder.with_name(f"{REMOVED}{kept.version}")
                if to is not None:
                    gone.mkdir(exist_ok=True)
                    to.put("set", kept.label, self.folder, [folder], owner=owner)
                    flush_names(gone.parent)
                    continue
                shutil.rmtree(gone, ignore_errors=True)  # it was removed and put back
                folder.rename(gone)
                for file in gone.iterdir():
                    file.unlink(missing_ok=True)
                flush_names(gone.parent)
        return doomed

    def remove_damaged(self, label: str, to: Bin) -> None:
        """Move a version that cannot be read, as `damaged` has it, to the bin."""
        name, version = set_reference(f"{SET_PREFIX}{label}")
        folder = self.folder / name / str(version)
        cannot = Message("The set {name} cannot be removed", name=name)
        with told_plainly(cannot), self._alone(name):
            # The emptied folder stays, so that its number is not given again.
            folder.with_name(f"{REMOVED}{version}").mkdir(exist_ok=True)
            to.put("set", label, self.folder, [folder])
            flush_names(folder.parent)

    @property
    def _incoming(self) -> Path:
        return self.folder / INCOMING

    def _versions(self, name: str) -> list[int]:
        return versions(self.folder / name)

    def _write(
        self,
        planned: LabelledSet,
        instances: Sequence[ClusteringInstance],
        left_out: Sequence[LeftOutRow],
    ) -> LabelledSet:
        self._incoming.mkdir(parents=True, exist_ok=True)
        work = new_folder(self._incoming, "keep-")
        try:
            write_normal(instances, work / SET_FILE)
            if left_out:
                with (work / LEFT_OUT_FILE).open("x", encoding="utf-8") as stream:
                    stream.writelines(f"{json.dumps(asdict(row))}\n" for row in left_out)
            digest = file_digest(work / SET_FILE)
            # Only now, so that others wait for a rename and not for the writing.
            with self._alone(planned.name):
                whose = read_sharing(self.folder / planned.name)
                check_owner(whose.owner)
                newest = self.load(planned.name) if self._versions(planned.name) else None
                if newest is not None and newest.sha256 == digest:
                    return newest
                return place(work, self.folder / planned.name, replace(planned, sha256=digest))
        finally:
            shutil.rmtree(work, ignore_errors=True)

    @contextmanager
    def _alone(self, name: str = "", did: str = "change", to: str = "") -> Iterator[None]:
        """Hold the store's lock; it falls when the process dies, however it dies."""
        check_may_change("set", name, did, to)
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.folder / ".lock", timeout=_PATIENCE):
                yield
        except Timeout as error:
            raise LabelledSetError(
                "The labelled sets have been in use by another program for {count:.0f} seconds; "
                "try again in a moment.",
                count=_PATIENCE,
            ) from error


def _there(upload: Upload) -> Upload:
    if not upload.path.is_file():
        raise LabelledSetError(
            "The upload {file} is no longer there: it was stored as a set, or a day has "
            "passed; upload it again.",
            file=upload.filename,
        )
    return upload
