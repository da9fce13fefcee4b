"""What changes while a model is trained, and how it is saved and taken up again."""

import json
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from subclust.core.exceptions import TrainingError
from subclust.jobs import PROGRESS_FILE, STOP_FILE
from subclust.text.encoders import native_precision
from subclust.training.loop.learner import Learner, TrainingResult
from subclust.training.loop.state import (
    STATE_VERSION,
    RunFacts,
    described,
    forget_progress_after,
    optimizer_tensors,
    random_states,
    read_run,
    restore_optimizer,
    restore_random_states,
    seed_all,
    write_state,
)
from subclust.training.loop.workers import Workers
from subclust.training.recipe import TrainingArguments

Progress = Callable[[Mapping[str, Any]], None]

SAVE_SECONDS = 60.0
"""After which a state is saved in any case, so that no more is lost where steps are slow."""


class Run:
    """The changing part of a run: what each step does, and what is saved and restored.

    All workers hold the same weights and the same record of the run; the main one alone validates
    and writes.

    Parameters
    ----------
    workers : Workers, optional
        By default this process alone.
    """

    def __init__(
        self,
        learner: Learner,
        arguments: TrainingArguments,
        folder: Path,
        *,
        device: str = "cpu",
        progress: Progress | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.learner = learner
        self.arguments = arguments
        self.folder = folder
        self.device = device
        self.progress = progress
        self.workers = workers or Workers()
        self.parameters = {
            name: parameter
            for name, parameter in self.learner.model.named_parameters()
            if parameter.requires_grad
        }
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [parameter], "rate": self.learner.rate(name)}
                for name, parameter in self.parameters.items()
            ],
            lr=self.arguments.learning_rate,
            weight_decay=self.arguments.weight_decay,
            fused=True,  # one pass over a matrix of words instead of eight
        )
        # Workers must not draw the same numbers, for instance in drop-out.
        seed_all(self.arguments.seed + self.workers.number)
        self.step = 0
        self.best: dict[str, Tensor] = {}
        self.best_step = 0
        self.best_metrics: dict[str, float] = {}
        self.since_best = 0
        self.history: list[dict[str, Any]] = []
        self.loss = math.nan
        self.seconds = 0.0
        self.training_seconds = 0.0
        self.validation_seconds = 0.0  # of the last validation
        self.stop_asked = threading.Event()
        self._saved_at = time.monotonic()
        self._epoch = -1
        self._epoch_start = 0
        self._batches: Sequence[Any] = ()

    def to_the_end(self) -> TrainingResult:
        """Train until the last step, the end of the patience, or somebody's stop."""
        if self.arguments.epochs == 0:
            self._validate(0)
            return TrainingResult(self.best_metrics, 0, 0, 0.0, 0.0, 0, "finished", self.history)
        self._draw(0)
        per_epoch = self._steps_per_epoch
        total = max(1, round(self.arguments.epochs * per_epoch))
        every = self.arguments.evaluate_every or per_epoch
        # The weights that the run begins with are a candidate, too: training may only make them
        # worse.
        if self.step == 0:
            self._validate(total)
        self._enter_epoch()  # what a resumed run draws again was counted before
        # A run that patience ended may have been killed before its checkpoint was written.
        stopped = "patience" if self._out_of_patience() else "finished"
        while self.step < total and stopped == "finished":
            started = time.monotonic()
            self._one_step(total)
            self.training_seconds += time.monotonic() - started
            last = self.step == total
            if self.step % every == 0 or last:
                self._validate(total)
                if self._out_of_patience():
                    stopped = "patience"
            self.seconds += time.monotonic() - started
            self._report(total)
            if stopped == "finished" and not last and self._asked_to_stop():
                stopped = "stop"
            # `any` waits for all workers. `due` is the same in each, so that either all or none
            # come to it.
            due = self.step % self.arguments.save_every == 0 or last or stopped != "finished"
            if due or self.workers.any(time.monotonic() - self._saved_at > SAVE_SECONDS):
                self.save()
        if self.best:
            with torch.no_grad():
                for name, parameter in self.parameters.items():
                    parameter.copy_(self.best[name])
        return TrainingResult(
            metrics=self.best_metrics,
            best_step=self.best_step,
            steps=self.step,
            seconds=self.seconds,
            training_seconds=self.training_seconds,
            steps_per_epoch=per_epoch,
            stopped=stopped,
            history=self.history,
        )

    @property
    def _steps_per_epoch(self) -> int:
        return math.ceil(len(self._batches) / self._batches_per_step)

    @property
    def _batches_per_step(self) -> int:
        return self.arguments.accumulate * self.workers.count

    def _draw(self, epoch: int) -> None:
        if epoch != self._epoch:
            self._epoch = epoch
            self._batches = self.learner.epoch_batches(
                epoch, np.random.default_rng([self.arguments.seed, epoch])
            )
            if not self._batches:
                raise TrainingError(
                    "There is nothing to train on: no training question has two passages of one "
                    "subtopic and one of another; add labelled questions."
                )

    def _enter_epoch(self) -> None:
        # Epochs may differ in their number of batches, so a resumed run counts them from the first.
        while self.step >= self._epoch_start + self._steps_per_epoch:
            self._epoch_start += self._steps_per_epoch
            self._draw(self._epoch + 1)

    def _how_far(self) -> dict[str, float]:
        """Return how far the run is: in passes over the training queries, and in time."""
        in_epoch = self.step - self._epoch_start
        epoch = self._epoch + in_epoch / self._steps_per_epoch if in_epoch else max(self._epoch, 0)
        return {"epoch": round(epoch, 6), "training_seconds": round(self.training_seconds, 4)}

    def _out_of_patience(self) -> bool:
        return bool(self.arguments.patience) and self.since_best >= self.arguments.patience

    def _one_step(self, total: int) -> None:
        self._enter_epoch()
        position = (self.step - self._epoch_start) * self._batches_per_step
        for group in self.optimizer.param_groups:
            group["lr"] = self.arguments.learning_rate * self._factor(total) * group["rate"]
        self.learner.model.train()
        self.optimizer.zero_grad()
        total_loss = 0.0
        batches = self._batches[position : position + self._batches_per_step]
        for batch in batches[self.workers.number :: self.workers.count]:
            with self._autocast():
                loss = self.learner.loss(batch)
            # Divided by the batches of all workers, whose gradients are added up.
            (loss / len(batches)).backward()  # type: ignore[no-untyped-call]
            total_loss += float(loss.detach())
        mean = self.workers.sum_gradients(list(self.parameters.values()), total_loss) / len(batches)
        if not math.isfinite(mean):
            raise _diverged(self.step + 1)
        if self.arguments.gradient_clip:
            nn.utils.clip_grad_norm_(self.parameters.values(), self.arguments.gradient_clip)
        self.optimizer.step()
        if self.device == "cuda":
            torch.cuda.synchronize()  # or the next validation would pay for it
        self.step += 1
        self.loss = mean if math.isnan(self.loss) else 0.95 * self.loss + 0.05 * mean

    def _factor(self, total: int) -> float:
        """Return the share of the learning rate that the next step uses."""
        warmup = self.arguments.warmup * total
        if self.step + 1 <= warmup:
            return (self.step + 1) / warmup
        share = max(self.step - warmup, 0) / max(total - warmup, 1)
        match self.arguments.schedule:
            case "linear":
                return 1 - share
            case "cosine":
                return 0.5 * (1 + math.cos(math.pi * share))
        return 1.0

    def _autocast(self) -> AbstractContextManager[Any]:
        wanted: str = self.arguments.precision
        if wanted == "auto":
            wanted = native_precision(self.device)
        if wanted == "float32":
            return nullcontext()
        return torch.autocast(self.device, torch.bfloat16)

    def _evaluate(self) -> dict[str, float]:
        # The last step may have made them infinite from a loss that was finite.
        if not all(bool(value.isfinite().all()) for value in self.parameters.values()):
            raise _diverged(self.step)
        self.learner.model.eval()
        with torch.inference_mode():
            return dict(self.learner.evaluate())

    def _validate(self, total: int) -> None:
        started = time.monotonic()
        metrics = self.workers.from_main(self._evaluate)
        self.validation_seconds = time.monotonic() - started
        value = metrics[self.learner.primary_metric]
        self.history.append(
            {
                "step": self.step,
                "total": total,
                **self._how_far(),
                "loss": None if math.isnan(self.loss) else self.loss,
                "metrics": metrics,
            }
        )
        better = not self.best or value > self.best_metrics[self.learner.primary_metric]
        if better or self.learner.keeps_last:
            self.best = {n: p.detach().clone() for n, p in self.parameters.items()}
            self.best_metrics, self.best_step, self.since_best = metrics, self.step, 0
        else:
            self.since_best += 1

    def _report(self, total: int) -> None:
        if not self.workers.main:
            return
        line = {
            "step": self.step,
            "total": total,
            "loss": self.loss,
            "seconds": round(self.seconds, 3),
            "eta": round(self.seconds / self.step * (total - self.step), 1),
        }
        if self.history and self.history[-1]["step"] == self.step:
            of_validation = ("epoch", "training_seconds", "metrics")
            line |= {name: self.history[-1][name] for name in of_validation}
            line["validation_seconds"] = round(self.validation_seconds, 6)
        with (self.folder / PROGRESS_FILE).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")
        if self.progress is not None:
            self.progress(line)

    def _asked_to_stop(self) -> bool:
        asked = self.stop_asked.is_set() or (self.folder / STOP_FILE).exists()
        return self.workers.any(asked)

    def save(self) -> None:
        """Write everything that a resumed run needs."""
        self._saved_at = time.monotonic()
        tensors: dict[str, Tensor] = {
            f"model.{name}": value for name, value in self.parameters.items()
        }
        tensors |= {f"best.{name}": value for name, value in self.best.items()}
        tensors |= optimizer_tensors(self.optimizer)
        # Every worker takes part in this, so only then do all but the main one leave.
        for number, states in enumerate(self.workers.gather(random_states(self.device))):
            tensors |= {_random(number) + name: state for name, state in states.items()}
        if not self.workers.main:
            return
        facts = RunFacts(
            arguments=described(self.arguments),
            objective=described(self.learner.objective),
            workers=self.workers.count,
            step=self.step,
            best_step=self.best_step,
            best_metrics=self.best_metrics,
            since_best=self.since_best,
            history=self.history,
            loss=None if math.isnan(self.loss) else self.loss,
            seconds=self.seconds,
            training_seconds=self.training_seconds,
            version=STATE_VERSION,
        )
        write_state(self.folder, tensors, asdict(facts))

    def restore(self) -> None:
        """Take up the saved state, if there is one."""
        saved = read_run(self.folder)
        if saved is None:
            if self.workers.main:
                forget_progress_after(self.folder, 0)
            return
        tensors, facts = saved
        if not facts.is_of(facts.arguments, self.arguments):
            raise TrainingError(
                "The saved run had other training arguments; resume it with the same recipe, "
                "or start a new run under another name."
            )
        if not facts.is_of(facts.objective, self.learner.objective):
            raise TrainingError(
                "The saved run had another objective; resume it with the same recipe, or start a "
                "new run under another name."
            )
        if facts.workers != self.workers.count:
            raise TrainingError(
                "The saved run had {before} workers, but there are {count} now; resume it with as "
                "many.",
                before=facts.workers,
                count=self.workers.count,
            )
        try:
            with torch.no_grad():
                for name, parameter in self.parameters.items():
                    parameter.copy_(tensors[f"model.{name}"])
        except (KeyError, RuntimeError) as error:
            raise TrainingError(
                "The saved run had another model; resume it with the same recipe, "
                "or start a new run under another name."
            ) from error
        restore_optimizer(self.optimizer, tensors)
        self.best = {
            name.removeprefix("best."): tensor.to(self.device)
            for name, tensor in tensors.items()
            if name.startswith("best.")
        }
        prefix = _random(self.workers.number)
        states = {
            name.removeprefix(prefix): state
            for name, state in tensors.items()
            if name.startswith(prefix)
        }
        restore_random_states(states, self.device)
        self.step, self.best_step, self.since_best = facts.step, facts.best_step, facts.since_best
        self.best_metrics, self.history = facts.best_metrics, facts.history
        self.loss = math.nan if facts.loss is None else facts.loss
        self.seconds = facts.seconds
        # Older states have only the sum with validation.
        known = facts.training_seconds
        self.training_seconds = facts.seconds if known is None else known
        if self.workers.main:
            forget_progress_after(self.folder, self.step)


def _random(number: int) -> str:
    """Return the prefix of a worker's random states."""
    return f"random.{number}." if number else "random."


def _diverged(step: int) -> TrainingError:
    return TrainingError(
        "The loss is no longer finite at step {step}; start again with a smaller learning_rate.",
        step=step,
    )
