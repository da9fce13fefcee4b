"""How the gate and the estimate of relevance judge mixed hits together: `Relevance.beside`.

The weights are those of a logistic regression; the bound is one at which hit sets that are all
about their query lose at most `MOST_LOST`. Both are chosen on the validation queries, whole and
mixed.
"""

import argparse
import copy
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from benchmarks.results import RESULTS_DIR, story, write
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, FloatArray, Query
from subclust.core.records.boilerplate import without_labels
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.grouping.similarity import relevance_gate
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.judging.bench import embed, embed_queries, open_method
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod
from subclust.text.encoders import load_encoder
from subclust.training.mixing import ABOUT_SOMETHING_ELSE

TASKS = {"whole": "wiki2014_validation", "mixed": "wiki2014_validation_mixed"}
BOUNDS = (0.05, 0.1, 0.2, 1.0)
MOST_LOST = 0.005
"""In the adjusted Rand index, on hit sets that are all about their query."""

_LEAST_OTHER = 0.01
"""Share of "other passages" that is allowed, so that the gate is at work."""


class _Hits:
    """The hit sets of one task, as the method sees them."""

    def __init__(self, task: str, method: LoadedMethod, settings: Settings) -> None:
        self.method = method
        self.instances: list[ClusteringInstance] = load_task(task, settings)[1]
        self.embeddings: list[FloatArray] = embed(self.instances, method.encoder, task)
        self.queries = embed_queries(self.instances, self.embeddings, method, "title")

    def known(self) -> Iterator[tuple[FloatArray, np.ndarray]]:
        """Yield of each hit set what is known of its passages, (n, 3), and which are its own."""
        similarity = getattr(self.method.clusterer, "similarity", None)
        network = getattr(similarity, "model", None)
        assert isinstance(network, CentredSiamese)
        for instance, query, vectors in zip(
            self.instances, self.queries, self.embeddings, strict=True
        ):
            assert query.embedding is not None
            assert query.relevance is not None
            texts = [without_labels(passage.text) for passage in instance.passages]
            estimates = torch.tensor([query.relevance[text] for text in texts])
            with torch.inference_mode():
                found = network.relevance(torch.tensor(query.embedding), torch.tensor(vectors))
            assert found is not None
            logit = torch.logit(estimates, eps=relevance_gate.SURE)
            columns = [found.passages, found.mixed.expand(len(texts)), logit]
            own = np.array([label != ABOUT_SOMETHING_ELSE for label in instance.gold()])
            yield torch.stack(columns, dim=1).numpy(), own

    def ari(self, queries: Sequence[Query], max_other: float = _LEAST_OTHER) -> list[float]:
        """Return the adjusted Rand index of each hit set at the true number of groups."""
        clusterer = copy.copy(self.method.clusterer)
        clusterer.max_other = max_other
        evaluated = ClusteringEvaluator(metrics=("ari",)).evaluate(
            clusterer,
            self.instances,
            queries=queries,
            embeddings=self.embeddings,
            automatic=False,
        )
        return [round(float(one), 4) for one in evaluated.true_k.metrics["ari"].per_instance]


def measure_gate(method: LoadedMethod, settings: Settings) -> dict[str, Any]:
    """Learn the weights, and measure what each bound brings and costs.

    Returns
    -------
    dict
        ``weights`` and ``bias`` of the logistic regression, learnt anew; ``ari`` by task, at the
        true number: of every hit grouped, of the gate alone, and by bound of both, with the weights
        that are in use; and ``chosen``, the highest bound that costs at most `MOST_LOST`.
    """
    method.clusterer.max_other = _LEAST_OTHER
    hits = {name: _Hits(task, method, settings) for name, task in TASKS.items()}
    known = [one for part in hits.values() for one in part.known()]
    features, own = (np.concatenate(part) for part in zip(*known, strict=True))
    model = LogisticRegression(C=1e6, max_iter=2000).fit(features, own)
    per_query: dict[str, dict[str, list[float]]] = {}
    for name, part in hits.items():
        alone = [replace(query, relevance=None) for query in part.queries]
        per_query[name] = {"all": part.ari(alone, 0.0), "gate": part.ari(alone)}
        for bound in BOUNDS:
            relevance_gate.ALL_ABOUT, shipped = bound, relevance_gate.ALL_ABOUT
            per_query[name][str(bound)] = part.ari(part.queries)
            relevance_gate.ALL_ABOUT = shipped
    ari = {
        name: {of: round(float(np.mean(scores)), 4) for of, scores in found.items()}
        for name, found in per_query.items()
    }
    least = ari["whole"]["all"] - MOST_LOST
    return {
        "weights": [round(float(one), 3) for one in model.coef_[0]],
        "bias": round(float(model.intercept_[0]), 3),
        "ari": ari,
        "chosen": max((one for one in BOUNDS if ari["whole"][str(one)] >= least), default=None),
        "per_query": per_query,
    }


def add_gate(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``gate``."""
    parser.add_argument("--save", action="store_true", help="keep the result with the others")


def run_gate(arguments: argparse.Namespace, settings: Settings) -> None:
    """Learn and measure, and print what `Relevance.beside` is made of."""
    encoder = load_encoder(settings)
    method = open_method("centred-qs3m", CheckpointStore.of(settings), encoder)
    result = measure_gate(method, settings)
    print(json.dumps({key: value for key, value in result.items() if key != "per_query"}, indent=1))
    if arguments.save:
        told = story(encoder, settings.resolve_device())
        write(RESULTS_DIR / "gate" / f"{encoder.revision}.json", {**result, "story": told})
