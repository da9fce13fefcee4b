"""Ten steps of a training as it would be, to tell how long the whole will take.

Where texts are encoded before training, the trial trains on vectors by chance, which a step does
not notice, and times the encoder on a few of the texts that it has yet to encode.
"""

import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from subclust.core.records import ClusteringInstance, FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.text.encoders import CachedEncoder, Encoder, StackedEncoder
from subclust.training.estimates.estimate import STEPS
from subclust.training.training_run import TrainingRun

_VALIDATED_EVERY = 4
"""Steps; early, so that a trial that is given up knows of a validation too."""

_TIMED_TEXTS = 48
_TIMED_SECONDS = 4.0
_VALIDATED_PASSAGES = 500
_VALIDATED_PASSAGES_TUNED = 60


@dataclass(frozen=True)
class TrialResult:
    """What ten steps showed.

    Parameters
    ----------
    n_steps : int
        Made in the trial.
    steps : int
        Of the whole run, if nothing ends it before.
    seconds_per_step : float
        Median of all but the first.
    validations : int
        Of the whole run, the last scoring included.
    seconds_per_validation : float
        Of all validation queries.
    texts_to_encode : int
        Different texts of which no vector is kept yet.
    setup_seconds : float
        Until the first step, without encoding.
    peak_memory_mb : float
        Of the process, or of the CUDA device where that is more.
    """

    n_steps: int
    steps: int
    seconds_per_step: float
    validations: int
    seconds_per_validation: float
    texts_to_encode: int
    seconds_per_text: float
    setup_seconds: float
    peak_memory_mb: float


class _EnoughSteps(Exception):
    """Ends a trial."""


def run_trial(
    trainer: Callable[[TrainingRun], object],
    run: TrainingRun,
    *,
    note: Callable[[TrialResult], None] | None = None,
) -> TrialResult:
    """Train for ten steps and measure them.

    Parameters
    ----------
    trainer : callable
        Of the method, as `MethodCard.trainer` names it.
    run : TrainingRun
        What is in its folder afterwards is of no use.
    note : callable, optional
        Called after each step with what the steps so far have shown.

    Raises
    ------
    SubclustError
        If the run could not start either.
    """
    recipe, validation, encoder = run.recipe, run.validation, run.encoder
    ways = ("tuned_layers", "tuned_embeddings", "lora_rank")
    tuned = any(recipe.objective.get(way) for way in ways)
    few = _first_passages(validation, _VALIDATED_PASSAGES_TUNED if tuned else _VALIDATED_PASSAGES)
    arguments = recipe.training
    asked = replace(
        recipe, training=replace(arguments, evaluate_every=_VALIDATED_EVERY, patience=0)
    )
    used = encoder
    stand_in = None
    if tuned:
        if isinstance(encoder, CachedEncoder):  # what it keeps goes with the folder
            used = CachedEncoder(encoder.encoder, run.folder / "embeddings")
    else:
        used = stand_in = StandIn(encoder)
    reading = _Reading(stand_in, encoder)
    told: list[tuple[float, Mapping[str, Any]]] = []
    set_aside = 0.0  # seconds in which nothing was trained
    started = time.perf_counter()

    def shown() -> TrialResult:
        per_step, per_validation = _seconds(told)
        texts_to_encode, seconds_per_text = reading.measure()
        steps = told[-1][1]["total"] if told else 0
        every = arguments.evaluate_every or max(1, round(steps / max(arguments.epochs, 1e-9)))
        begun = told[0][0] - started if told else time.perf_counter() - started
        scaled = _passages(validation) / max(_passages(few), 1)
        return TrialResult(
            n_steps=len(told),
            steps=steps,
            seconds_per_step=per_step,
            validations=-(-steps // every) + 2,  # before the first step, and the last scoring
            seconds_per_validation=per_validation * scaled,
            texts_to_encode=texts_to_encode,
            seconds_per_text=seconds_per_text,
            setup_seconds=max(begun - per_step - per_validation, 0.0),
            peak_memory_mb=_peak_memory(run.device),
        )

    def tell(line: Mapping[str, Any]) -> None:
        nonlocal set_aside
        now = time.perf_counter()
        told.append((now - set_aside, line))
        if len(told) >= STEPS:
            raise _EnoughSteps
        if note is not None:
            note(shown())
            set_aside += time.perf_counter() - now

    try:
        trainer(replace(run, recipe=asked, validation=few, encoder=used, progress=tell))
    except _EnoughSteps:
        pass
    return shown()


class StandIn(Encoder):
    """Gives vectors by chance, and remembers the texts.

    Parameters
    ----------
    encoder : Encoder
        Whose name, revision and dimension it has.

    Attributes
    ----------
    asked : dict of str to None
        Every text of which a vector was wanted, in order.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self.revision = encoder.revision
        self.embedding_dim = encoder.embedding_dim
        self.asked: dict[str, None] = {}

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        self.asked |= dict.fromkeys(texts)
        vectors = np.random.default_rng(0).normal(size=(len(texts), self.embedding_dim))
        return vectors.astype(np.float32)


class _Reading:
    """Measures how long it will take to read the texts of which no vector is kept yet."""

    def __init__(self, stand_in: StandIn | None, encoder: Encoder) -> None:
        self._stand_in = stand_in
        self._encoder = encoder
        self._known: tuple[int, int] = (-1, 0)
        self._seconds_per_text: float | None = None

    def measure(self) -> tuple[int, float]:
        """Return the number of those texts and the seconds of one, which are measured once."""
        if self._stand_in is None:
            return 0, 0.0
        asked = self._stand_in.asked
        if self._known[0] != len(asked):
            missing = not_encoded(asked, self._encoder)
            self._known = len(asked), len(missing)
            if missing and self._seconds_per_text is None:
                self._seconds_per_text = time_encoder(missing, self._encoder)
        return self._known[1], self._seconds_per_text or 0.0


def not_encoded(texts: Mapping[str, None], encoder: Encoder) -> list[str]:
    """List the texts of which an encoder, or one of several side by side, keeps no vector yet."""
    parts = encoder.encoders if isinstance(encoder, StackedEncoder) else (encoder,)
    missing: dict[str, None] = {}
    for part in parts:
        known = part.known(list(texts)) if isinstance(part, CachedEncoder) else set()
        missing |= dict.fromkeys(text for text in texts if text not in known)
    return list(missing)


def _first_passages(
    instances: Sequence[ClusteringInstance], n_passages: int
) -> list[ClusteringInstance]:
    """Take the first instances, at least one, that have no more passages than that together."""
    chosen: list[ClusteringInstance] = []
    for instance in instances:
        if chosen and _passages([*chosen, instance]) > n_passages:
            break
        chosen.append(instance)
    return chosen


def _seconds(told: Sequence[tuple[float, Mapping[str, Any]]]) -> tuple[float, float]:
    """Return the seconds of a step, and of the longest validation so far as the run measured it."""
    taken = [
        (after[0] - before[0], "metrics" in after[1])
        for before, after in zip(told, told[1:], strict=False)
    ]
    plain = [seconds for seconds, validated in taken if not validated]
    if not plain:
        # With so few steps, only the first one, or one with its validation, can be timed.
        return max((line["seconds"] / line["step"] for _, line in told), default=0.0), 0.0
    # A validation may be shorter than two steps differ, so the difference would not tell it.
    longest = max((line.get("validation_seconds", 0.0) for _, line in told), default=0.0)
    return statistics.median(plain), longest


def time_encoder(texts: Sequence[str], encoder: Encoder) -> float:
    """Measure the seconds that one text takes, on evenly spread ones; nothing is kept of them."""
    if not texts:
        return 0.0
    chosen = [texts[int(at)] for at in np.linspace(0, len(texts) - 1, _TIMED_TEXTS)]
    total = 0.0
    for part in encoder.encoders if isinstance(encoder, StackedEncoder) else (encoder,):
        plain = part.encoder if isinstance(part, CachedEncoder) else part
        plain.encode(chosen[:2])  # what is loaded once is not counted
        done, started = 0, time.perf_counter()
        while done < len(chosen) and time.perf_counter() - started < _TIMED_SECONDS:
            plain.encode(chosen[done : done + 16])
            done += 16
        total += (time.perf_counter() - started) / min(done, len(chosen))
    return total


def _passages(instances: Sequence[ClusteringInstance]) -> int:
    return sum(len(instance.passages) for instance in instances)


def _peak_memory(device: str) -> float:
    """Return the most megabytes that this process has held at once."""
    used = 0.0
    try:
        # Not getrusage: that one starts with the size of the process that started this one.
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        used = float(status.partition("VmHWM:")[2].split()[0]) / 1024
    except (OSError, IndexError, ValueError):
        if sys.platform != "win32":
            import resource

            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            used = peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
    if device == "cuda":
        import torch

        used = max(used, torch.cuda.max_memory_allocated() / 1024**2)
    return round(used, 1)
