from dataclasses import replace

import numpy as np
import pytest
import torch

from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods.cob.blackbox import AverageLink, ByClusterer
from subclust.methods.cob.clusterer import MODELS
from subclust.methods.cob.learner import (
    ClusteringLearner,
    TripletLearner,
    _all_triplets,
    _draw_triplets,
    _make_solver,
    _moved,
    distances_of,
    true_groups,
)
from subclust.methods.cob.objective import (
    ClusteringObjective,
    TripletObjective,
    rand_loss,
    regulariser,
)
from subclust.text.encoders.base import HashingEncoder
from subclust.training.losses import _count_triplets
from subclust.training.network_training import embed_all
from subclust.training.queries import prepare, with_embeddings
from subclust.training.recipe import TrainingArguments

pytestmark = pytest.mark.research

SUBJECTS = ["tax tea war", "ant burrow night", "map book shelf"]


def instance(number, n_passages):
    generator = np.random.default_rng(number)
    passages = []
    for row in range(n_passages):
        subject = SUBJECTS[row % 3]
        words = generator.permutation([*subject.split(), "paper", "note", "page"])[:4]
        path = f"{subject} / {row % 2}"
        text = f"{number} {row} {' '.join(words)}"
        passages.append(Passage(f"{number}-{row}", text, label=subject, path=path))
    return ClusteringInstance(Query(f"query {number}"), tuple(passages))


INSTANCES = [instance(number, 6 + number % 5) for number in range(10)]


@pytest.fixture
def make():
    def learner(objective=None, name="cob", instances=INSTANCES, hidden_dim=8, **arguments):
        objective = objective or ClusteringObjective()
        encoder = HashingEncoder(32)
        prepared = with_embeddings(prepare(instances, objective), embed_all(instances, encoder))
        torch.manual_seed(0)
        kind = TripletLearner if isinstance(objective, TripletObjective) else ClusteringLearner
        return kind(
            MODELS[name](32, hidden_dim=hidden_dim),
            prepared,
            prepared[:4],
            objective,
            TrainingArguments(**arguments),
        )

    return learner


def train(learner, n_steps=30, rate=3e-3):
    optimizer = torch.optim.Adam(learner.model.parameters(), rate)
    for epoch in range(n_steps):
        for batch in learner.batches(np.random.default_rng(epoch)):
            optimizer.zero_grad()
            learner.loss(batch).backward()
            optimizer.step()


@pytest.mark.parametrize("name", ["cob", "cob-query"])
def test_the_loss_is_the_disagreement_and_r_times_the_regulariser(make, name):
    learner = make(ClusteringObjective(regularisation=2.5), name, batch_passages=6)
    disagreements = []
    for (drawn,) in learner.batches(np.random.default_rng(0)):
        ((query, passages),) = learner.vectors([drawn])
        distances = distances_of(learner, drawn, query, passages).detach()
        true, count = true_groups(drawn, "flat", "cpu")
        labels = torch.as_tensor(AverageLink().labels([distances.numpy()], [count])[0])
        found = (labels[:, None] == labels[None, :]).float()
        disagreements.append(float(rand_loss(found, true)))
        expected = disagreements[-1] + 2.5 * float(regulariser(distances, true))
        assert count == 3
        assert float(learner.loss([drawn]).detach()) == pytest.approx(expected, rel=1e-5)
    assert max(disagreements) > 0


@pytest.mark.parametrize("name", ["cob", "cob-query", "sbert-triplet"])
def test_distances_are_symmetric_at_least_zero_and_zero_with_itself(make, name):
    learner = make(name=name)
    drawn = learner.batches(np.random.default_rng(0))[0][0]
    ((query, passages),) = learner.vectors([drawn])
    distances = distances_of(learner, drawn, query, passages)
    torch.testing.assert_close(distances, distances.T)
    assert (distances >= 0).all() and (distances.diagonal() == 0).all()
    off = distances[~torch.eye(len(distances), dtype=torch.bool)]
    assert (off > 0).all()
    scores = learner.scores(drawn, query, passages)
    nearest = scores.masked_fill(torch.eye(len(scores), dtype=torch.bool), -torch.inf)
    assert torch.equal(
        distances.masked_fill(distances == 0, torch.inf).argmin(dim=1), nearest.argmax(dim=1)
    )


@pytest.mark.parametrize("loss", ["rand", "adjusted-rand", "purity"])
@pytest.mark.parametrize("clusterer", ["average-link", "k-means"])
def test_training_finds_the_groups(make, loss, clusterer):
    learner = make(ClusteringObjective(loss=loss, clusterer=clusterer), hidden_dim=16)
    before = learner.evaluate()["ari"]
    train(learner)
    assert before < 0.8 and learner.evaluate()["ari"] > before + 0.15


def test_the_gradient_comes_from_the_groups_and_not_from_the_regulariser_alone(make):
    learner = make(ClusteringObjective(regularisation=0.0))
    for parameter in learner.model.parameters():
        torch.nn.init.normal_(parameter, 0, 0.2)
    batch = learner.batches(np.random.default_rng(0))[0]
    learner.loss(batch).backward()
    assert sum(float(p.grad.abs().sum()) for p in learner.model.parameters()) > 0


def test_the_true_groups_follow_the_granularity(make):
    learner = make()
    drawn = learner.batches(np.random.default_rng(0))[0][0]
    flat, n_flat = true_groups(drawn, "flat", "cpu")
    fine, n_fine = true_groups(drawn, "hierarchical", "cpu")
    assert (n_flat, n_fine) == (3, 6) and fine.sum() < flat.sum()
    part = replace(drawn, rows=drawn.rows[[0, 3]])
    assert true_groups(part, "flat", "cpu")[0].tolist() == [[1, 1], [1, 1]]


def test_the_solver_is_the_one_that_is_named():
    assert isinstance(_make_solver(ClusteringObjective()), AverageLink)
    assert isinstance(_make_solver(ClusteringObjective(clusterer="k-means")), ByClusterer)


def test_all_triplets_are_each_drawn_once_an_epoch(make):
    learner = make(TripletObjective(triplets="all"), "sbert-triplet", batch_passages=30)
    batches = learner.batches(np.random.default_rng(0))
    rows = [tuple(row) for batch in batches for row in batch.rows]
    assert len(rows) == len(set(rows))
    assert len(rows) == sum(
        _count_triplets(torch.as_tensor(query.labels == 1)) for query in learner.training
    )
    assert {len(batch.rows) for batch in batches[:-1]} == {10}
    for query, anchor, positive, negative in rows:
        gold = learner.training[query].instance.gold()
        assert gold[anchor] == gold[positive] != gold[negative] and anchor != positive
    assert [b.rows.tolist() for b in batches[1:3]] == [batches[1].rows.tolist()] + [
        batches[2].rows.tolist()
    ]
    with pytest.raises(IndexError):
        batches[len(batches)]


def test_so_many_triplets_of_each_set_are_sampled_anew(make):
    objective = TripletObjective(triplets="sampled", triplets_per_query=5)
    learner = make(objective, "sbert-triplet")
    first, again, other = (
        np.concatenate([b.rows for b in learner.batches(np.random.default_rng(seed))])
        for seed in (1, 1, 2)
    )
    assert len(first) == 5 * len(INSTANCES)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_an_example_triplet_costs_what_it_costs_in_the_whole_set(make):
    apart = make(TripletObjective(triplets="all", margin=0.3), "sbert-triplet")
    together = make(TripletObjective(triplets="whole-set", margin=0.3), "sbert-triplet")
    one = [INSTANCES[3]]
    apart, together = (
        make(learner.objective, "sbert-triplet", instances=one, batch_passages=100_000)
        for learner in (apart, together)
    )
    losses = [
        float(learner.loss(learner.batches(np.random.default_rng(0))[0]).detach())
        for learner in (apart, together)
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4) and losses[0] > 0


@pytest.mark.parametrize("triplets", ["all", "sampled", "whole-set"])
def test_the_rival_learns_too(make, triplets):
    learner = make(TripletObjective(triplets=triplets), "sbert-triplet", hidden_dim=16)
    before = learner.evaluate()["ari"]
    train(learner, n_steps=80 if triplets == "whole-set" else 10)
    assert learner.evaluate()["ari"] > before + 0.15


@pytest.mark.parametrize("groups", [[0, 0, 0], [0, 1, 2], [0]])
def test_a_set_without_triplets_gives_none(groups):
    generator = np.random.default_rng(0)
    assert _all_triplets(np.array(groups)).shape == (0, 3)
    assert _draw_triplets(np.array(groups), 4, generator).shape == (0, 3)


def test_noise_is_the_same_both_ways_and_keeps_distances_above_zero():
    torch.manual_seed(0)
    points = torch.randn(30, 4)
    distances = torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")
    assert _moved(distances, 0.0) is distances
    noisy = _moved(distances, 0.5)
    torch.testing.assert_close(noisy, noisy.T)
    assert (noisy >= 0).all() and (noisy.diagonal() == 0).all()
    gaps = (noisy - distances)[noisy > 0]
    assert float(gaps.std()) == pytest.approx(0.5, abs=0.06)
    assert float(gaps.mean()) == pytest.approx(0.0, abs=0.06)


def gradient(learner, seed=0):
    torch.manual_seed(seed)
    learner.model.zero_grad()
    learner.loss(learner.batches(np.random.default_rng(0))[0]).backward()
    return torch.cat([p.grad.flatten() for p in learner.model.parameters()])


def test_with_noise_groups_that_are_right_by_a_hair_still_teach(make):
    few = {"instances": INSTANCES[:2], "hidden_dim": 16}
    learner = make(ClusteringObjective(regularisation=0.0), **few)
    train(learner, n_steps=60)
    batch = learner.batches(np.random.default_rng(0))[0]
    assert float(learner.loss(batch).detach()) == 0 and not gradient(learner).any()
    objective = ClusteringObjective(regularisation=0.0, noise=0.4, samples=6)
    noisy = make(objective, **few)
    noisy.head.load_state_dict(learner.head.state_dict())
    assert gradient(noisy).abs().sum() > 0
    torch.testing.assert_close(gradient(noisy), gradient(noisy))
    assert not torch.equal(gradient(noisy), gradient(noisy, seed=1))


def test_several_samples_are_averaged_set_by_set(make):
    objective = ClusteringObjective(noise=0.2, samples=5, regularisation=2.0)
    learner = make(objective, batch_passages=1000)
    (batch,) = learner.batches(np.random.default_rng(0))
    assert len(batch) == len(INSTANCES)
    torch.manual_seed(3)
    losses = learner.query_losses(batch, learner.vectors(batch))
    torch.manual_seed(3)
    for drawn, (query, passages), loss in zip(batch, learner.vectors(batch), losses, strict=True):
        distances = distances_of(learner, drawn, query, passages).detach()
        true, count = true_groups(drawn, "flat", "cpu")
        noisy = [_moved(distances, 0.2).numpy() for _ in range(5)]
        labels = map(torch.as_tensor, AverageLink().labels(noisy, [count] * 5))
        wrong = [float(rand_loss((x[:, None] == x[None, :]).float(), true)) for x in labels]
        expected = np.mean(wrong) + 2.0 * float(regulariser(distances, true))
        assert float(loss.detach()) == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_centred_passages_have_nothing_in_common():
    torch.manual_seed(0)
    passages = torch.nn.functional.normalize(torch.randn(9, 32) + 3, dim=-1)
    plain, centred = (MODELS["cob"](32, hidden_dim=0, centred=value) for value in (False, True))
    torch.testing.assert_close(plain.space(None, passages), passages)
    space = centred.space(None, passages)
    torch.testing.assert_close(space.norm(dim=-1), torch.ones(9))
    assert plain.space(None, passages).mean(dim=0).norm() > 0.7 > 0.3 > space.mean(dim=0).norm()
    assert not list(centred.parameters())
