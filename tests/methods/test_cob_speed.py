"""How much of a training step goes into clustering."""

import time

import numpy as np
import pytest
import torch

from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods.cob import learner as room
from subclust.methods.cob.blackbox import AverageLink
from subclust.methods.cob.learner import ClusteringLearner
from subclust.methods.cob.models import EmbeddingSpace
from subclust.methods.cob.objective import ClusteringObjective
from subclust.text.encoders import SentenceEncoder
from subclust.text.encoders.tuning import tunable
from subclust.training.queries import prepare
from subclust.training.recipe import TrainingArguments

WORDS = "tax tea war ant burrow night map book shelf crown port colony claw tongue page".split()


@pytest.mark.slow
@pytest.mark.parametrize("samples", [1, 16])
def test_clustering_takes_under_a_tenth_of_a_step(monkeypatch, samples):
    generator = np.random.default_rng(0)
    texts = [" ".join(generator.choice(WORDS, 110)) for _ in range(50)]
    passages = tuple(Passage(str(n), text, label=str(n % 18)) for n, text in enumerate(texts))
    objective = ClusteringObjective(noise=0.2, samples=samples, tuned_layers=1)
    spent = []

    class Timed(AverageLink):
        def labels(self, distances, counts):
            started = time.perf_counter()
            found = super().labels(distances, counts)
            spent.append(time.perf_counter() - started)
            return found

    monkeypatch.setattr(room, "_make_solver", lambda objective: Timed())
    torch.manual_seed(0)
    learner = ClusteringLearner(
        EmbeddingSpace(384, hidden_dim=0),
        prepare([ClusteringInstance(Query("q"), passages)], objective),
        [],
        objective,
        TrainingArguments(),
        encoder=tunable(SentenceEncoder("all-MiniLM-L6-v2", device="cpu"), layers=1),
    )
    (batch,) = learner.batches(generator)
    started = time.perf_counter()
    learner.loss(batch).backward()
    whole = time.perf_counter() - started
    # Once forward and once back, each for all samples.
    assert len(spent) == 2
    share = sum(spent) / whole
    print(f"clustering {1000 * sum(spent):.1f} ms of {1000 * whole:.0f} ms, {share:.1%}")
    assert share < 0.1
