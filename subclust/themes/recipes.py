"""How each method is trained on a library's texts: over the vectors that are there.

No layer of the encoder learns, so that 20,000 texts are minutes and not hours; the recipes below
`benchmarks/recipes`, which the papers' tables rest on, let last layers learn for SCL and
FCL.
"""

import inspect
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from subclust.methods import METHODS, resolve
from subclust.training.arguments import Recipe, TrainingArguments

LONG_WORDS = 60
"""Mean words of a text from which texts count as long: half as many of their words are masked."""

_AECL = "subclust.methods.aecl.objective:AeclObjective", "subclust.methods.aecl.clusterer:MODELS"
_SCL = "subclust.methods.scl.objective:SclObjective", "subclust.methods.scl.clusterer:MODELS"
_PARTS = {"aecl": _AECL, "scl": _SCL, "fcl": _SCL}
"""Of each method that learns: its objective, and where its network is found."""


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
