"""Training of the QS3M room's networks, from labelled queries to a checkpoint."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from subclust.checkpoints import Checkpoint
from subclust.clustering.threshold_count import learn_threshold
from subclust.encoders import CachedEncoder, Encoder, SentenceEncoder
from subclust.encoders.top_layers import TrainableTopLayers
from subclust.exceptions import TrainingError, TrainingStopped
from subclust.methods.qs3m.clusterer import (
    HEAD_PREFIX,
    build,
    lexical_similarity,
    load_weights,
)
from subclust.methods.qs3m.learner import PairLearner, Prepared, prepare, with_embeddings
from subclust.methods.qs3m.objective import Objective
from subclust.records import ClusteringInstance, FloatArray
from subclust.training.arguments import Recipe, checked
from subclust.training.trainer import Progress, Trainer, TrainingResult

ENCODER_PREFIX = "encoder."

SUMMARIES = {
    "qs3m": "QS3M: a projection shared by query and passages, and a classifier of pairs.",
    "qss": "QSS: cosine after reweighting the dimensions by the query.",
    "centred-qs3m": "Centred QS3M: a residual projection that sees the query, then the cosine of "
    "what sets passages apart from the other hits; where it was trained so, over tuned layers of "
    "the encoder and with the TF-IDF cosine of the passages beside it.",
}


def train(
    method: str,
    name: str,
    recipe: Recipe,
    training: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    encoder: Encoder,
    folder: Path,
    *,
    base: Checkpoint | None = None,
    device: str = "cpu",
    resume: bool = False,
    progress: Progress | None = None,
) -> Checkpoint:
    """Train a network and learn its threshold for the automatic number of groups.

    Parameters
    ----------
    method : {"qs3m", "qss", "centred-qs3m"}
    name : str
        Of the checkpoint.
    recipe : Recipe
        ``[model]`` holds the network's constructor arguments without ``embedding_dim``;
        ``[objective]`` the fields of `Objective`.
    training, validation : sequence of ClusteringInstance
        Queries of the one must not occur in the other.
    encoder : Encoder
        The base encoder, or the tuning of it that `base` was trained over.
    folder : Path
        Of the run's state.
    base : Checkpoint, optional
        Whose weights the run starts from, instead of new ones.
    device : str
    resume : bool
    progress : callable, optional

    Returns
    -------
    Checkpoint
        Not saved yet; its card holds the scores on validation.

    Raises
    ------
    TrainingError
        If the recipe does not fit the method, or the run cannot go on.
    TrainingStopped
        If somebody stopped it; its state is saved.
    """
    started = time.monotonic()
    objective = checked(Objective, recipe.objective, "The recipe's [objective]")
    config: dict[str, Any] = {
        "model": {"embedding_dim": encoder.embedding_dim, **recipe.model},
        "encoder_revision": encoder.revision,
        "context": objective.context,
    }
    if base is not None:
        config["model"] = {**base.config["model"], **recipe.model}
        config["encoder_revision"] = base.config["encoder_revision"]
        config["base"] = base.name
        config["lexical_weight"] = base.config.get("lexical_weight", 0.0)
    torch.manual_seed(recipe.training.seed)
    head = build(method, config)
    if base is not None:
        load_weights(head, base)
    if recipe.training.epochs == 0:
        training = training[:0]
    sets = [prepare(part, objective) for part in (training, validation)]
    tuned = None
    if objective.tuned_layers:
        tuned = TrainableTopLayers(_sentence_encoder(encoder), objective.tuned_layers)
    else:
        embeddings = embed_all([*training, *validation], encoder)
        sets = [with_embeddings(part, embeddings) for part in sets]
    learner = PairLearner(
        head, sets[0], sets[1], objective, recipe.training, encoder=tuned, device=device
    )
    trainer = Trainer(learner, recipe.training, folder, device=device, progress=progress)
    result = trainer.train(resume=resume)
    if result.stopped == "stop":
        raise TrainingStopped(
            f"The run was stopped after step {result.steps} and saved; go on with --resume."
        )

    lexical = objective.lexical or config.get("lexical_weight", 0.0) > 0
    learnt, scores = judge(learner, sets[1], objective, lexical=lexical)
    tensors = {
        f"{HEAD_PREFIX}{key}": value.detach().cpu().numpy()
        for key, value in head.state_dict().items()
    }
    if base is not None:
        tensors |= {k: v for k, v in base.tensors.items() if k.startswith(ENCODER_PREFIX)}
    if tuned is not None:
        tensors |= {f"{ENCODER_PREFIX}{k}": v for k, v in tuned.tuned_layers().items()}
    if any(key.startswith(ENCODER_PREFIX) for key in tensors):
        tensors = {key: value.astype(np.float16) for key, value in tensors.items()}
    config |= learnt
    card = _card(method, recipe, objective, result, scores, time.monotonic() - started)
    if base is not None:
        card["stages"] = [*base.card.get("stages", []), base.card.get("training", {})]
    return Checkpoint(method, name, config, tensors, card)


def embed_all(instances: Sequence[ClusteringInstance], encoder: Encoder) -> dict[str, FloatArray]:
    """Encode every query, description and passage once.

    Returns
    -------
    dict of str to ndarray of shape (embedding_dim,)
    """
    texts = dict.fromkeys(
        text
        for instance in instances
        for text in (
            instance.query.text,
            instance.query.description or instance.query.text,
            *(passage.text for passage in instance.passages),
        )
    )
    return dict(zip(texts, encoder.encode(list(texts)), strict=True))


LEXICAL_WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


def judge(
    learner: PairLearner,
    validation: Sequence[Prepared],
    objective: Objective,
    *,
    lexical: bool = False,
) -> tuple[dict[str, float], dict[str, float]]:
    """Choose on the validation queries what is not trained, and score the whole there.

    Returns
    -------
    learnt : dict of str to float
        ``threshold`` for the automatic number of groups, on the scale of the scores, and
        ``lexical_weight`` where shared words are to count.
    scores : dict of str to float
        ``validation_ari`` at the true number of groups, and ``validation_queries``.
    """
    learner.model.eval()
    context = "title" if objective.context == "mixed" else objective.context
    gold = [query.instance.gold(objective.granularity) for query in validation]
    scores = [learner.score_matrix(query, context) for query in validation]
    values = {0.0: _mean_ari(learner, scores, gold)}
    blends = {0.0: scores}
    if lexical:
        shared = [_shared_words(query) for query in validation]
        for weight in LEXICAL_WEIGHTS[1:]:
            blends[weight] = [
                np.asarray(score + weight * words, dtype=np.float32)
                for score, words in zip(scores, shared, strict=True)
            ]
            values[weight] = _mean_ari(learner, blends[weight], gold)
    best = max(values, key=values.__getitem__)
    learnt = {"threshold": learn_threshold(zip(blends[best], gold, strict=True))}
    if lexical:
        learnt["lexical_weight"] = best
    return learnt, {
        "validation_ari": values[best],
        "validation_queries": float(len(validation)),
    }


def _mean_ari(
    learner: PairLearner, scores: Sequence[FloatArray], gold: Sequence[Sequence[str]]
) -> float:
    return float(np.mean([learner.ari(s, g) for s, g in zip(scores, gold, strict=True)]))


def _shared_words(query: Prepared) -> FloatArray:
    texts = [passage.text for passage in query.instance.passages]
    return lexical_similarity().score_matrix(query.instance.query, texts)


def _sentence_encoder(encoder: Encoder) -> SentenceEncoder:
    inner = encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
    if not isinstance(inner, SentenceEncoder):
        raise TrainingError(
            f"The encoder {encoder.name} has no layers to tune; set tuned_layers to 0."
        )
    return inner


def _card(
    method: str,
    recipe: Recipe,
    objective: Objective,
    result: TrainingResult,
    scores: Mapping[str, float],
    seconds: float,
) -> dict[str, Any]:
    facts = recipe.to_dict()
    return {
        "summary": SUMMARIES.get(method, method),
        "intended_use": "Grouping the passages or abstracts that answer a query into subtopics of "
        "that query, in English.",
        "limits": "Trained on encyclopaedia and textbook sections; groups follow that habit of "
        "dividing a subject. Nothing is known of other languages.",
        "citation": "Sumanta Kashyapi and Laura Dietz. Query-specific Subtopic Clustering. "
        "JCDL 2022. https://doi.org/10.1145/3529372.3530923",
        "licence": "Apache-2.0 (code and weights)",
        "training": {
            **facts["training"],
            **asdict(objective),
            "steps": result.steps,
            "best_step": result.best_step,
            "stopped": result.stopped,
            "seconds": round(seconds, 1),
        },
        "scores": dict(scores),
        "history": list(result.history),
    }
