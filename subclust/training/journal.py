"""The journal of a search: an Optuna study as a file, which outlives the process."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from subclust.core.exceptions import TrainingError
from subclust.core.messages import Message

if TYPE_CHECKING:
    from optuna import Study

JOURNAL_FILE = "journal.log"
LOCK_FILE = "search.lock"


@contextmanager
def open_study(folder: Path, name: str) -> Iterator["Study"]:
    """Open a study, or make it, for this process alone; its values are to be as high as can be.

    Parameters
    ----------
    folder : Path
        Of the search.
    name : str

    Yields
    ------
    optuna.Study

    Raises
    ------
    TrainingError
        If another process has it open, or its journal is damaged.
    """
    import optuna
    from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock, JournalStorage

    optuna.logging.disable_default_handler()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JOURNAL_FILE
    try:
        with FileLock(folder / LOCK_FILE, timeout=0):
            _drop_cut_line(path)
            _check(path)
            # The lock above lets nobody else in: what lies here is of a process that was killed.
            path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
            try:
                backend = JournalFileBackend(str(path), JournalFileOpenLock(str(path)))
                study = optuna.create_study(
                    storage=JournalStorage(backend),
                    study_name=name,
                    direction="maximize",
                    load_if_exists=True,
                )
                study.get_trials(deepcopy=False)
            except Exception as error:  # whatever a line that makes no sense leads to
                raise _damaged(path, f"{type(error).__name__}: {error}") from error
            yield study
    except Timeout as error:
        raise TrainingError(
            "The search {folder} is running already; wait until it has ended, or choose another "
            "name.",
            folder=folder.name,
        ) from error


def _drop_cut_line(path: Path) -> None:
    """Drop a last line that was being written when the process was killed."""
    if not path.is_file():
        return
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        with path.open("r+b") as stream:
            stream.truncate(len(whole))


def _check(path: Path) -> None:
    if not path.is_file():
        return
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            json.loads(line)
        except ValueError as error:
            raise _damaged(path, Message("line {line}", line=number)) from error


def _damaged(path: Path, where: str) -> TrainingError:
    return TrainingError(
        "The journal {path} is damaged ({where}); restore it, or remove its folder and start the "
        "search anew.",
        path=path,
        where=where,
    )
