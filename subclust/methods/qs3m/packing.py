"""A trained network of the QS3M room as a checkpoint: its tensors and its card."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import nn

from subclust.checkpoints import Checkpoint
from subclust.encoders.tuning import stacked
from subclust.methods.qs3m.clusterer import HEAD_PREFIX
from subclust.methods.qs3m.objective import Objective
from subclust.training.arguments import Recipe
from subclust.training.trainer import TrainingResult

ENCODER_PREFIX = "encoder."

SUMMARIES = {
    "qs3m": "QS3M: a projection shared by query and passages, and a classifier of pairs.",
    "attn-qs3m": "attn-QS3M: QS3M over passages that an attention, asked by the query, puts "
    "together from the embeddings of their sentences.",
    "qss": "QSS: cosine after reweighting the dimensions by the query.",
    "centred-qs3m": "Centred QS3M: a residual projection that sees the query, the cosine of what "
    "sets passages apart from the other hits, and the TF-IDF cosine of the passages; where it was "
    "trained so, over tuned layers of the encoder, and behind a gate for hits that are about "
    "something else.",
}


def tensors_of(
    head: nn.Module,
    base: Checkpoint | None,
    layers: Mapping[str, npt.NDArray[Any]] | None = None,
) -> dict[str, npt.NDArray[Any]]:
    """Collect the weights of a checkpoint.

    Parameters
    ----------
    head : nn.Module
    base : Checkpoint, optional
        Whose tuning of the encoder is kept, below the newer one.
    layers : mapping of str to ndarray, optional
        What was newly learnt of the encoder.

    Returns
    -------
    dict of str to ndarray
        In half precision, which is closer to the weights than any two runs are to each other.
    """
    tensors: dict[str, npt.NDArray[Any]] = {
        f"{HEAD_PREFIX}{key}": value.detach().cpu().numpy()
        for key, value in head.state_dict().items()
    }
    before = {
        name.removeprefix(ENCODER_PREFIX): values
        for name, values in (base.tensors if base is not None else {}).items()
        if name.startswith(ENCODER_PREFIX)
    }
    tuning = stacked(before, layers or {})
    tensors |= {f"{ENCODER_PREFIX}{name}": values for name, values in tuning.items()}
    return {key: values.astype(np.float16) for key, values in tensors.items()}


def card_of(
    method: str,
    recipe: Recipe,
    objective: Objective,
    result: TrainingResult,
    scores: Mapping[str, float],
    seconds: float,
    base: Checkpoint | None,
) -> dict[str, Any]:
    """Tell what a checkpoint is, how it was trained and how it scores."""
    facts = recipe.to_dict()
    card: dict[str, Any] = {
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
    if base is not None:
        card["stages"] = [*base.card.get("stages", []), base.card.get("training", {})]
    return card
