"""Several processes that train one model together, each on its share of a step's batches.

``torchrun --nproc-per-node N -m subclust train ...`` (or ``accelerate launch``) starts them; here
they find each other and exchange gradients and decisions. One process alone needs, and imports,
nothing of this: every exchange then gives back what was put in.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

import torch
from torch import Tensor, nn

from subclust.core.exceptions import TrainingError

T = TypeVar("T")

_PATIENCE = timedelta(days=1)
"""With the main worker, while it encodes or validates; one that dies ends all of them at once."""


class Workers:
    """One process among those that train together; as it is here, the only one.

    Attributes
    ----------
    number : int
        0 for the main worker, which validates and writes.
    count : int
    """

    number = 0
    count = 1

    @property
    def main(self) -> bool:
        """Whether this is the worker that validates and writes."""
        return self.number == 0

    def sum_gradients(self, parameters: Sequence[nn.Parameter], loss: float) -> float:
        """Add up the gradients of all workers, in place, and their losses.

        A parameter that no worker has a gradient of keeps none.
        """
        return loss

    def any(self, here: bool) -> bool:
        """Return whether it holds in any worker."""
        return here

    def from_main(self, make: Callable[[], T]) -> T:
        """Broadcast to all workers what the main one makes."""
        return make()

    def gather(self, value: T) -> list[T]:
        """Gather the values of all workers, in order."""
        return [value]

    def wait(self) -> None:
        """Go on when all workers are here."""

    @contextmanager
    def main_first(self) -> Iterator[None]:
        """Let the others begin when the main worker is through, for what it leaves in a cache."""
        if not self.main:
            self.wait()
        yield
        if self.main:
            self.wait()


class WorkDone(Exception):
    """The training is over for a worker that is not the main one, which judges and saves."""


class _Several(Workers):
    """Over accelerate, which sets up torch.distributed: NCCL between GPUs, gloo on the CPU."""

    def __init__(self, device: str) -> None:
        from accelerate import PartialState

        self.state = PartialState(cpu=device == "cpu", timeout=_PATIENCE)
        self.number = self.state.process_index
        self.count = self.state.num_processes

    def sum_gradients(self, parameters: Sequence[nn.Parameter], loss: float) -> float:
        # All in one message: gradients, which of them are there, and the loss.
        gradients = [p.grad if p.grad is not None else torch.zeros_like(p) for p in parameters]
        there = torch.tensor([float(p.grad is not None) for p in parameters] + [loss])
        parts = [*(gradient.flatten().float() for gradient in gradients), there.to(self.device)]
        whole = self._sum(torch.cat(parts))
        counts = whole[-len(parameters) - 1 : -1].tolist()
        start = 0
        for parameter, gradient, count in zip(parameters, gradients, counts, strict=True):
            summed = whole[start : start + gradient.numel()].view_as(gradient)
            parameter.grad = summed.to(gradient.dtype) if count else None
            start += gradient.numel()
        return float(whole[-1])

    def any(self, here: bool) -> bool:
        return bool(self._sum(torch.tensor([float(here)], device=self.device)).item())

    def from_main(self, make: Callable[[], T]) -> T:
        from accelerate.utils import broadcast_object_list

        made = [make() if self.main else None]
        broadcast_object_list(made)
        return made[0]  # type: ignore[return-value]

    def gather(self, value: T) -> list[T]:
        from accelerate.utils import gather_object

        gathered: list[T] = gather_object([value])
        return gathered

    def wait(self) -> None:
        self.state.wait_for_everyone()

    @property
    def device(self) -> torch.device:
        device: torch.device = self.state.device
        return device

    @staticmethod
    def _sum(values: Tensor) -> Tensor:
        from accelerate.utils import reduce

        total: Tensor = reduce(values, reduction="sum")
        return total


_current = Workers()


def current() -> Workers:
    """Return this process's place among the workers: alone, unless inside `joined`."""
    return _current


@contextmanager
def joined(count: int, device: str, local_number: int = 0) -> Iterator[Workers]:
    """Meet the other workers, and part from them at the end.

    Parameters
    ----------
    count : int
        Workers that were started; nothing happens where it is 1.
    device : {"cuda", "cpu", "mps"}
        ``"cuda"`` then means, in this process, a device of its own.
    local_number : int
        Of this worker among those of this machine.

    Raises
    ------
    TrainingError
        If there are not enough devices.
    """
    global _current
    if count == 1:
        yield _current
        return
    if device == "mps":
        raise TrainingError(
            "{count} workers were started, but only CUDA devices and the CPU can be shared out; "
            "start one, or set SUBCLUST_DEVICE to cpu.",
            count=count,
        )
    if device == "cuda" and local_number >= torch.cuda.device_count():
        raise TrainingError(
            "Worker {local_number} on this machine has no CUDA device of its own, since there are "
            "{count}; start no more workers than devices.",
            local_number=local_number + 1,
            count=torch.cuda.device_count(),
        )
    workers = _Several(device)
    _current = workers
    try:
        yield workers
    finally:
        _current = Workers()
        workers.state.destroy_process_group()
