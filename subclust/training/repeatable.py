"""What makes a run repeatable: seeds, random states, and kernels that give the same each time."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from subclust.core.settings import let_cublas_repeat


def seed_all(seed: int) -> None:
    """Seed the generators of torch (all devices), numpy and Python."""
    torch.manual_seed(seed)
    np.random.seed(seed % 2**32)
    random.seed(seed)


def random_states(device: str) -> dict[str, Tensor]:
    """Return the states of all generators that a loss may draw from, as tensors."""
    _, words, gauss = random.getstate()
    legacy = np.random.get_state(legacy=False)
    assert isinstance(legacy, dict)
    states = {
        "torch": torch.get_rng_state(),
        "python": torch.tensor(words, dtype=torch.int64),
        "python.gauss": _maybe(gauss),
        "numpy": torch.tensor(
            [*legacy["state"]["key"].tolist(), legacy["state"]["pos"]], dtype=torch.int64
        ),
        "numpy.gauss": _maybe(legacy["gauss"] if legacy["has_gauss"] else None),
    }
    if device == "cuda":
        states["cuda"] = torch.cuda.get_rng_state()
    return states


def restore_random_states(states: Mapping[str, Tensor], device: str) -> None:
    """Put back what `random_states` gave, or the part of it that is there."""
    if "torch" in states:
        torch.set_rng_state(states["torch"])
    if "python" in states:
        gauss = states["python.gauss"].tolist()
        random.setstate((3, tuple(states["python"].tolist()), gauss[0] if gauss else None))
    if "numpy" in states:
        *key, position = states["numpy"].tolist()
        gauss = states["numpy.gauss"].tolist()
        np.random.set_state(
            {
                "bit_generator": "MT19937",
                "state": {"key": np.asarray(key, dtype=np.uint32), "pos": position},
                "has_gauss": len(gauss),
                "gauss": gauss[0] if gauss else 0.0,
            }
        )
    if "cuda" in states and device == "cuda":
        torch.cuda.set_rng_state(states["cuda"])


def _maybe(value: float | None) -> Tensor:
    return torch.tensor([] if value is None else [value], dtype=torch.float64)


@contextmanager
def repeatable_kernels(device: str) -> Iterator[None]:
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
