"""Cross-validation of a training, for sets of few queries: every query is judged, and trained on.

Each fold's model is trained without two parts of the queries: one decides when its training stops
and where groups are cut, and on the other it is judged. The model that is kept is trained on all
queries, for as many passes as the folds' models needed to be at their best, and cuts groups where
they do.
"""

import json
import shutil
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.core.exceptions import CheckpointError, InputError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.jobs import PROGRESS_FILE, STOP_FILE
from subclust.training.loop.state import forget_progress_after
from subclust.training.recipe import Recipe
from subclust.training.split import in_drawn_order, not_resumable

FEW_QUERIES = 25
"""Below which a single split leaves too few queries to judge by."""

FOLDS = 5
"""That are suggested then."""

FEWEST_FOLDS = 3
"""One to judge on, one to stop by, one to train on."""

_FOLDS_FOLDER = "folds"

_NEVER = 10**9


Progress = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Is given each line of progress of one model, and gives that of the whole."""


class TrainsOnce(Protocol):
    """Trains one model, in a folder of its own from whose state it can be resumed."""

    def __call__(
        self,
        recipe: Recipe,
        training: Sequence[ClusteringInstance],
        validation: Sequence[ClusteringInstance],
        folder: Path,
        /,
        *,
        resume: bool,
        progress: Progress,
    ) -> Checkpoint:
        """Return the checkpoint, not saved yet."""
        ...


@dataclass(frozen=True)
class FoldedTraining:
    """What came of a cross-validation.

    Parameters
    ----------
    checkpoint : Checkpoint
        Trained on all queries; not saved yet.
    parts : tuple of (Checkpoint, list of ClusteringInstance)
        The model of each fold, and the queries that it has not seen in any way.
    """

    checkpoint: Checkpoint
    parts: tuple[tuple[Checkpoint, list[ClusteringInstance]], ...]


def suggested_folds(n_queries: int) -> int:
    """Suggest a number of folds for a set; 0 where a single split will do, or nothing will."""
    return FOLDS if FOLDS <= n_queries < FEW_QUERIES else 0


def _fold_queries(
    instances: Sequence[ClusteringInstance], n_folds: int, seed: int
) -> list[list[ClusteringInstance]]:
    """Divide a labelled set by query into parts of about the same number of queries.

    Returns
    -------
    list of list of ClusteringInstance
        Queries of the same text are in the same part; each in the order of the set. The division
        follows from the texts and the seed, not from the order of the set.

    Raises
    ------
    InputError
        If there are fewer different queries than parts.
    """
    texts = in_drawn_order({instance.query.text for instance in instances}, seed)
    if len(texts) < n_folds:
        raise InputError(
            "{n_folds} folds need at least as many questions, but there are {count}; add "
            "questions, or use fewer folds.",
            n_folds=n_folds,
            count=len(texts),
        )
    part_of = {text: place % n_folds for place, text in enumerate(texts)}
    return [
        [instance for instance in instances if part_of[instance.query.text] == part]
        for part in range(n_folds)
    ]


def train_folds(
    train: TrainsOnce,
    recipe: Recipe,
    instances: Sequence[ClusteringInstance],
    n_folds: int,
    folder: Path,
    *,
    resume: bool = False,
    standalone: Callable[[Checkpoint], Checkpoint] = lambda checkpoint: checkpoint,
) -> FoldedTraining:
    """Train one model a fold, and one on everything.

    Finished folds are kept in the run's folder; a resumed run takes them up and goes on with the
    next. ``progress.jsonl`` there counts the steps of all together, and its ``stop`` ends the fold
    that is being trained.

    Parameters
    ----------
    folder : Path
        Of the run.
    standalone : callable, optional
        Gives a checkpoint all that it has in common with another one, so that it can be kept alone.

    Raises
    ------
    InputError
        As `_fold_queries` does.
    TrainingError
        If a run cannot start or go on.
    TrainingStopped
        If somebody stopped it.
    """
    folds = _fold_queries(instances, n_folds, recipe.training.seed)
    place = folder / _FOLDS_FOLDER
    if not resume:
        shutil.rmtree(place, ignore_errors=True)
    kept = CheckpointStore(place)
    told = _AllProgress(folder, n_folds + 1, resume=resume)
    models: list[Checkpoint] = []
    for number, judged in enumerate(folds):
        name = f"fold-{number + 1}"
        model = _kept(kept, name, n_folds)
        if model is None:
            stopped_by = folds[(number + 1) % n_folds]
            apart = {instance.query.text for instance in (*judged, *stopped_by)}
            training = [instance for instance in instances if instance.query.text not in apart]
            told.begin(place / name)
            made = train(
                recipe, training, stopped_by, place / name, resume=resume, progress=told.line
            )
            model = replace(standalone(made), method=_FOLDS_FOLDER, name=name)
            facts = {"method": made.method, "n_folds": n_folds}
            model = replace(model, card={**model.card, **facts})
            kept.save(model, replace=True)
        told.end(int(model.card.get("training", {}).get("steps", 0)))
        models.append(replace(model, method=str(model.card["method"])))
    epochs = _chosen_epochs(models, recipe)
    arguments = replace(recipe.training, epochs=epochs, patience=0, evaluate_every=_NEVER)
    told.begin(place / "whole", measured=False)
    # Its validation queries are among those it is trained on, so they must not stop it.
    whole = train(
        replace(recipe, training=arguments),
        instances,
        instances,
        place / "whole",
        resume=resume,
        progress=told.line,
    )
    return FoldedTraining(_completed(whole, models, recipe), tuple(zip(models, folds, strict=True)))


def _chosen_epochs(models: Sequence[Checkpoint], recipe: Recipe) -> float:
    """Return the median of the passes after which the models were at their best.

    Those of the recipe where the models do not tell; 0 only where training did not help and there
    is a base to keep.
    """
    best = []
    for model in models:
        step = model.card.get("training", {}).get("best_step")
        lines = [line for line in model.card.get("history", []) if line.get("step") == step]
        if not lines or "epoch" not in lines[0]:
            return recipe.training.epochs
        best.append(float(lines[0]["epoch"]))
    chosen = statistics.median(best)
    return chosen if chosen > 0 or "base" in models[0].config else recipe.training.epochs


class _AllProgress:
    """Tells the steps of all models of a cross-validation as those of one run."""

    def __init__(self, folder: Path, n_models: int, *, resume: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.n_models = n_models
        self.number = 0
        self.before = 0
        self.measured = True
        self.part = folder
        self.first = True
        if not resume:
            (folder / PROGRESS_FILE).unlink(missing_ok=True)
        (folder / STOP_FILE).unlink(missing_ok=True)

    def begin(self, part: Path, *, measured: bool = True) -> None:
        """Turn to the next model; `measured` where its validation queries are held out."""
        self.part = part
        self.measured = measured
        self.first = True

    def end(self, steps: int) -> None:
        """Count the steps of a model that is done."""
        self.number += 1
        self.before += steps

    def line(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Write a line of the model that is trained now; pass on that somebody wants to stop."""
        left = (self.n_models - self.number) * line["total"]
        value = {
            **line,
            "step": self.before + line["step"],
            "total": self.before + left,
            "eta": round(
                line["eta"] + (left - line["total"]) * line["seconds"] / max(line["step"], 1), 1
            ),
            "fold": self.number + 1,
        }
        if not self.measured:
            value.pop("metrics", None)
        # A resumed model tells of the steps since its saved state once more.
        if self.first:
            forget_progress_after(self.folder, value["step"] - 1)
            self.first = False
        with (self.folder / PROGRESS_FILE).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(value) + "\n")
        if (self.folder / STOP_FILE).exists():
            (self.part / STOP_FILE).touch()
        return value


def _kept(store: CheckpointStore, name: str, n_folds: int) -> Checkpoint | None:
    """Read the model of a fold that was finished before the run was broken off."""
    try:
        model = store.load(_FOLDS_FOLDER, name)
    except CheckpointError:
        return None
    if model.card.get("n_folds") != n_folds:
        raise not_resumable(
            Message(
                "it was started with {before} folds and is resumed with {n_folds}",
                before=model.card.get("n_folds"),
                n_folds=n_folds,
            )
        )
    return model


def _completed(whole: Checkpoint, models: Sequence[Checkpoint], recipe: Recipe) -> Checkpoint:
    """Return the model of all queries what only the folds can know."""
    training = {**whole.card.get("training", {})}
    for name in ("evaluate_every", "patience"):
        training[name] = getattr(recipe.training, name)
    told = [model.card.get("training", {}) for model in models]
    scores = [model.card.get("scores", {}).get("validation_ari") for model in models]
    facts = {
        "n_folds": len(models),
        "best_steps": [part.get("best_step") for part in told],
        "validation_ari": scores,
        "epochs": whole.card.get("training", {}).get("epochs"),
    }
    config = dict(whole.config)
    learnt = [model.config for model in models if "threshold" in model.config]
    if learnt:
        # Thresholds beside different shares of the mean are not to be compared.
        shares = [one.get("threshold_mean_share") for one in learnt]
        share = statistics.mode(shares)
        config["threshold"] = statistics.median(
            float(one["threshold"]) for one, its in zip(learnt, shares, strict=True) if its == share
        )
        if share is not None:
            config["threshold_mean_share"] = share
    # What it scores on queries that it was trained on says nothing.
    card = {**whole.card, "training": training, "scores": {}, "folds": facts}
    return replace(whole, config=config, card=card)
