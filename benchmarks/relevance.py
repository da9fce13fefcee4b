"""Which hits are about the question: the models are trained here, and the cut is measured."""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import precision_recall_curve, roc_auc_score

from benchmarks.asking import Asked, Question, ask, record_questions, training_questions
from benchmarks.grown_trees import trees_of
from benchmarks.results import RESULTS_DIR, add_output, output, read_result, story
from benchmarks.shelves import Shelf, question_on
from subclust.cli.printing import progress_bar
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.records.arrays import BoolArray, Float64Array
from subclust.core.settings import Settings
from subclust.judging.bench import embed
from subclust.judging.tasks import load_task
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.retrieval import relevance as product
from subclust.text.retrieval.relevance import (
    STRICTNESSES,
    RelevanceModel,
    cut_of,
    shipped_model,
)

TRAINING = (("wiki2014_train", 2500), ("openstax_chapters_train", 132))
"""Tasks that are learnt from, and how many of their queries."""

VALIDATION = ("wiki2014_validation",)
HELD_OUT = ("wiki2021_test", "trec_car_a")

N_HITS = 100
RECALLS = (0.95, 0.9, 0.85, 0.7)

BOOSTING: Mapping[str, Mapping[str, Any]] = {
    "alone": {
        "max_iter": 100,
        "learning_rate": 0.1,
        "max_depth": 8,
        "min_samples_leaf": 100,
        "l2_regularization": 1.0,
    },
    "together": {
        "max_iter": 150,
        "learning_rate": 0.08,
        "max_features": 0.3,
        "min_samples_leaf": 300,
        "l2_regularization": 5.0,
    },
}
"""Of the two models; chosen on validation, of four settings for the second."""

KEPT = 0.35
"""Share of the hits about something else that are learnt from; each counts for several."""


def train(
    asked: Asked, encoder_revision: str, boosting: Mapping[str, Mapping[str, Any]] = BOOSTING
) -> RelevanceModel:
    """Learn both models; the second from what the first says of articles it has not seen."""
    weights = _weights(asked)
    half = asked.article % 2 == 0
    unseen = np.zeros(len(weights))
    for part in (half, ~half):
        learned = _fit(boosting["alone"], asked.features, asked.right, weights * part)
        unseen[~part] = learned.predict_proba(asked.features[~part])[:, 1]
    around = asked.with_around(unseen)
    return RelevanceModel(
        encoder_revision,
        trees_of(_fit(boosting["alone"], asked.features, asked.right, weights)),
        trees_of(_fit(boosting["together"], around, asked.right, weights)),
    )


def _weights(asked: Asked) -> Float64Array:
    """Return what each hit counts; 0 for hits that are left out."""
    drawn = np.random.default_rng(0).random(len(asked.right)) < KEPT
    weights = np.where(asked.right, 1.0, np.where(drawn, 1 / KEPT, 0.0))
    weights[asked.related] = 0.0
    return weights


def _fit(
    values: Mapping[str, Any], features: Float64Array, right: BoolArray, weights: Float64Array
) -> HistGradientBoostingClassifier:
    kept = weights > 0
    boosted = HistGradientBoostingClassifier(**values, early_stopping=False, random_state=0)
    return boosted.fit(features[kept], right[kept], sample_weight=weights[kept])


def measure(model: RelevanceModel, asked: Asked, n_by_ranks: int | None = None) -> dict[str, Any]:
    """Measure how well probabilities tell the hits of an article from the others.

    Returns ``auc`` (0.5 to 1), ``precision_at_recall``, the same with recall of the `n_by_ranks`
    right hits, where they are given, that the rank fusion of earlier versions had for the same
    questions, ``cuts`` with the precision and recall of each strictness, ``denied``, the share of
    questions that seem unanswered, and ``reliability``: of each tenth of the probabilities, how
    many hits have one, its mean, and the share that is right. All 0 to 1, all but ``denied`` over
    the hits of all questions.
    """
    first = model.alone.probabilities(asked.features)
    found = model.together.probabilities(asked.with_around(first))
    precision, recall, _ = precision_recall_curve(asked.right, found)
    n_right = int(asked.right.sum())

    def at_recall(of: float) -> dict[str, float]:
        found_by = recall * n_right / of
        return {
            str(least): round(float(precision[np.flatnonzero(found_by >= least)[-1]]), 4)
            for least in RECALLS
            if found_by[0] >= least
        }

    by_ranks = {}
    if n_by_ranks is not None:
        by_ranks = {
            "share_right_by_ranks": round(n_by_ranks / len(found), 4),
            "precision_at_recall_by_ranks": at_recall(n_by_ranks),
        }
    tenth = np.minimum((found * 10).astype(int), 9)
    per_question = np.split(found, np.cumsum(asked.sizes)[:-1])
    cuts = {}
    for strictness in STRICTNESSES:
        kept = np.concatenate([part >= cut_of(part, strictness) for part in per_question])
        cuts[strictness] = {
            "precision": round(float(asked.right[kept].mean()), 4),
            "recall": round(float(asked.right[kept].sum() / asked.right.sum()), 4),
        }
    return {
        "n_questions": len(asked.sizes),
        "n_hits": len(found),
        "share_right": round(float(asked.right.mean()), 4),
        "auc": round(float(roc_auc_score(asked.right, found)), 4),
        "precision_at_recall": at_recall(n_right),
        **by_ranks,
        "cuts": cuts,
        "denied": _denied(per_question, asked),
        "reliability": [
            {
                "n_hits": int((tenth == part).sum()),
                "probability": round(float(found[tenth == part].mean()), 4),
                "right": round(float(asked.right[tenth == part].mean()), 4),
            }
            for part in range(10)
            if (tenth == part).any()
        ],
    }


def unanswered(model: RelevanceModel, asked: Asked) -> dict[str, Any]:
    """Compute the share of questions of which it is said that nothing answers them."""
    first = model.alone.probabilities(asked.features)
    found = model.together.probabilities(asked.with_around(first))
    per_question = np.split(found, np.cumsum(asked.sizes)[:-1])
    return {"n_questions": len(per_question), "recognised": _denied(per_question, asked)}


def _denied(per_question: Sequence[Float64Array], asked: Asked) -> float:
    answered = [*map(RelevanceModel.answers, per_question, asked.nearest.tolist())]
    return round(1 - float(np.mean(asked.surely | answered)), 4)


def add_relevance(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``relevance``."""
    parser.add_argument("--train", action="store_true", help="train the models that ship, first")
    parser.add_argument("--limit", type=int, metavar="N", help="articles of each task, to try it")
    add_output(parser)


def run_relevance(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure the cut on articles that nothing was learnt from, the models trained anew or not.

    What is encoded stays in the encoder's cache, so that a run that was stopped goes on.
    """
    started = time.monotonic()
    encoder = load_encoder(settings)
    file = RESULTS_DIR / "relevance" / f"{encoder.revision}.json"
    result: dict[str, Any] = {"encoder_revision": encoder.revision, "boosting": dict(BOOSTING)}
    if arguments.train:
        questions: list[Question] = []
        for task, n_articles in TRAINING:
            n_articles = min(arguments.limit or n_articles, n_articles)
            questions += _training(task, n_articles, settings, encoder, len(questions))
        learnt = train(ask(questions, encoder, progress_bar("Asking")), encoder.revision)
        content = learnt.to_bytes()
        if not arguments.limit:
            Path(product.__file__).with_name("relevance.npz").write_bytes(content)
        model = RelevanceModel.from_bytes(content)
        result["training"] = {"tasks": dict(TRAINING), "n_questions": len(questions)}
    else:
        model = shipped_model()
        result["training"] = (read_result(file) or {}).get("training")
    for name, tasks in (("validation", VALIDATION), ("test", HELD_OUT)):
        shelf = shelf_of(tasks, settings, encoder, arguments.limit)
        result[name] = {"tasks": list(tasks)} | _measured(model, shelf, encoder)
    result["story"] = story(encoder, settings.resolve_device()) | {
        "seconds": round(time.monotonic() - started, 1)
    }
    if output(arguments, file, result):
        return
    for name in ("validation", "test"):
        told, usual = result[name], result[name]["cuts"]["usual"]
        records = told["records"]["cuts"]["usual"]
        print(
            f"{name:10} AUC {told['auc']:.3f}, precision {told['precision_at_recall']} at recall; "
            f"grouped: precision {usual['precision']:.3f}, recall {usual['recall']:.3f}, "
            f"of records {records['precision']:.3f} and {records['recall']:.3f}; "
            f"answered questions denied {told['denied']:.1%}, "
            f"unanswered ones recognised {told['unanswered']['recognised']:.1%}"
        )


def _measured(model: RelevanceModel, shelf: Shelf, encoder: Encoder) -> dict[str, Any]:
    random = np.random.default_rng(0)
    titled, left_out = [], []
    for place, instance in enumerate(shelf.instances):
        for form in ("title", "part"):
            text = question_on(instance, form, random)
            titled.append(Question(shelf, place, place, text, N_HITS))
        left_out.append(Question(shelf, place, place, instance.query.text, N_HITS, True))
    told = progress_bar("Asking")
    vectors = encoder.encode([one.text for one in titled])
    n_by_ranks = sum(
        int((shelf.article[shelf.by_ranks(one.text, vector, N_HITS)] == one.article).sum())
        for one, vector in zip(titled, vectors, strict=True)
    )
    leads = _leads(shelf.instances, encoder)
    records = record_questions(shelf.instances, leads, encoder, random, 0, n_times=1)
    there = [one for one in records if not one.is_left_out]
    return measure(model, ask(titled, encoder, told), n_by_ranks) | {
        "unanswered": unanswered(model, ask(left_out, encoder, told)),
        "records": measure(model, ask(there, encoder, told)),
    }


def shelf_of(
    tasks: Sequence[str], settings: Settings, encoder: Encoder, limit: int | None = None
) -> Shelf:
    """Put all passages of some tasks in one library, of at most so many articles of each."""
    instances: list[ClusteringInstance] = []
    embeddings: list[FloatArray] = []
    for task in tasks:
        name, found = load_task(task, settings)
        found = found[:limit]
        instances += found
        embeddings += embed(found, encoder, name, _telling(name))
    return Shelf(instances, embeddings)


def _training(
    task: str, n_articles: int, settings: Settings, encoder: Encoder, name: int
) -> list[Question]:
    _, instances = load_task(task, settings)
    random = np.random.default_rng(0)
    chosen = random.permutation(len(instances))[:n_articles]
    instances = [instances[i] for i in chosen]
    embeddings = embed(instances, encoder, task, _telling(task))
    leads = _leads(instances, encoder)
    articles = training_questions(instances, embeddings, leads, random, name)
    return [*articles, *record_questions(instances, leads, encoder, random, name)]


def _leads(instances: Sequence[ClusteringInstance], encoder: Encoder) -> FloatArray:
    """Encode titles with leads, (n_articles, embedding_dim)."""
    texts = [
        f"{one.query.text}. {one.query.description or one.passages[0].text}" for one in instances
    ]
    return encoder.encode([text[:500] for text in texts])


def _telling(name: str) -> Callable[[str, int, int], None]:
    told = progress_bar(f"Reading {name}")
    return lambda _, done, total: told(done, total)
