"""Training a method on labelled queries, from a notebook."""

import tempfile
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

from subclust.api.labelled import LabelledData, Names, Tell, silent
from subclust.api.planning import plan_training, refuse_taken
from subclust.api.runs import run_training
from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.core.settings import Settings
from subclust.judging.own_sets import find_recipe, own_recipe
from subclust.training.recipe import Recipe


def train(
    method: str,
    data: Names,
    name: str,
    *,
    validation: str | PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    base: str | None = None,
    recipe: Recipe | str | PathLike[str] | None = None,
    changes: Sequence[str] = (),
    folds: int | None = None,
    judge: bool = False,
    replace: bool = False,
    tell: Tell = silent,
    folder: str | PathLike[str] | None = None,
    resume: bool = False,
    settings: Settings | None = None,
) -> Checkpoint:
    """Train a method on labelled queries, and save the model.

    Parameters
    ----------
    method : str
        Name of a method that learns, such as ``"qs3m"``.
    data : path or sequence of paths
        Labelled queries: files (.jsonl, .jsonl.gz, .csv, .tsv, .xlsx), tasks or ``set:NAME``.
    name : str
        Of the model.
    validation : path, optional
        Held-out queries; by default a share of `data` is held out.
    columns : mapping of str to str, optional
        Where a column has another name, ours to theirs, such as ``{"text": "Abstract"}``.
    base : str, optional
        Model of the method to start from, or ``METHOD/NAME`` of one with the same network.
    recipe : Recipe or path, optional
        TOML file; by default the method's recipe for small sets, which the *Train* page uses.
    changes : sequence of str
        Single values of the recipe, such as ``["epochs=2", "objective.loss=mse"]``.
    folds : int, optional
        For few queries: trains on all of them, and judges by so many further models, each on
        queries that it has not seen.
    judge : bool
        Whether the model is compared with what it started from, on the held-out queries.
    replace : bool
        Whether a model of the same name may be written over.
    tell : callable, optional
        Called with each sentence on how it goes, such as ``print``.
    folder : path, optional
        Where the run keeps its state, so that it can be resumed after an interruption.
    resume : bool
        Whether to go on from the state in `folder`.
    settings : Settings, optional
        By default those of the ``SUBCLUST_*`` environment variables.

    Returns
    -------
    Checkpoint
        As it was saved; its ``card`` holds scores, data and, where it was judged, the judgement.

    Raises
    ------
    SubclustError
        If the method needs no training, the name is taken, the data have errors or do not
        suffice, or the recipe cannot be used.

    Examples
    --------
    >>> checkpoint = subclust.train("qs3m", "labelled.csv", "mine", changes=["epochs=1"])
    >>> sorted(checkpoint.card["scores"])
    ['validation_ari', 'validation_queries']
    >>> method = subclust.load_method("qs3m", checkpoint="mine")
    >>> answer = subclust.open_library("demo").search("taxes", method=method)
    """
    settings = settings or Settings.from_environment()
    store = CheckpointStore.of(settings)
    if recipe is None:
        recipe = own_recipe(method)[1]
    elif not isinstance(recipe, Recipe):
        recipe = Recipe.read(find_recipe(str(recipe)))
    given = LabelledData.of(data, validation, columns)
    job = plan_training(
        method,
        name,
        recipe.with_settings(changes),
        store,
        base=base,
        validation=given.validation,
        folds=folds,
        judge=judge,
    )
    if not replace:
        refuse_taken(job, store)
    with tempfile.TemporaryDirectory(prefix="subclust-") as temporary:
        checkpoint = run_training(
            job,
            given,
            settings,
            store,
            Path(folder or temporary),
            folds=folds,
            judge=judge,
            resume=resume,
            tell=tell,
        )
        store.save(checkpoint, replace=replace)
    return checkpoint
