"""A trained SCL over a collection of three plain themes."""

import numpy as np

from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import train_method
from subclust.training.recipe import Recipe, TrainingArguments
from subclust.training.training_run import TrainingRun

THEMES = ("taxes colonies army king", "ant burrow termite claw", "shelf map author index")


def themed_store(folder, encoder):
    """Give the collection, and a store with the checkpoint ``x`` of ``scl`` over it."""
    generator = np.random.default_rng(0)
    passages = tuple(
        Passage(f"p{i}", " ".join([*generator.permutation(THEMES[i % 3].split())[:3], str(i % 7)]),
                label=f"theme {i % 3}")
        for i in range(210)
    )  # fmt: skip
    instance = ClusteringInstance(Query("themes"), passages)
    recipe = Recipe(TrainingArguments(epochs=6, learning_rate=5e-3, batch_passages=70), {}, {})
    trained = train_method(TrainingRun("scl", "x", recipe, [instance], [], encoder, folder / "run"))
    store = CheckpointStore(folder / "models")
    store.save(trained)
    return instance, store
