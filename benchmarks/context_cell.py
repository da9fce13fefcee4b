"""Time and memory of one set encoder on one subset: a cell of the paper's figure 4."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

import psutil
import torch

from benchmarks.peak_memory import PeakMemory
from subclust.core.exceptions import BenchmarkError
from subclust.methods.cactus.networks import load_set_encoder
from subclust.methods.cactus.set_encoder import SetEncoder
from subclust.methods.cactus.tokens import Tokens

SHAPES = ("minilm", "flan-t5-base")
"""Sizes of encoders that can be measured; their weights do not matter here and are random."""

_LONG_ENOUGH = 10.0


def measure_cell(
    encoder: SetEncoder, n_entities: int, n_tokens: int, *, rounds: int = 3, limit_gb: float = 8.0
) -> dict[str, Any]:
    """Measure how a subset goes through a set encoder, without gradients.

    Parameters
    ----------
    n_entities : int
        Of the one subset.
    n_tokens : int
        Of each entity.
    rounds : int
        Timed passes at most; fewer where they are long.
    limit_gb : float
        More memory than this is refused to it, where the system can do so.

    Returns
    -------
    dict
        ``context``, ``n_entities``, ``n_tokens``; ``seconds``, of the quickest pass;
        ``cpu_seconds``, the least processor time of one, which other work on the machine disturbs
        less; ``peak_mb``, memory above that of the loaded model; all three None and ``failed`` a
        sentence where there was not enough memory.
    """
    device = str(next(encoder.parameters()).device.type)
    cell = empty_cell(encoder.context, n_entities, n_tokens)
    tokens = some_subset(n_entities, n_tokens).to(device)
    with torch.inference_mode():
        # What the libraries set up at their first use is no part of it.
        encoder(some_subset(2, 8).to(device))
        try:
            with _limited(limit_gb, device):
                with PeakMemory(device) as peak:
                    times = [_timed(encoder, tokens)]
                while len(times) < rounds and sum(wall for wall, _ in times) < _LONG_ENOUGH:
                    times.append(_timed(encoder, tokens))
        except (RuntimeError, MemoryError) as error:
            if not _for_want_of_memory(error):
                raise
            return {**cell, "failed": f"It wants more than {limit_gb:g} GB of memory."}
    return {
        **cell,
        "seconds": round(min(wall for wall, _ in times), 5),
        "cpu_seconds": round(min(spent for _, spent in times), 5),
        "peak_mb": round(peak.megabytes, 3),
    }


def empty_cell(context: str, n_entities: int, n_tokens: int) -> dict[str, Any]:
    """Make the row of a cell of which nothing is known."""
    return {
        "context": context,
        "n_entities": n_entities,
        "n_tokens": n_tokens,
        "seconds": None,
        "cpu_seconds": None,
        "peak_mb": None,
    }


def send_cell(
    sender: "Connection[Any, Any]",
    shape: str,
    context: str,
    n_entities: int,
    n_tokens: int,
    device: str,
    low_precision: bool,
    threads: int,
    rounds: int,
    limit_gb: float,
) -> None:
    """Measure a cell in a process that has done nothing yet, and send the row."""
    torch.set_num_threads(threads)
    encoder = encoder_of_shape(shape, context, device=device, low_precision=low_precision)
    sender.send(measure_cell(encoder, n_entities, n_tokens, rounds=rounds, limit_gb=limit_gb))
    sender.close()


def some_subset(n_entities: int, n_tokens: int) -> Tokens:
    """Make a subset of random word pieces, the same each time."""
    generator = torch.Generator().manual_seed(0)
    return Tokens(
        torch.randint(1000, 30000, (n_entities, n_tokens), generator=generator),
        torch.ones(n_entities, n_tokens, dtype=torch.bool),
        torch.zeros(n_entities, dtype=torch.long),
    )


def encoder_of_shape(
    shape: str, context: str, *, device: str = "cpu", low_precision: bool = False
) -> SetEncoder:
    """Make a set encoder of random weights.

    Parameters
    ----------
    shape : str
        One of `SHAPES`.
    context : str
        As `load_set_encoder` takes it.

    Raises
    ------
    BenchmarkError
        If there is no such shape.
    """
    from transformers import BertConfig, BertModel, T5Config, T5EncoderModel

    torch.manual_seed(0)
    model: Any
    if shape == "minilm":
        model = BertModel(
            BertConfig(
                hidden_size=384,
                num_hidden_layers=6,
                num_attention_heads=12,
                intermediate_size=1536,
            )
        )
    elif shape == "flan-t5-base":
        model = T5EncoderModel(
            T5Config(
                d_model=768,
                d_kv=64,
                d_ff=2048,
                num_layers=12,
                num_heads=12,
                feed_forward_proj="gated-gelu",
            )
        )
    else:
        raise BenchmarkError(
            "There is no shape {shape!r}; choose one of {names}.",
            shape=shape,
            names=", ".join(SHAPES),
        )
    return load_set_encoder(
        model.to(device), context=context, tuned_layers=0, low_precision=low_precision
    )


def _timed(encoder: SetEncoder, tokens: Tokens) -> tuple[float, float]:
    began, began_cpu = time.perf_counter(), time.process_time()
    encoder(tokens)
    if tokens.ids.is_cuda:
        torch.cuda.synchronize()
    return time.perf_counter() - began, time.process_time() - began_cpu


@contextmanager
def _limited(limit_gb: float, device: str) -> Iterator[None]:
    try:
        import resource
    except ImportError:  # a system without such limits
        yield
        return
    if device == "cuda":
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = psutil.Process().memory_info().vms + int(limit_gb * 1e9)
    if before[1] != resource.RLIM_INFINITY:
        most = min(most, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _for_want_of_memory(error: BaseException) -> bool:
    words = str(error).lower()
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or (
        "allocate" in words or "memory" in words
    )
