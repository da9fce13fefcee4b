"""Which of given passages are about a question: the model is trained here, and measured.

No search has found such passages, so that all may be about the question, as the sections of its
article are; or some are of other articles, drawn at random or the nearest there are.
"""

import argparse
import copy
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.asking import Asked
from benchmarks.dividing.neighbours import with_neighbours
from benchmarks.relevance import BOOSTING, train
from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.shelves import question_on
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance
from subclust.core.records.arrays import Float64Array
from subclust.core.records.boilerplate import without_labels
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.judging.bench import embed, embed_queries, open_method
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.retrieval import relevance as product
from subclust.text.retrieval.hit_features import hit_features, likenesses_of, with_both
from subclust.text.retrieval.hit_words import word_vectors
from subclust.text.retrieval.relevance import RelevanceModel, given_model, ranked, settled
from subclust.training.mixing import (
    ABOUT_SOMETHING_ELSE,
    OTHER_SHARE,
    draw_mixture,
    mix_all,
    mixture,
    related_queries,
)

TRAINING = (("wiki2014_train", 6006), ("openstax_chapters_train", 132))
"""Tasks that are learnt from, and how many of their queries."""

VALIDATION = "wiki2014_validation"
BOUNDS = (0.05, 0.1, 0.2, 0.3)
MOST_LOST = 0.005
"""In the adjusted Rand index, on hit sets that are all about their query."""

_N_ARTICLES, _LEAST = 2500, 5
"""Articles of a task, at most, and passages of a mixed set, where an article has fewer."""

_BOOSTING = {
    "alone": {**BOOSTING["alone"], "max_iter": 200},
    "together": {
        "max_iter": 250,
        "learning_rate": 0.05,
        "max_depth": 6,
        "min_samples_leaf": 300,
        "l2_regularization": 5.0,
    },
}
"""Smaller trees than for hits, since there are fewer sets to learn from."""

_FORMS = ("title", "title", "title", "part", "reversed", "words", "lead")
_LEAST_OTHER = 0.01
"""Share of "other passages" that is allowed, so that any may be set aside."""


def sets_of(
    instances: Sequence[ClusteringInstance], encoder: Encoder, seed: int
) -> dict[str, list[ClusteringInstance]]:
    """Return the passages of each article alone, mixed, and among their nearest neighbours."""
    return {
        "whole": list(instances),
        "mixed": mix_all(instances, seed=seed),
        "neighbours": with_neighbours(instances, encoder),
    }


def training_sets(
    instances: Sequence[ClusteringInstance], encoder: Encoder, rng: np.random.Generator
) -> list[list[ClusteringInstance]]:
    """Return such sets for each article, of as many passages as it has, so that size tells nothing.

    Where there are strangers, they are a tenth to three quarters.
    """
    related = related_queries(instances)
    sizes = [len(one.passages) for one in instances]
    mixed = [
        mixture(instances, draw_mixture(place, sizes, related, rng, max(size, _LEAST)))
        for place, size in enumerate(sizes)
    ]
    near = [
        _thinned(one, size, rng)
        for one, size in zip(with_neighbours(instances, encoder), sizes, strict=True)
    ]
    return [list(instances), mixed, near]


def _thinned(
    instance: ClusteringInstance, size: int, rng: np.random.Generator
) -> ClusteringInstance:
    own = _is_own(instance)
    n_others = min(max(1, round(float(rng.uniform(*OTHER_SHARE)) * size)), int((~own).sum()))
    kept = [
        *rng.permutation(np.flatnonzero(own))[: max(size - n_others, 2)],
        *rng.permutation(np.flatnonzero(~own))[:n_others],
    ]
    return replace(instance, passages=tuple(instance.passages[row] for row in kept))


def look(sets: Sequence[ClusteringInstance], questions: Sequence[str], encoder: Encoder) -> Asked:
    """Return what the model sees of each set beside its question.

    Passages stand in the order of their texts, as they do for `with_relevance`; the order that is
    given would tell which are strangers.
    """
    vectors = encoder.encode(questions)
    features, right, betweens = [], [], []
    embeddings = embed(sets, encoder)
    for one, question, vector, given in zip(sets, questions, vectors, embeddings, strict=True):
        order = sorted(range(len(given)), key=lambda row: one.passages[row].text)
        texts = [one.passages[row].text for row in order]
        own = given[order]
        words, coverage = word_vectors(question, texts)
        likenesses = likenesses_of(own, vector, words)
        ranks, scores = ranked(question, vector, texts, own)
        seen = hit_features(with_both(likenesses), coverage, ranks, scores)
        features.append(seen.astype(np.float32))
        right.append(_is_own(one)[order])
        betweens.append([likeness.between.astype(np.float16) for likeness in likenesses])
    sizes = np.array([len(one) for one in right])
    return Asked(
        np.concatenate(features),
        np.concatenate(right),
        np.zeros(int(sizes.sum()), dtype=bool),
        sizes,
        np.zeros(len(sizes)),
        np.zeros(len(sizes), dtype=bool),
        np.repeat(np.arange(len(sizes)), sizes),
        betweens,
    )


def _is_own(instance: ClusteringInstance) -> np.ndarray:
    return np.array([label != ABOUT_SOMETHING_ELSE for label in instance.gold()])


def learn(settings: Settings, encoder: Encoder) -> RelevanceModel:
    """Learn from sets of the training articles, asked for in several ways."""
    rng = np.random.default_rng(0)
    parts: list[Asked] = []
    for task, most in TRAINING:
        articles = load_task(task, settings)[1]
        chosen = rng.permutation(len(articles))[: min(_N_ARTICLES, most)]
        articles = [articles[row] for row in chosen]
        for sets in training_sets(articles, encoder, rng):
            forms = rng.choice(_FORMS, len(articles))
            asked = [question_on(*one, rng) for one in zip(articles, forms, strict=True)]
            parts.append(look(sets, asked, encoder))
    return train(together(parts), encoder.revision, _BOOSTING)


def together(parts: Sequence[Asked]) -> Asked:
    """Put sets one below the other; those of one article keep its number."""
    arrays = {
        name: np.concatenate([getattr(one, name) for one in parts])
        for name in ("features", "right", "related", "sizes", "nearest", "surely", "article")
    }
    return Asked(**arrays, betweens=[one for part in parts for one in part.betweens])


def measure(model: RelevanceModel, method: LoadedMethod, settings: Settings) -> dict[str, Any]:
    """Measure how well strangers are told, and what setting them aside brings and costs.

    Returns
    -------
    dict
        ``auc`` by kind of set, of own passages and strangers within a set, the mean (0.5 to 1,
        higher is better); ``ari`` by kind, at the true number: of every passage grouped, of what
        the method's own gate leaves, and by bound of `settled`; ``chosen``, the highest bound that
        costs whole sets at most `MOST_LOST`; and ``per_query``.
    """
    instances = load_task(VALIDATION, settings)[1]
    encoder = load_encoder(settings)
    found: dict[str, Any] = {"auc": {}, "ari": {}, "per_query": {}}
    for kind, sets in sets_of(instances, encoder, seed=0).items():
        asked = look(sets, [one.query.text for one in instances], encoder)
        first = model.alone.probabilities(asked.features)
        all_found = model.together.probabilities(asked.with_around(first))
        ends = np.cumsum(asked.sizes)[:-1]
        probabilities = np.split(all_found, ends)
        if kind != "whole":
            both = zip(np.split(asked.right, ends), probabilities, strict=True)
            each = [roc_auc_score(own, one) for own, one in both if not own.all()]
            found["auc"][kind] = round(float(np.mean(each)), 4)
        found["per_query"][kind] = _indices(sets, probabilities, method)
        found["ari"][kind] = {
            of: round(float(np.mean(scores)), 4) for of, scores in found["per_query"][kind].items()
        }
    whole = found["ari"]["whole"]
    least = whole["all"] - MOST_LOST
    found["chosen"] = max((one for one in BOUNDS if whole[str(one)] >= least), default=None)
    return found


def _indices(
    sets: Sequence[ClusteringInstance],
    probabilities: Sequence[Float64Array],
    method: LoadedMethod,
) -> Mapping[str, list[float]]:
    """Return the adjusted Rand index of each set, by what is set aside before it is grouped."""
    embeddings = embed(sets, method.encoder)
    clusterer = copy.copy(method.clusterer)
    clusterer.max_other = 0.0
    queries = embed_queries(sets, embeddings, replace(method, clusterer=clusterer), "title")

    def scores(max_other: float, bound: float | None) -> list[float]:
        clusterer.max_other = max_other
        asked = queries
        if bound is not None:
            known = [_known(*one, bound) for one in zip(sets, probabilities, strict=True)]
            both = zip(queries, known, strict=True)
            asked = [replace(query, relevance=one) for query, one in both]
        evaluated = ClusteringEvaluator(metrics=("ari",)).evaluate(
            clusterer, sets, queries=asked, embeddings=embeddings, automatic=False
        )
        return [round(float(one), 4) for one in evaluated.true_k.metrics["ari"].per_instance]

    return {
        "all": scores(0.0, None),
        "gate": scores(_LEAST_OTHER, None),
        **{str(bound): scores(_LEAST_OTHER, bound) for bound in BOUNDS},
    }


def _known(
    instance: ClusteringInstance, probabilities: Float64Array, bound: float
) -> dict[str, float]:
    texts = sorted(passage.text for passage in instance.passages)
    found = settled(probabilities, bound).tolist()
    return dict(zip(map(without_labels, texts), found, strict=True))


def add_given(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``given``."""
    parser.add_argument("--train", action="store_true", help="train the model that ships, first")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")


def run_given(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure the model on validation articles, trained anew or as it ships."""
    started = time.monotonic()
    encoder = load_encoder(settings)
    if arguments.train:
        learnt = learn(settings, encoder)
        Path(product.__file__).with_name("given_relevance.npz").write_bytes(learnt.to_bytes())
        given_model.cache_clear()
    method = open_method("centred-qs3m", CheckpointStore.of(settings), encoder)
    result = measure(given_model(), method, settings)
    print(json.dumps({key: value for key, value in result.items() if key != "per_query"}, indent=1))
    if arguments.save:
        told = story(encoder, settings.resolve_device())
        told["seconds"] = round(time.monotonic() - started, 1)
        write(RESULTS_DIR / "given" / f"{encoder.revision}.json", {**result, "story": told})
