"""Learns the gate by which a question decides how to divide."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.dividing.wordings import Wording, written
from benchmarks.tasks import TASKS
from benchmarks.tasks.crossings import CrossedSet, asked
from subclust.core.records import FloatArray
from subclust.core.settings import Settings
from subclust.grouping.similarity.division import WAYS, DivisionGate
from subclust.judging.tasks import checked_files, load_task
from subclust.methods import resolve
from subclust.text.encoders import Encoder

WIDTH = 24
HIDDEN = 24
N_WORDINGS = 3
"""Questions for each division of a training hit set."""

_SCALE = 4.0
"""Of the first layer, since a question's vector has a length of 1 over hundreds of dimensions."""

_EPOCHS = 20
_BATCH = 256
_RATE = 3e-3
_DECAY = 1e-2
_NOISE = 0.015
"""Standard deviation added to each dimension of a question, so that near wordings are alike."""

_SETS = {
    "crossed_wikipedia_train": ("benchmarks.tasks.crossed:wikipedia_sets", True),
    "crossed_requests_train": ("benchmarks.tasks.crossed_others:request_sets", False),
    "crossed_methods_train": ("benchmarks.tasks.crossed_others:method_sets", False),
}
"""Training tasks, what draws their hit sets, and whether these share documents."""


class GateNetwork(nn.Module):
    """The network of a `DivisionGate` while it learns."""

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        self.question = nn.Linear(embedding_dim, WIDTH)
        self.hidden = nn.Linear(2 * WIDTH + 1, HIDDEN)
        self.out = nn.Linear(HIDDEN, len(WAYS))
        self.dropout = nn.Dropout(0.3)

    def forward(self, questions: Tensor, shared: Tensor) -> Tensor:
        """Return logits of shape (n_questions, 3); `shared` is (n_questions, 1), 0 or 1."""
        read = torch.tanh(_SCALE * self.question(questions))
        seen = torch.cat([read, read * shared, shared], dim=-1)
        logits: Tensor = self.out(torch.relu(self.hidden(self.dropout(seen))))
        return logits

    def gate(self, thresholds: FloatArray) -> DivisionGate:
        """Return the arrays of what was learnt."""

        def array(values: Tensor, scale: float = 1.0) -> FloatArray:
            return np.asarray((scale * values).detach().numpy(), dtype=np.float32)

        return DivisionGate(
            question=array(self.question.weight.T, _SCALE),
            question_shift=array(self.question.bias, _SCALE),
            hidden=array(self.hidden.weight.T),
            hidden_shift=array(self.hidden.bias),
            out=array(self.out.weight.T),
            out_shift=array(self.out.bias),
            thresholds=thresholds,
        )


@lru_cache(maxsize=8)
def crossed_sets(task: str, builder: str, settings: Settings) -> tuple[CrossedSet, ...]:
    """Draw the hit sets of a crossed task."""
    card = TASKS[task]
    return tuple(resolve(builder)(card, checked_files(card, settings)))


def wordings(settings: Settings) -> list[Wording]:
    """Gather all that a gate learns from; nothing of validation or test.

    A question of the crossed tasks is there as often as it is asked.
    """
    articles = load_task("wiki2014_train", settings)[1]
    found = written(articles, seed=0)
    for task, (builder, shared) in _SETS.items():
        sets = crossed_sets(task, builder, settings)
        for place, instance in enumerate(asked(sets, "train", 0, N_WORDINGS)):
            way = WAYS[place % (2 * N_WORDINGS) // N_WORDINGS]
            found.append(Wording(instance.query.text, way, shared))
    return found


def learn(questions: Sequence[Wording], encoder: Encoder, seed: int) -> GateNetwork:
    """Train a gate on questions.

    Parameters
    ----------
    encoder : Encoder
        The base encoder.

    Returns
    -------
    GateNetwork
        In evaluation mode.
    """
    torch.manual_seed(seed)
    vectors = torch.from_numpy(encoder.encode([one.text for one in questions]))
    shared = torch.tensor([[float(one.shared_documents)] for one in questions])
    ways = torch.tensor([WAYS.index(one.way) for one in questions])
    weights = 1 / torch.bincount(ways, minlength=len(WAYS)).float()
    network = GateNetwork(vectors.shape[1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    n_steps = _EPOCHS * max(1, len(ways) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: max(0.02, 1 - step / n_steps)
    )
    for _ in range(_EPOCHS):
        order = torch.randperm(len(ways))
        for start in range(0, max(1, len(ways) - _BATCH + 1), _BATCH):
            rows = order[start : start + _BATCH]
            near = vectors[rows] + _NOISE * torch.randn(len(rows), vectors.shape[1])
            loss = nn.functional.cross_entropy(
                network(nn.functional.normalize(near, dim=-1), shared[rows]),
                ways[rows],
                weight=weights / weights.sum(),
                label_smoothing=0.03,
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    return network.eval()


def with_thresholds(gate: DivisionGate, thresholds: Sequence[float]) -> DivisionGate:
    """Return the gate with thresholds by subjects and by aspects."""
    return replace(gate, thresholds=np.asarray(thresholds, dtype=np.float32))
