"""How each method is trained on a library's texts: over the vectors that are there.

No layer of the encoder learns, so that 20,000 texts are minutes and not hours; the recipes below
`benchmarks/recipes`, which the papers' tables rest on, let last layers learn for SCL and
FCL.
"""

import inspect
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from sklearn.cluster import MiniBatchKMeans

from subclust.core.records import FloatArray
from subclust.grouping.clustering.centres import centre_strengths
from subclust.methods import METHODS, resolve
from subclust.training.recipe import Recipe, TrainingArguments

LONG_WORDS = 60
"""Mean words of a text from which texts count as long: half as many of their words are masked."""

_AECL = "subclust.methods.aecl.objective:AeclObjective", "subclust.methods.aecl.clusterer:MODELS"
_SCL = "subclust.methods.scl.objective:SclObjective", "subclust.methods.scl.clusterer:MODELS"
_PARTS = {"aecl": _AECL, "scl": _SCL, "fcl": _SCL}
"""Of each method that learns: its objective, and where its network is found."""

TRIED = (5, 8, 12, 16, 20, 25, 30, 40)
"""Numbers that somebody can take in on a page."""

_SAMPLE = 4000
"""Texts that are looked at."""

SOURCE, LABELS, PAIRS = "centre silhouette", "labels", "pairs"
"""Where a number comes from that nobody asked for: how well the texts fit, the different labels, or
the groups that pairs keep apart."""


def recipe_for(
    method: str, texts: Sequence[str], n_themes: int, *, pairs: str = "", seed: int = 0
) -> Recipe:
    """Return the recipe of a method for some texts.

    Parameters
    ----------
    method : {"aecl", "scl", "fcl"}
    texts : sequence of str
    n_themes : int
    pairs : str
        File of pairs, for FCL.
    seed : int
    """
    model = {"n_clusters": n_themes}
    if method == "aecl":
        # One step without bounds may undo many groups.
        arguments = replace(_arguments(70, 5e-4, 400, seed), gradient_clip=1.0)
        # In between: how unequal the themes are is not known.
        return Recipe(arguments, model, {"imbalance": "slight"})
    long = sum(len(text.split()) for text in texts) > LONG_WORDS * len(texts)
    if method == "scl":
        arguments = _arguments(5, 1e-3, 160, seed)
        return Recipe(arguments, model, {"masked_share": 0.15 if long else 0.3})
    return Recipe(_arguments(40, 1e-3, 160, seed), model, {"label_share": 1.0, "pairs": pairs})


def settings_of(method: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return all values by which a method finds the themes of some texts, those by default too.

    Parameters
    ----------
    method : str
        A key of `subclust.themes.offers.OFFERS`.
    texts : sequence of str

    Returns
    -------
    dict
        JSON values; without the number of themes, the pairs and the seed, which are asked for.
        Empty for a method that learns nothing.
    """
    if METHODS[method].trainer is None:
        return {}
    recipe = recipe_for(method, texts, 2)
    objective, networks = (resolve(address) for address in _PARTS[method])
    parameters = inspect.signature(networks[method]).parameters
    own = {name: one.default for name, one in parameters.items() if one.default is not one.empty}
    model = {**own, **recipe.model}
    return {
        "training": asdict(recipe.training),
        "model": {name: value for name, value in model.items() if name != "n_clusters"},
        "objective": asdict(objective(**recipe.objective)),
    }


def _arguments(epochs: int, rate: float, batch: int, seed: int) -> TrainingArguments:
    return TrainingArguments(
        epochs=epochs,
        learning_rate=rate,
        weight_decay=0.0,
        warmup=0.0,
        schedule="constant",
        batch_passages=batch,
        gradient_clip=0.0,
        seed=seed,
    )


def suggested_number(embeddings: FloatArray, seed: int) -> int:
    """Choose the number of groups whose texts lie best between their centre and the next one.

    Parameters
    ----------
    embeddings : ndarray of shape (n_texts, embedding_dim)
    seed : int

    Returns
    -------
    int
        One of `TRIED`, at most a tenth of the texts, except that 5 is always tried.
    """
    generator = np.random.default_rng(seed)
    rows = np.sort(generator.permutation(len(embeddings))[:_SAMPLE])
    points = embeddings[rows].astype(np.float64)
    most = max(TRIED[0], min(len(points) // 10, TRIED[-1]))
    scores = {}
    for number in (number for number in TRIED if number <= most):
        model = MiniBatchKMeans(number, n_init=3, batch_size=1024, random_state=seed)
        # Groups may stay empty, but the centres need numbers without gaps.
        labels = np.unique(model.fit_predict(points), return_inverse=True)[1].astype(np.int64)
        scores[number] = float(centre_strengths(points, labels).mean())
    return max(scores, key=lambda number: (scores[number], -number))
