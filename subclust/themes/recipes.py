"""How each method is trained on a library's texts: over the vectors that are there.

No layer of the encoder learns, so that 20,000 texts are minutes and not hours; the recipes below
`subclust/benchmarks/recipes`, which the papers' tables rest on, let last layers learn for SCL and
FCL.
"""

from collections.abc import Sequence
from dataclasses import replace

from subclust.training.arguments import Recipe, TrainingArguments

LONG_WORDS = 60
"""Mean words of a text from which texts count as long: half as many of their words are masked."""


def recipe_for(
    method: str, texts: Sequence[str], n_themes: int, *, pairs: str = "", seed: int = 0
) -> Recipe:
    """Give the recipe of a method for some texts.

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
        arguments = replace(_arguments(70, 5e-4, 400, seed), gradient_clip=10.0)
        # In between: how unequal the themes are is not known.
        return Recipe(arguments, model, {"imbalance": "slight"})
    long = sum(len(text.split()) for text in texts) > LONG_WORDS * len(texts)
    if method == "scl":
        arguments = _arguments(5, 1e-3, 160, seed)
        return Recipe(arguments, model, {"masked_share": 0.15 if long else 0.3})
    return Recipe(_arguments(40, 1e-3, 160, seed), model, {"label_share": 1.0, "pairs": pairs})


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
