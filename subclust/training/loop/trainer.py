"""One training loop for all methods."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from subclust.core.settings import let_cublas_repeat
from subclust.jobs import PROGRESS_FILE, STOP_FILE
from subclust.training.loop.learner import Learner, TrainingResult
from subclust.training.loop.run import Progress, Run
from subclust.training.loop.state import remove_state
from subclust.training.loop.workers import WorkDone, current
from subclust.training.recipe import TrainingArguments


def train_learner(
    learner: Learner,
    arguments: TrainingArguments,
    folder: Path,
    *,
    device: str = "cpu",
    progress: Progress | None = None,
    resume: bool = False,
) -> TrainingResult:
    """Train by AdamW over a learner's batches, with validation, and a state to resume from.

    The best validated weights are in the model at the end. A run that was killed at any moment and
    resumed ends at the weights of an uninterrupted one (on the CPU): an epoch's batches depend on
    seed and epoch alone, and everything else that changes is in the state.

    Inside `workers.joined` a step takes `accumulate` batches for each worker, so that N workers do
    as one with N times `accumulate` does; the main one validates, writes and returns.

    Parameters
    ----------
    folder : Path
        Of the run: ``state/``, ``progress.jsonl``, and the ``stop`` file that ends it cleanly.
    progress : callable, optional
        Called with each line of ``progress.jsonl``. What it raises ends the run at once, without
        saving a state.
    resume : bool
        Go on from the saved state where there is one.

    Returns
    -------
    TrainingResult
        At the end, at the patience's end, or when asked to stop.

    Raises
    ------
    TrainingError
        If there is nothing to train on, the loss is not finite, or the saved state does not fit.
    WorkDone
        In every worker but the main one, at the end.
    """
    workers = current()
    if workers.main:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STOP_FILE).unlink(missing_ok=True)
        if not resume:
            (folder / PROGRESS_FILE).unlink(missing_ok=True)
            remove_state(folder)
    # The others must not read a state that the main worker is about to remove.
    workers.wait()
    run = Run(learner, arguments, folder, device=device, progress=progress, workers=workers)
    with on_sigterm(run.stop_asked.set), _repeatable_kernels(device):
        if resume:
            run.restore()
        result = run.to_the_end()
    if not workers.main:
        raise WorkDone
    return result


@contextmanager
def on_sigterm(stop: Callable[[], None], *, pass_on: bool = True) -> Iterator[None]:
    """Call something at a SIGTERM, and then who listened before, if it is passed on.

    Signals are heard in the main thread alone; in others nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)

    def heard(number: int, frame: FrameType | None) -> None:
        stop()
        if pass_on and callable(before):  # a search, of which a run is a part, must hear of it too
            before(number, frame)

    signal.signal(signal.SIGTERM, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _repeatable_kernels(device: str) -> Iterator[None]:
    """Have CUDA compute the same each time, where it can; on the CPU it does so anyway.

    What cannot be had so is computed all the same, with a warning. The fused attention kernels
    would then not repeat in their backward pass, so the plain one is taken; at the lengths of
    passages it costs little.
    """
    if device != "cuda":
        yield
        return
    let_cublas_repeat()
    before = torch.are_deterministic_algorithms_enabled()
    warned = torch.is_deterministic_algorithms_warn_only_enabled()
    benchmark = torch.backends.cudnn.benchmark
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    try:
        with sdpa_kernel(SDPBackend.MATH):
            yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warned)
        torch.backends.cudnn.benchmark = benchmark
