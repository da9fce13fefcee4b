"""Learns the metric by which a question scores hits that share no documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.dividing.learn import crossed_sets
from benchmarks.tasks.crossings import asked
from subclust.core.records import FloatArray
from subclust.core.settings import Settings
from subclust.grouping.similarity.dividing import centred
from subclust.grouping.similarity.named_things import named_things
from subclust.grouping.similarity.network import shared_words
from subclust.grouping.similarity.question_metric import (
    QuestionMetric,
    shares_of_things,
    standardised,
)
from subclust.text.encoders import Encoder

RANK = 16
WIDTH = 24
KNOWN_WIDTH = 16
N_NETWORKS = 10
"""Of which the metric is the mean."""

N_WORDINGS = 8
"""Questions for each division of a training hit set."""

_SCALE = 4.0
_DROPOUT = 0.3
_NOISE = 0.015
_EPOCHS = 6
_KNOWN_EPOCHS = 10
_RATE = 3e-3
_DECAY = 1e-2
_NAMED, _MOVED = 2.0, 3.0
"""Scales of two of the three scores, so that each begins about as large as the others."""
_NEAR = 0.6
"""Cosine to a training question from which on another one is not taken for an unknown one."""

SETS = {
    "crossed_methods_train": "benchmarks.tasks.crossed_others:method_sets",
    "crossed_requests_train": "benchmarks.tasks.crossed_others:request_sets",
    "crossed_products_train": "benchmarks.tasks.crossed_others:product_sets",
}
"""Training tasks whose hits share no documents, and what draws their hit sets."""


@dataclass(frozen=True)
class MetricSet:
    """A hit set with what its scores are made of.

    Parameters
    ----------
    base : Tensor of shape (n_passages, embedding_dim)
    subjects : Tensor of shape (n_passages, n_passages)
    same : two bool Tensors of shape (n_pairs,)
        Whether the passages of a pair go together, by rows and by columns.
    questions : two lists of (Tensor of shape (embedding_dim,), Tensor of shape (n, n))
        Those that ask for rows and for columns, each with the shares of the things that it names;
        these are 0 where it names none.
    """

    base: Tensor
    subjects: Tensor
    same: tuple[Tensor, Tensor]
    questions: tuple[Sequence[tuple[Tensor, Tensor]], Sequence[tuple[Tensor, Tensor]]]


def metric_sets(settings: Settings, encoder: Encoder) -> list[MetricSet]:
    """Draw the training hit sets, each asked for both divisions."""
    made = []
    for task, builder in SETS.items():
        sets = crossed_sets(task, builder, settings)
        asks = asked(sets, "train", 0, N_WORDINGS)
        vectors = _by_text(encoder, [ask.query.text for ask in asks])
        named = {text: named_things(text) for text in vectors}
        vectors |= _by_text(encoder, [thing for things in named.values() for thing in things])
        for number, one in enumerate(sets):
            texts = [passage.text for passage in one.passages]
            own = encoder.encode(texts)
            base = centred(own)
            sides = []
            for side in (0, 1):
                start = (2 * number + side) * N_WORDINGS
                questions = [ask.query.text for ask in asks[start : start + N_WORDINGS]]
                sides.append([(vectors[q], _shares(own, named[q], vectors)) for q in questions])
            made.append(
                MetricSet(
                    torch.from_numpy(base),
                    torch.from_numpy(standardised(base @ base.T + shared_words(texts))),
                    (_same(one.rows), _same(one.columns)),
                    (_tensors(sides[0]), _tensors(sides[1])),
                )
            )
    return made


def _by_text(encoder: Encoder, texts: Sequence[str]) -> dict[str, FloatArray]:
    once = sorted(set(texts))
    return dict(zip(once, encoder.encode(once), strict=True))


def _shares(own: FloatArray, things: Sequence[str], vectors: dict[str, FloatArray]) -> FloatArray:
    if not things:
        return np.zeros((len(own), len(own)), dtype=np.float32)
    return standardised(shares_of_things(own, np.stack([vectors[one] for one in things])))


def _tensors(side: Sequence[tuple[FloatArray, FloatArray]]) -> list[tuple[Tensor, Tensor]]:
    return [(torch.from_numpy(question), torch.from_numpy(shares)) for question, shares in side]


def _same(places: Sequence[str]) -> Tensor:
    _, numbers = np.unique(places, return_inverse=True)
    first, second = np.triu_indices(len(numbers), 1)
    return torch.from_numpy(numbers[first] == numbers[second])


class MetricNetwork(nn.Module):
    """The metric of a `QuestionMetric` while it learns."""

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        self.directions = nn.Parameter(0.05 * torch.randn(embedding_dim, RANK))
        self.question = nn.Linear(embedding_dim, WIDTH)
        self.weights = nn.Linear(WIDTH, 3 + RANK)
        self.dropout = nn.Dropout(_DROPOUT)
        self.shift = nn.Parameter(torch.tensor(0.0))

    def forward(self, one: MetricSet, asked: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
        """Return scores of shape (n_questions, n_passages, n_passages)."""
        questions = torch.stack([question for question, _ in asked])
        named = torch.stack([shares for _, shares in asked])
        read = torch.tanh(_SCALE * self.question(questions))
        weights = nn.functional.softplus(self.weights(self.dropout(read)))
        about, things, moved = (weights[:, i, None, None] for i in range(3))
        space = (one.base @ self.directions)[None] * weights[:, None, 3:].sqrt()
        space = nn.functional.normalize(space, dim=-1, eps=1e-4)
        scores: Tensor = (
            about * one.subjects[None]
            + _NAMED * things * named
            + _MOVED * moved * (space @ space.transpose(1, 2))
        )
        return scores


class KnownNetwork(nn.Module):
    """Tells questions like those of the training from others."""

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        self.question = nn.Linear(embedding_dim, KNOWN_WIDTH)
        self.out = nn.Linear(KNOWN_WIDTH, 1)
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, questions: Tensor) -> Tensor:
        """Return logits of shape (n_questions,)."""
        read = torch.tanh(_SCALE * self.question(questions))
        logits: Tensor = self.out(self.dropout(read))[:, 0]
        return logits


def learn_metric(
    sets: Sequence[MetricSet], others: Sequence[str], encoder: Encoder, seed: int
) -> QuestionMetric:
    """Train a metric over both divisions of each hit set at once.

    Parameters
    ----------
    others : sequence of str
        Questions of other kinds, which it shall not take for known ones.
    encoder : Encoder
        The base encoder.

    Returns
    -------
    QuestionMetric
        Of `N_NETWORKS`; its thresholds are 0.
    """
    strange = torch.from_numpy(encoder.encode(sorted(set(others))))
    learnt = []
    for number in range(N_NETWORKS):
        torch.manual_seed(N_NETWORKS * seed + number)
        known = _learn_known(sets, strange)
        learnt.append((_learn_network(sets), known.eval()))
    return _metric(learnt)


def _learn_network(sets: Sequence[MetricSet]) -> MetricNetwork:
    network = MetricNetwork(sets[0].base.shape[1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    n_steps = _EPOCHS * (len(sets) // 2)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: max(0.03, 1 - step / max(n_steps, 1))
    )
    for _ in range(_EPOCHS):
        order = torch.randperm(len(sets)).tolist()
        for start in range(0, len(order) - 1, 2):
            loss = sum(
                (_loss(network, sets[place]) for place in order[start : start + 2]),
                start=torch.tensor(0.0),
            )
            optimiser.zero_grad()
            (loss / 2).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    return network.eval()


def _loss(network: MetricNetwork, one: MetricSet) -> Tensor:
    """Ask for each division in two wordings; pairs together weigh as much as pairs apart."""
    chosen, wanted = [], []
    for side, same in zip(one.questions, one.same, strict=True):
        for place in torch.randperm(len(side))[:2].tolist():
            question, shares = side[place]
            chosen.append((_near(question), shares))
            wanted.append(same)
    first, second = torch.triu_indices(len(one.base), len(one.base), 1)
    scores = network(one, chosen)[:, first, second] + network.shift
    losses = []
    for found, same in zip(scores, wanted, strict=True):
        each = nn.functional.binary_cross_entropy_with_logits(found, same.float(), reduction="none")
        losses.append((each[same].mean() + each[~same].mean()) / 2)
    return torch.stack(losses).mean()


def _near(questions: Tensor) -> Tensor:
    moved = questions + _NOISE * torch.randn(questions.shape)
    return nn.functional.normalize(moved, dim=-1)


def _learn_known(sets: Sequence[MetricSet], others: Tensor) -> KnownNetwork:
    asked = torch.stack(
        [question for one in sets for side in one.questions for question, _ in side]
    )
    asked = torch.unique(asked, dim=0)
    others = others[(others @ asked.T).max(dim=1).values < _NEAR]
    network = KnownNetwork(asked.shape[1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    wanted = torch.cat([torch.zeros(256), torch.ones(128)])
    for _ in range(_KNOWN_EPOCHS * max(1, len(others) // 256)):
        some = others[torch.randint(len(others), (256,))]
        known = asked[torch.randint(len(asked), (128,))]
        logits = network(_near(torch.cat([some, known])))
        loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return network


def _metric(learnt: Sequence[tuple[MetricNetwork, KnownNetwork]]) -> QuestionMetric:
    networks, known = zip(*learnt, strict=True)

    def array(values: Iterable[Tensor]) -> FloatArray:
        return np.stack([one.detach().numpy() for one in values]).astype(np.float32)

    return QuestionMetric(
        directions=array(one.directions for one in networks),
        question=array(one.question.weight.T for one in networks),
        question_shift=array(one.question.bias for one in networks),
        weights=array(one.weights.weight.T for one in networks),
        weights_shift=array(one.weights.bias for one in networks),
        scales=np.array([1.0, _NAMED, _MOVED], dtype=np.float32),
        known=array(one.question.weight.T for one in known),
        known_shift=array(one.question.bias for one in known),
        known_out=array(one.out.weight[0] for one in known),
        known_out_shift=array(one.out.bias[0] for one in known),
        thresholds=np.zeros(2, dtype=np.float32),
    )


def with_metric_thresholds(metric: QuestionMetric, thresholds: Sequence[float]) -> QuestionMetric:
    """Return the metric with thresholds of other questions and of known ones."""
    return replace(metric, thresholds=np.asarray(thresholds, dtype=np.float32))
