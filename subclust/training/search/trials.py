"""The trials of a search: an Optuna study in a journal file, which outlives the process."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from subclust.core.exceptions import TrainingError
from subclust.core.messages import Message

if TYPE_CHECKING:
    from optuna import Study, Trial
    from optuna.trial import FrozenTrial

_JOURNAL_FILE = "journal.log"
_LOCK_FILE = "search.lock"


_METRIC = "ari"
"""Of a validation, by which trials are compared."""


MOST_DEATHS = 1
"""Of the process, in a trial that is begun once more."""


@contextmanager
def open_study(folder: Path, name: str) -> Iterator["Study"]:
    """Open a study, or make it, for this process alone; its values are to be as high as can be.

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
    path = folder / _JOURNAL_FILE
    try:
        with FileLock(folder / _LOCK_FILE, timeout=0):
            _drop_cut_line(path)
            _check(path)
            # The lock above admits one process: a lock that lies here is of one that was killed.
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
        "search again.",
        path=path,
        where=where,
    )


@dataclass(frozen=True)
class TrialResult:
    """A trial that has ended.

    Parameters
    ----------
    number : int
        From 0, in the order in which they ended.
    values : mapping
        That were tried.
    state : {"complete", "pruned", "failed"}
    ari : float or None
        Of its best validation while it was trained; None where there was none.
    seconds : float
        Of training and validation.
    intermediate : sequence of (int, float)
        Step and ARI of each validation.
    error : str or None
        The sentence it failed with.
    """

    number: int
    values: Mapping[str, Any]
    state: str
    ari: float | None
    seconds: float
    intermediate: Sequence[tuple[int, float]]
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what a result file holds of it."""
        told = {
            "number": self.number,
            "values": dict(self.values),
            "state": self.state,
            "ari": self.ari,
            "seconds": round(self.seconds, 1),
            "intermediate": [list(pair) for pair in self.intermediate],
        }
        return told if self.error is None else {**told, "error": self.error}


class Notes:
    """What is noted of a trial while it is trained: each validation, at once."""

    def __init__(self, trial: "Trial") -> None:
        self.trial = trial
        self.validations: list[list[float]] = []
        self.seconds = 0.0
        # Of the trial that this one goes on with; those after the saved state are made again.
        self._earlier: list[list[float]] = trial.user_attrs.get("validations", [])

    def take(self, line: Mapping[str, Any]) -> bool:
        """Note a line of the progress, and say whether the trial is worth going on with."""
        self._take_earlier(line["step"])
        self.seconds = line["seconds"]
        value = line.get("metrics", {}).get(_METRIC)
        if value is None:
            return True
        self._note([line["step"], float(value), line["seconds"]])
        return not self.trial.should_prune()

    def close(self) -> None:
        """Note how long it took; a run that was killed after its last step has no new lines."""
        self._take_earlier(None)
        if self.validations:
            self.seconds = max(self.seconds, self.validations[-1][2])
        self.trial.set_user_attr("seconds", self.seconds)

    def best(self, scores: Mapping[str, float]) -> float:
        """Return the best validation, or where nothing was validated on the way the last score."""
        if self.validations:
            return max(value for _, value, _ in self.validations)
        for name in (f"validation_{_METRIC}", _METRIC):
            if name in scores:
                return float(scores[name])
        raise TrainingError(
            "The method reports no adjusted Rand index on validation questions, so there is "
            "nothing to choose by."
        )

    def _take_earlier(self, before: int | None) -> None:
        for validation in self._earlier:
            if before is None or validation[0] < before:
                self._note(validation)
        self._earlier = []

    def _note(self, validation: list[float]) -> None:
        # Trials may have steps of different sizes, so the pruner compares them by validation, not
        # by step.
        self.trial.report(validation[1], len(self.validations))
        self.validations.append(validation)
        self.trial.set_user_attr("validations", self.validations)


def results(study: "Study") -> list[TrialResult]:
    """Return the trials that have ended; one that was broken off goes on as another."""
    made = []
    for number, trial in enumerate(ended_trials(study)):
        told = trial.user_attrs.get("validations", [])
        values = [value for _, value, _ in told]
        state = {"COMPLETE": "complete", "PRUNED": "pruned"}.get(trial.state.name, "failed")
        made.append(
            TrialResult(
                number,
                trial.params,
                state,
                trial.value if state == "complete" else max(values, default=None),
                trial.user_attrs.get("seconds", 0.0),
                [(int(step), value) for step, value, _ in told],
                _error(trial),
            )
        )
    return made


def ended_trials(study: "Study") -> list["FrozenTrial"]:
    """Return the trials that came to an end, in the order in which they did."""
    from optuna.trial import TrialState

    ended = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
    return [
        trial
        for trial in study.get_trials(deepcopy=False, states=ended)
        if trial.state != TrialState.FAIL or _error(trial) is not None
    ]


def _error(trial: "FrozenTrial") -> str | None:
    """Return the sentence that a trial failed with; None where it was only broken off."""
    told = trial.user_attrs
    if "error" in told:
        return str(told["error"])
    if (
        trial.state.name == "FAIL"
        and told.get("deaths", 0) == MOST_DEATHS
        and "stopped" not in told
    ):
        return "The process ended in the middle of it, and again when it was begun once more."
    return None
