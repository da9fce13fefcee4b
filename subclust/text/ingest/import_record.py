"""An import as a background job: its title and command, and its account in the job's folder."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subclust.core.exceptions import TrainingStopped
from subclust.core.messages import N_, Message, with_messages, with_templates
from subclust.core.storage.disk import refusals_told, write_whole
from subclust.jobs import PROGRESS_FILE, STOP_FILE, Stage
from subclust.text.ingest.local import ImportProgress, ImportWatcher
from subclust.text.ingest.report import IngestReport

KIND = "import"
IMPORT_FILE = "import.json"

STOPPED = N_(
    "The import was stopped; what it had stored stays in the library, and it can be resumed."
)

_SECONDS_BETWEEN_LINES = 0.5
_NUMBERS = ("n_documents", "n_read", "n_imported", "n_unchanged", "n_refused")
_COUNTED = ("n_documents", "n_read", "n_unchanged", "n_merged", "n_refused")


def job_title(library: str, files: Sequence[Path]) -> str:
    """Return an import's title: two of the same title are not done at once."""
    others = f" +{len(files) - 1}" if len(files) > 1 else ""
    return f"{library}/{files[0].name}{others}"


def import_words(
    files: Sequence[Path],
    library: str,
    collection: str | None = None,
    encoding: str | None = None,
) -> tuple[str, ...]:
    """Return the words of the command that imports files, as a job is submitted with."""
    words = ["import", *(str(path.absolute()) for path in files), "--library", library]
    if collection:
        words.append(f"--collection={collection}")
    if encoding:
        words.append(f"--encoding={encoding}")
    return tuple(words)


@dataclass(frozen=True)
class ImportAccount:
    """What is known of an import, finished or not.

    Parameters
    ----------
    library : str
    files : tuple of mapping
        Of each file ``file`` (its name), ``n_stored`` and ``n_records`` (passages, and records
        with all of their passages, that this import has committed) and ``report``: what
        `IngestReport.to_dict` gives with ``format`` beside it, None before its end.
    """

    library: str
    files: tuple[Mapping[str, Any], ...]

    @property
    def reports(self) -> tuple[Mapping[str, Any], ...]:
        """Of the files that were read to their end."""
        return tuple(one["report"] for one in self.files if one["report"])

    @property
    def is_whole(self) -> bool:
        """Whether every file was read to its end."""
        return len(self.reports) == len(self.files)

    def total(self, name: str) -> int:
        """Add up a number of the reports, such as ``"n_read"``."""
        return sum(int(report.get(name, 0)) for report in self.reports)

    @property
    def n_stored(self) -> int:
        """Passages that this import has committed, of whole files and of others."""
        return sum(int(one["n_stored"]) for one in self.files)


def read_account(folder: Path) -> ImportAccount | None:
    """Read the account of a job; None where there is none yet, or it cannot be read."""
    try:
        value = with_messages(json.loads((folder / IMPORT_FILE).read_text(encoding="utf-8")))
        account = ImportAccount(str(value["library"]), tuple(map(_checked, value["files"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return account


def _checked(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is known of a file, if it is of the kinds that it should be."""
    report = one["report"]
    numbers = [one["n_stored"]]
    if report is not None:
        numbers += [report[name] for name in _NUMBERS]
    if not isinstance(one["file"], str) or not all(type(number) is int for number in numbers):
        raise ValueError("something is of another kind")
    return one


class ImportRecord(ImportWatcher):
    """Keeps the account of an import and its progress, and heeds the stop file.

    What is about to be committed is noted before, so that a run after ``kill -9`` knows exactly
    which passages an earlier one had stored, and the final report counts them as imported.

    Parameters
    ----------
    folder : Path
        Of the job.
    library : str
    files : sequence of Path
    guesses : sequence of int or None
        At the documents of each file.
    stage : callable
        Is told what the job is at.
    """

    def __init__(
        self,
        folder: Path,
        library: str,
        files: Sequence[Path],
        guesses: Sequence[int | None],
        stage: Callable[[Stage], object],
    ) -> None:
        self.folder = folder
        self.library = library
        self.guesses = list(guesses)
        self.stage = stage
        before = read_account(folder)
        names = [path.name for path in files]
        self.files: list[dict[str, Any]] = (
            [dict(one) for one in before.files]
            if before and [one["file"] for one in before.files] == names
            else [{"file": name, "n_stored": 0, "n_records": 0, "report": None} for name in names]
        )
        self._at = 0
        self._pending: dict[str, str] = {}
        self._done_before = 0
        self._encoding_since: float | None = None
        self._encoded_before = self._encoded_here = 0
        self._last_line = 0.0

    @property
    def has_begun(self) -> bool:
        """Whether something of this import is in the library, by this run or an earlier one."""
        reports = [one["report"] for one in self.files if one["report"]]
        return any(one["n_stored"] for one in self.files) or any(
            report["n_imported"] or report["n_unchanged"] for report in reports
        )

    def begin(self, number: int) -> bool:
        """Begin a file; False where an earlier run had read it to its end.

        Parameters
        ----------
        number : int
            From 0.
        """
        self._at = number
        self._encoded_before += self._encoded_here
        self._encoded_here = 0
        self._pending = dict(self.files[number].get("pending") or {})
        return self.files[number]["report"] is None

    def end(self, report: IngestReport, label: str) -> None:
        """Keep the report of the file; passages that earlier runs had stored count as imported."""
        one = self.files[self._at]
        n_records, n_stored = int(one.get("n_records", 0)), int(one["n_stored"])
        whole = report.credited(
            n_records - report.n_imported, n_stored - report.n_passages_imported
        )
        self._done_before += report.n_passages + report.n_merged + report.n_refused
        one |= {"report": {"format": label, **whole.to_dict()}, "pending": None}
        self._save()

    def opened(self, there: Mapping[str, str]) -> None:
        """Count what an earlier run committed without being able to say so."""
        one = self.files[self._at]
        n_there = sum(there.get(id) == mark for id, mark in self._pending.items())
        one["n_stored"] += n_there
        if n_there and n_there == len(self._pending):  # in one transaction
            one["n_records"] = one.get("n_records", 0) + one.get("pending_records", 0)
        one["pending"] = None
        self._pending = {}
        self._save()

    def told(self, at: ImportProgress) -> None:
        """Write the progress, at most twice a second, and end the import if somebody asked."""
        self.heed()
        self.stage("reading" if at.phase == "reading" else "encoding")
        self._encoded_here = at.n_encoded
        now = time.monotonic()
        if at.phase == "encoding" and self._encoding_since is None:
            self._encoding_since = now
        if at.phase == "encoding" and now - self._last_line < _SECONDS_BETWEEN_LINES:
            return
        self._last_line = now
        ended = [one["report"] for one in self.files if one["report"]]
        before = {name: sum(report.get(name, 0) for report in ended) for name in _COUNTED}
        # `n_done` counts passages once they are stored; those encoded since then are added.
        step = self._done_before + at.n_done + (at.n_encoded - at.n_stored)
        later = self.guesses[self._at + 1 :]
        total = None
        if at.n_total is not None and None not in later:
            total = max(step, self._done_before + at.n_total + sum(guess or 0 for guess in later))
        self._write(
            step,
            total,
            phase=at.phase,
            eta=self._eta(step, total, now),
            file=self.files[self._at]["file"],
            number=self._at + 1,
            n_files=len(self.files),
            n_stored=sum(one["n_stored"] for one in self.files),
            **{name: count + getattr(at, name) for name, count in before.items()},
        )

    def storing(self, marks: Mapping[str, str], n_records: int) -> None:
        """Note what is about to be committed."""
        one = self.files[self._at]
        one["pending"], one["pending_records"] = dict(marks), n_records
        self._save()

    def stored(self, n_passages: int, n_records: int) -> None:
        """Note that it is committed."""
        one = self.files[self._at]
        one["n_stored"] += n_passages
        one["n_records"] = one.get("n_records", 0) + n_records
        one["pending"] = None
        self._save()

    def preparing(self, done: int, total: int | None) -> None:
        """Write the progress of preparing the first search, once all is in the library."""
        self.heed()
        now = time.monotonic()
        if done != total and now - self._last_line < _SECONDS_BETWEEN_LINES:
            return
        self._last_line = now
        self._write(done, total, phase="preparing", n_files=len(self.files))

    def heed(self) -> None:
        """End the import if somebody has asked for that.

        Raises
        ------
        TrainingStopped
        """
        if (self.folder / STOP_FILE).exists():
            raise TrainingStopped(STOPPED)

    def _eta(self, step: int, total: int | None, now: float) -> float | None:
        encoded = self._encoded_before + self._encoded_here
        if total is None or self._encoding_since is None or not encoded:
            return None
        return (total - step) * (now - self._encoding_since) / encoded

    def _write(self, step: int, total: int | None, **told: Any) -> None:
        told_of = refusals_told(
            Message("The progress of the import cannot be recorded"), self.folder
        )
        with told_of, (self.folder / PROGRESS_FILE).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"step": step, "total": total, **told}) + "\n")

    def _save(self) -> None:
        value = with_templates({"library": self.library, "files": self.files})
        content = json.dumps(value, ensure_ascii=False)
        with refusals_told(Message("What the import has done cannot be recorded"), self.folder):
            write_whole(self.folder / IMPORT_FILE, content, durable=False)
