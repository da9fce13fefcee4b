"""How long a training will take on this machine, and how much memory, from a trial of ten steps."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from subclust.core.exceptions import SubclustError, TrainingError
from subclust.core.messages import Message, joined, with_messages, with_templates
from subclust.core.settings import Settings
from subclust.core.storage.damaged import typed
from subclust.jobs.launch import worker_environment
from subclust.jobs.store import count_of

if TYPE_CHECKING:  # who starts a trial need not wait for torch
    from subclust.training.estimates.trial import TrialResult

LIMIT = 120.0
"""Seconds after which a trial is ended; what it has measured so far is told."""

STEPS = 10
"""That a trial makes; the first is not counted."""

_SLOWER, _BEGINNING = 3.0, 15.0
"""A training takes at most so many times the seconds that are reckoned, and so many more, on a
machine that others use meanwhile; ``python -m benchmarks estimate`` measures it."""

_MORE_MEMORY = 1.5
"""Times the memory of a trial that a training takes at the most."""

_LOOK = 0.2

TRIAL_FILE = "trial.json"
_REFUSAL_FILE = "refusal.json"

_WITHOUT_VALUE = {"--replace", "--resume", "--queue", "--json", "--judge", "--no-judge"}
_WITH_VALUE = {"--name", "--job", "--limit"}


@dataclass(frozen=True)
class RunEstimate:
    """What a training will take.

    Parameters
    ----------
    steps : int
        Of the whole run, if its patience does not end it before.
    total_seconds : float
        All parts together.
    setup_seconds, encoding_seconds, step_seconds, validation_seconds : float
        Until the first step; of the texts that have no vector yet; of all steps; of all
        validations.
    judging_seconds : float
        Of the comparison with the model before, when the training is over.
    n_training, n_validation, n_test : int
        Queries of each part.
    n_steps : int
        Made in the trial.
    trial_seconds : float
        That the trial itself took.
    n_trainings : int
        One after another, as in a cross-validation; the steps and the seconds are those of all.
    """

    seconds_per_step: float
    steps: int
    total_seconds: float
    setup_seconds: float
    encoding_seconds: float
    step_seconds: float
    validation_seconds: float
    texts_to_encode: int
    peak_memory_mb: float
    device: str
    n_training: int
    n_validation: int
    n_test: int
    n_steps: int
    trial_seconds: float = 0.0
    n_trainings: int = 1
    judging_seconds: float = 0.0

    @classmethod
    def of(
        cls,
        trial: "TrialResult",
        *,
        device: str,
        n_training: int,
        n_validation: int,
        n_test: int,
        seconds_before: float = 0.0,
        judging_seconds: float = 0.0,
    ) -> Self:
        """Reckon from ten steps to the whole run.

        Parameters
        ----------
        seconds_before : float
            From the start of the process to that of the trial.
        """
        setup_seconds = seconds_before + trial.setup_seconds
        step_seconds = trial.steps * trial.seconds_per_step
        validation_seconds = trial.validations * trial.seconds_per_validation
        encoding_seconds = trial.texts_to_encode * trial.seconds_per_text
        parts = (setup_seconds, encoding_seconds, step_seconds, validation_seconds, judging_seconds)
        return cls(
            seconds_per_step=round(trial.seconds_per_step, 5),
            steps=trial.steps,
            total_seconds=round(sum(parts), 2),
            setup_seconds=round(setup_seconds, 2),
            encoding_seconds=round(encoding_seconds, 2),
            step_seconds=round(step_seconds, 2),
            validation_seconds=round(validation_seconds, 5),
            texts_to_encode=trial.texts_to_encode,
            peak_memory_mb=trial.peak_memory_mb,
            device=device,
            n_training=n_training,
            n_validation=n_validation,
            n_test=n_test,
            n_steps=trial.n_steps,
            judging_seconds=round(judging_seconds, 2),
        )

    def times(self, n: int) -> Self:
        """Reckon with several trainings of this kind; the texts are encoded once for all."""
        more = (n - 1) * (self.step_seconds + self.validation_seconds)
        return replace(
            self,
            steps=n * self.steps,
            step_seconds=round(n * self.step_seconds, 2),
            validation_seconds=round(n * self.validation_seconds, 5),
            total_seconds=round(self.total_seconds + more, 2),
            n_trainings=n,
        )

    @property
    def most_seconds(self) -> float:
        """Seconds that the training takes at the most."""
        return round(_SLOWER * self.total_seconds + _BEGINNING, 1)

    @property
    def most_memory_mb(self) -> float:
        """Megabytes that the training takes at the most."""
        return round(_MORE_MEMORY * self.peak_memory_mb, 1)

    @property
    def headline(self) -> str:
        """Return how long and how much memory, and no more."""
        return Message(
            "About {time}, at most {most} and {memory:,.0f} MB of memory on {device}",
            time=_in_words(self.total_seconds),
            most=_in_words(self.most_seconds),
            memory=self.most_memory_mb,
            device=Message("the processor") if self.device == "cpu" else self.device,
        )

    @property
    def details(self) -> str:
        """Return what that is made of."""
        queries = Message(
            "{n_training} training, {n_validation} validation and {n_test} test questions"
            if self.n_test
            else "{n_training} training and {n_validation} validation questions",
            **vars(self),
        )
        parts = [
            Message(
                "{steps:,} steps of {seconds_per_step:.3g} s in {n_trainings} trainings over "
                "{queries}"
                if self.n_trainings > 1
                else "{steps:,} steps of {seconds_per_step:.3g} s over {queries}",
                **vars(self),
                queries=queries,
            )
        ]
        if self.texts_to_encode:
            parts.append(
                Message(
                    "; {time} of that to encode {texts_to_encode:,} texts for the first time",
                    time=_in_words(self.encoding_seconds),
                    texts_to_encode=self.texts_to_encode,
                )
            )
        if self.was_cut:
            parts.append(
                Message(
                    "; estimated from {n_steps} of {all_steps} steps, which took this machine "
                    "{time}"
                    if self.validation_seconds
                    else "; estimated from {n_steps} of {all_steps} steps, which took this "
                    "machine {time}, without the validations, which were not reached",
                    n_steps=self.n_steps,
                    all_steps=STEPS,
                    time=_in_words(self.trial_seconds),
                )
            )
        return joined(parts, "")

    @property
    def was_cut(self) -> bool:
        """Whether the trial was ended before it had made all its steps."""
        return self.n_steps < min(STEPS, self.steps // self.n_trainings)

    @property
    def sentence(self) -> str:
        """All of it, for people."""
        return Message("{headline}: {details}.", headline=self.headline, details=self.details)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust estimate --json`` prints."""
        return {
            **asdict(self),
            "most_seconds": self.most_seconds,
            "most_memory_mb": self.most_memory_mb,
            "sentence": self.sentence,
        }


def estimate_run(
    words: Sequence[str],
    settings: Settings,
    *,
    limit: float = LIMIT,
    stop: threading.Event | None = None,
    gently: bool = False,
) -> RunEstimate:
    """Try ten steps of a training in a process of its own; nothing of it is left.

    It computes on as many cores as the worker of a job does.

    Parameters
    ----------
    words : sequence of str
        Of the ``train`` command after ``train``: the method, ``--data`` and so on. What decides
        where the result goes, such as ``--name``, is passed over; with ``--folds`` the estimate
        is that of all trainings of the cross-validation.
    limit : float
        Seconds after which it is ended; the estimate is then from the steps that were made.
    stop : Event, optional
        Ends the trial when it is set, from another thread.
    gently : bool
        Whether it lets other processes go first, as the worker of a job does.

    Raises
    ------
    TrainingError
        With the sentence with which the training itself would be refused; or if the trial made
        no step in time, was stopped, or the system ended it.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="subclust-trial-") as folder:
        command = [sys.executable, "-m", "subclust", "estimate", *_trial_words(words)]
        command += ["--trial", folder, *(["--gently"] if gently else [])]
        process = subprocess.Popen(
            command,
            # Temporary files of the trial go with the folder, even if it is killed.
            env={**worker_environment(settings), "TMPDIR": folder},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            # A process group of its own, so that `_end` also ends what the trial has started.
            start_new_session=True,
        )
        try:
            said = _said(process, started + limit, stop or threading.Event())
        finally:
            _end(process)
        result = Path(folder) / TRIAL_FILE
        if said is None and not result.is_file():
            raise TrainingError(
                "The trial did not complete a single step within {limit:g} seconds: either "
                "training is slow here and needs a smaller batch_passages or a graphics card, "
                "or the machine is busy and a later trial will tell.",
                limit=limit,
            )
        if said is not None and (process.returncode or not result.is_file()):
            raise TrainingError(_reason(process.returncode, said, Path(folder)))
        estimate = typed(RunEstimate, json.loads(result.read_text(encoding="utf-8")))
    folds = count_of(words, "--folds") or 0
    estimate = replace(estimate, trial_seconds=round(time.monotonic() - started, 1))
    return estimate.times(folds + 1) if folds else estimate


def _trial_words(words: Sequence[str]) -> list[str]:
    """Leave out of the words of ``train`` what a trial has no use for."""
    kept: list[str] = []
    skip = False
    for word in words:
        option = word.partition("=")[0]
        if skip:
            skip = False
        elif option in _WITH_VALUE:
            skip = "=" not in word
        elif option not in _WITHOUT_VALUE:
            kept.append(word)
    return kept


def _in_words(seconds: float) -> str:
    """Write a duration for people: ``"40 seconds"``, ``"3 minutes"``, ``"2.5 hours"``."""
    if seconds < 90:
        count = max(1, round(seconds))
        return Message("{count} seconds" if count > 1 else "1 second", count=count)
    if seconds < 90 * 60:
        return Message("{count} minutes", count=round(seconds / 60))
    return Message("{count:.1f} hours", count=seconds / 3600)


def _said(process: "subprocess.Popen[str]", deadline: float, stop: threading.Event) -> str | None:
    """Wait for a process and give what it said of errors; None where it has not ended in time."""
    while True:
        left = deadline - time.monotonic()
        try:
            # After a time-out it can be called again and has lost nothing.
            return process.communicate(timeout=max(0.0, min(left, _LOOK)))[1]
        except subprocess.TimeoutExpired:
            if stop.is_set():
                raise TrainingError(
                    "The trial was stopped; start another to see how long training takes."
                ) from None
            if left <= 0:
                return None


def _end(process: "subprocess.Popen[str]") -> None:
    """End the process with all that it started."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stderr is not None:
        process.stderr.close()


def note_refusal(folder: Path, error: SubclustError) -> None:
    """Write why a trial was refused, so that it can be said in the language of who asked."""
    told = with_templates({"error": error.sentence})
    (folder / _REFUSAL_FILE).write_text(json.dumps(told), encoding="utf-8")


def _reason(status: int, said: str, folder: Path) -> str:
    if status < 0:
        return Message(
            "The system ended the trial, most likely for want of memory; take smaller "
            "batch_passages, or close other programs."
        )
    refusal = folder / _REFUSAL_FILE
    if refusal.is_file():
        error: str = with_messages(json.loads(refusal.read_text(encoding="utf-8")))["error"]
        return error
    if status == 1 and "Traceback" not in said and said.strip():
        return said.strip().splitlines()[-1]
    last = said.strip().splitlines()[-1] if said.strip() else Message("it said nothing")
    return Message("The trial failed ({last}); the training would too.", last=last)
