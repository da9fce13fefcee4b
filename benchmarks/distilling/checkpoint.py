"""A student as a checkpoint of Centred QS3M whose network does nothing yet: the centred cosine."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.distilling.measuring import centred_cosine
from subclust.checkpoints import Checkpoint
from subclust.checkpoints.network import network_tensors
from subclust.core.records import ClusteringInstance
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.average_link import average_link, cut_to
from subclust.grouping.similarity.centred_network import CentredSiamese
from subclust.methods.qs3m.card import about
from subclust.text.encoders import Encoder, SentenceEncoder, tuned
from subclust.training.network_training import choose_threshold

METHOD = "centred-qs3m"

HIDDEN_DIM = 192
"""Of the network that a training may put over the student."""

LICENCES = {"e5-small": "MIT (weights of the encoder), Apache-2.0 (code)"}
"""Of what was trained, by the name of the encoder it began with; of all others that of the code."""


def named_layers(
    layers: Mapping[str, npt.NDArray[Any]], encoder: SentenceEncoder
) -> dict[str, npt.NDArray[Any]]:
    """Return layers by the names that they have in a sentence-transformers model."""
    first = next(iter(layers))
    names = [name for name, _ in encoder.fresh_model().named_parameters()]
    before = next(name for name in names if name.endswith(first)).removesuffix(first)
    return {f"{before}{name}": layer for name, layer in layers.items()}


def facts_of(result: Mapping[str, Any], encoder: str) -> dict[str, Any]:
    """Return what the card of a student says of its training.

    Parameters
    ----------
    result : mapping
        Of the run, as it is kept with the others.
    encoder : str
        Name of the one that it began with.
    """
    student = result["student"]
    teachers = sorted({str(one["encoder"]) for one in result["teachers"]})
    licence = {"licence": LICENCES[encoder]} if encoder in LICENCES else {}
    return licence | {
        "summary": "The centred cosine over an encoder of which all layers were tuned: by the "
        "sections of articles and textbooks, and by teachers that had not seen them. No network "
        "was trained over it: one learns next to nothing from passages that the encoder has learnt "
        "from.",
        "training": {
            "kind": "distilled",
            "teachers": ", ".join(teachers),
            "epochs": round(student["history"][-1]["epoch"], 2),
            "steps": student["steps"],
            "best_step": student["best_step"],
            "learning_rate": student["plan"]["rate"],
            "seed": student["plan"]["seed"],
            "device": result["story"]["card"] or result["story"]["device"],
            "seconds": round(student["seconds"], 1),
        },
        "training_data": result["training"],
        "versions": result["story"]["versions"],
    }


def student_checkpoint(
    name: str,
    layers: Mapping[str, npt.NDArray[Any]],
    encoder: Encoder,
    validation: Sequence[ClusteringInstance],
    card: Mapping[str, Any],
) -> Checkpoint:
    """Make a checkpoint, with the threshold that is best in validation.

    Parameters
    ----------
    layers : mapping of str to ndarray
        As `named_layers` returns them.
    encoder : Encoder
        The base encoder.
    card : mapping
        Beside what all cards of the method say.
    """
    own = tuned(encoder, layers)
    scored = []
    for instance in validation:
        vectors = own.encode([passage.text for passage in instance.passages])
        scored.append((centred_cosine(vectors), instance.gold("flat")))
    found = [
        adjusted_rand_index(gold, cut_to(average_link(similarity), len(set(gold))))
        for similarity, gold in scored
    ]
    torch.manual_seed(0)
    network = CentredSiamese(own.embedding_dim, HIDDEN_DIM, shared_words=False)
    return Checkpoint(
        METHOD,
        name,
        {
            "model": {
                "embedding_dim": own.embedding_dim,
                "hidden_dim": HIDDEN_DIM,
                "shared_words": False,
                "gate": False,
            },
            "encoder_revision": encoder.revision,
            "context": "title",
            "threshold": choose_threshold(scored, None),
        },
        network_tensors(network, layers),
        {
            **about(METHOD),
            **card,
            "encoder": encoder.name,
            "scores": {
                "validation_ari": float(np.mean(found)),
                "validation_queries": float(len(found)),
            },
        },
    )
