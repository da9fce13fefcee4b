"""The loop: weights in float32, computing in bfloat16 on a card, nothing waited for in a step."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from benchmarks.distilling.measuring import measure
from benchmarks.distilling.networks import Network
from benchmarks.distilling.objective import centred, contrast, taught_similarity
from benchmarks.distilling.passages import Passages, PassageSet, Step, Steps

Teachers = Sequence[tuple[Tensor, int]]
"""As for `taught_similarity`."""


@dataclass(frozen=True)
class Plan:
    """How long and how fast to train.

    Parameters
    ----------
    epochs : float
        Passes over the first kind of sets.
    seconds : float
        After so many, none being measured, the schedule has run down, epochs left or not.
    rate : float
        Of learning, at its highest.
    warmup : float
        Share of the run in which it rises; from there it falls to 0.
    temperature, label_weight, level : float
        As for `contrast`.
    tokens : int
        Of a chunk, with those that fill up.
    measures : int
        Times that validation is measured.
    """

    epochs: float = 8.0
    seconds: float = 1e9
    rate: float = 1.5e-4
    warmup: float = 0.06
    temperature: float = 0.1
    label_weight: float = 0.3
    level: float = 2.0
    tokens: int = 32768
    measures: int = 5
    seed: int = 0


@dataclass
class _Progress:
    step: int = 0
    seconds: float = 0.0
    n_passages: int = 0
    best_step: int = 0
    best: list[float] = field(default_factory=list)
    history: list[dict[str, float]] = field(default_factory=list)

    @property
    def ari(self) -> float:
        return float(np.mean(self.best)) if self.best else -1.0

    @property
    def speed(self) -> float:
        return self.n_passages / max(self.seconds, 1e-9)


def train(
    network: Network,
    passages: Passages,
    steps: Steps,
    validation: Sequence[PassageSet],
    plan: Plan,
    *,
    teachers: Teachers = (),
    state: Path | None = None,
    tell: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Tune the layers of an encoder and leave those that were best in validation in it.

    Parameters
    ----------
    network : Network
        In float32 on the device of the passages.
    validation : sequence of PassageSet
        Labelled.
    teachers : sequence of (Tensor, int)
        As for `taught_similarity`.
    state : Path, optional
        File from which the run goes on where it was stopped, written after each validation.

    Returns
    -------
    dict
        ``plan``, ``history``, ``steps``, ``best_step``, ``seconds``, ``passages_per_second``, and
        of the best ``ari`` and ``per_query``.
    """
    card = passages.device != "cpu"
    master = {name: p.detach().clone().requires_grad_() for name, p in network.trained().items()}
    learnt = list(master.values())
    for weight in learnt:
        weight.grad = torch.zeros_like(weight)
    if card:
        network.bfloat16()
    network.requires_grad_(False)
    working = list(network.trained().values())
    for parameter in working:
        parameter.requires_grad_(True)
    optimiser = torch.optim.AdamW(learnt, lr=plan.rate, weight_decay=0.01, fused=card)
    n_steps = max(1, round(plan.epochs * steps.per_epoch))
    progress, kept = _Progress(), {name: p.detach().clone() for name, p in master.items()}
    if state is not None and state.is_file():
        saved = torch.load(state, map_location=passages.device, weights_only=True)
        progress, kept = _Progress(**saved["progress"]), saved["kept"]
        optimiser.load_state_dict(saved["optimiser"])
        with torch.no_grad():
            for name, weight in master.items():
                weight.copy_(saved["master"][name])
    _put(learnt, working)
    losses: list[Tensor] = []
    since, share = time.perf_counter(), 0.0
    while True:
        elapsed = time.perf_counter() - since
        share = max(progress.step / n_steps, (progress.seconds + elapsed) / plan.seconds)
        if share >= 1 or share * plan.measures >= len(progress.history):
            if card:
                torch.cuda.synchronize()
            progress.seconds += time.perf_counter() - since
            found = measure(network, passages, validation, plan.tokens)
            line = {
                "step": float(progress.step),
                "epoch": progress.step / steps.per_epoch,
                "seconds": round(progress.seconds, 1),
                "loss": float(torch.stack(losses).mean()) if losses else 0.0,
                "ari": float(np.mean(found)),
            }
            losses = []
            tell(
                f"step {progress.step}/{n_steps}, epoch {line['epoch']:.2f}: loss "
                f"{line['loss']:.4f}, validation {line['ari']:.4f}, {progress.seconds:.0f} s, "
                f"{progress.speed:.0f} passages/s"
            )
            if line["ari"] > progress.ari:
                progress.best, progress.best_step = found, progress.step
                kept = {name: p.detach().clone() for name, p in master.items()}
            progress.history.append(line)
            if state is not None:
                _write(state, progress, kept, optimiser, master)
            if share >= 1:
                break
            since = time.perf_counter()
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1.0, share / plan.warmup + 1 / n_steps) * (1 - share)
        loss, n_passages = _step(network, passages, steps.step(progress.step), plan, teachers,
                                 seed=plan.seed * 1_000_003 + progress.step)  # fmt: skip
        losses.append(loss)
        _put([p.grad for p in working], [weight.grad for weight in learnt])
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        _put(learnt, working)
        progress.n_passages += n_passages
        progress.step += 1
    with torch.no_grad():
        for name, p in network.float().trained().items():
            p.copy_(kept[name])
    return {
        "plan": asdict(plan),
        "history": [
            {k: None if v != v else v for k, v in line.items()} for line in progress.history
        ],
        "steps": progress.step,
        "best_step": progress.best_step,
        "seconds": progress.seconds,
        "passages_per_second": progress.speed,
        "ari": progress.ari,
        "per_query": progress.best,
    }


def _step(
    network: Network,
    passages: Passages,
    step: Step,
    plan: Plan,
    teachers: Teachers,
    *,
    seed: int,
) -> tuple[Tensor, int]:
    """Compute the gradients of a step and its loss; nothing here waits for the device."""
    network.train()
    torch.manual_seed(seed)
    rows, sets, labels, folds = (
        _sent(part, passages.device) for part in (step.rows, step.sets, step.labels, step.folds)
    )
    parts = [
        network(*passages.padded(rows[chunk], n_tokens))
        for chunk, n_tokens in passages.chunks(step.rows, plan.tokens)
    ]
    unit = centred(torch.cat(parts[::-1]), sets, len(step.folds))
    taught = taught_similarity(teachers, rows, sets, folds) if teachers else None
    loss = contrast(
        unit @ unit.T,
        sets,
        labels,
        taught,
        temperature=plan.temperature,
        label_weight=plan.label_weight,
        level=plan.level,
    )
    for p in network.trained().values():
        p.grad = None
    torch.autograd.backward(loss)
    return loss.detach(), len(step.rows)


def _sent(array: npt.NDArray[np.int64], device: str) -> Tensor:
    tensor = torch.from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device == "cuda" else tensor


@torch.no_grad()
def _put(source: Sequence[Tensor | None], target: Sequence[Tensor | None]) -> None:
    torch._foreach_copy_([t for t in target if t is not None], [s for s in source if s is not None])


def _write(
    state: Path,
    progress: _Progress,
    kept: dict[str, Tensor],
    optimiser: torch.optim.Optimizer,
    master: dict[str, Tensor],
) -> None:
    whole = {
        "progress": asdict(progress),
        "kept": kept,
        "optimiser": optimiser.state_dict(),
        "master": {name: weight.detach() for name, weight in master.items()},
    }
    partial = state.with_suffix(".partial")
    torch.save(whole, partial)
    partial.replace(state)
