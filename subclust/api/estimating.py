"""The trial by which the duration of a training is estimated."""

import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from subclust.api.labelled import LabelledData, Tell, read_labelled, silent
from subclust.api.planning import trained_method
from subclust.api.runs import MOST_JUDGED
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.evaluation.clustering_evaluator import ClusteringEvaluator
from subclust.grouping.clustering.base import MAX_PAIRWISE
from subclust.judging.bench import embed
from subclust.judging.rivals import BASELINE
from subclust.judging.story import write
from subclust.methods import encoder_of, load_base, load_method, train_method
from subclust.text.encoders import Encoder, load_encoder
from subclust.training.estimates.estimate import TRIAL_FILE, RunEstimate
from subclust.training.estimates.trial import (
    StandIn,
    TrialResult,
    not_encoded,
    run_trial,
    time_encoder,
)
from subclust.training.recipe import Recipe
from subclust.training.training_run import TrainingRun


def try_training(
    method: str,
    given: LabelledData,
    recipe: Recipe,
    settings: Settings,
    folder: Path,
    *,
    base: str | None = None,
    folds: int | None = None,
    tell: Tell = silent,
) -> RunEstimate:
    """Make the first steps of a training in this process, and estimate the whole by them.

    `subclust.training.estimates.estimate.estimate_run` has it done in a process of its own, whose
    memory is measured and whose time is limited.

    Parameters
    ----------
    folder : Path
        Where the estimate is written, after each step, and the run keeps its state.
    base : str, optional
        Checkpoint to start from.
    folds : int, optional
        Whether it is to be trained by cross-validation, and by how many folds.
    tell : callable, optional
        As for `read_labelled`.

    Returns
    -------
    RunEstimate

    Raises
    ------
    SubclustError
        If the training would be refused.
    """
    store = CheckpointStore.of(settings)
    card = trained_method(method, store)
    checkpoint = load_base(card.name, base, store) if base else None
    sets = read_labelled(given, card, recipe, settings, folder / "run", tell=tell)
    encoder = load_encoder(settings)
    if checkpoint is not None:
        encoder = encoder_of(checkpoint, encoder)
    device = settings.resolve_device()
    # The real training spends this time again, mostly on imports.
    before = time.time() - psutil.Process().create_time()
    judged = sets.test or sets.validation
    if folds:
        judged = [*sets.training, *sets.validation, *sets.test]
    ways = ("tuned_layers", "tuned_embeddings", "lora_rank")
    tuned = any(recipe.objective.get(way) for way in ways)
    judging = 0.0
    if not card.whole_collection:
        judging = _judging_seconds(judged[:MOST_JUDGED], encoder, store, tuned=tuned)

    def estimated(found: TrialResult) -> RunEstimate:
        return RunEstimate.of(
            found,
            device=device,
            n_training=len(sets.training),
            n_validation=len(sets.validation),
            n_test=len(sets.test),
            seconds_before=before,
            judging_seconds=judging,
        )

    def note(found: TrialResult) -> None:
        write(folder / TRIAL_FILE, estimated(found).to_dict())

    run = TrainingRun(
        card.name,
        "trial",
        recipe,
        sets.training,
        sets.validation,
        encoder,
        folder / "run",
        base=checkpoint,
        device=device,
    )
    found = run_trial(train_method, run, note=note)
    note(found)
    return estimated(found)


_JUDGED = 4
"""Methods that group the held-out queries: the new model, what it started from, what is in use and
what learns nothing."""


def _judging_seconds(
    judged: Sequence[ClusteringInstance],
    encoder: Encoder,
    store: CheckpointStore,
    *,
    tuned: bool = False,
) -> float:
    """Reckon how long the comparison of a trained model with others will take.

    The largest query is grouped by the method that learns nothing, over vectors by chance, so that
    this process takes the memory of the comparison too.

    Parameters
    ----------
    judged : sequence of ClusteringInstance
        The queries that are compared on.
    encoder : Encoder
        Over which is trained.
    tuned : bool
        Whether the model has vectors of its own, so that texts are encoded again.
    """
    if not judged:
        return 0.0
    texts = dict.fromkeys(
        text for one in judged for text in (one.query.text, *(p.text for p in one.passages))
    )
    missing = [*texts, *texts] if tuned else not_encoded(texts, encoder)
    method = load_method(BASELINE, store, StandIn(encoder))
    evaluator = ClusteringEvaluator("flat", metrics=("ari", "ami"))
    by_size = sorted(judged, key=lambda one: len(one.passages))
    per_query = 0.0
    for one in (by_size[0], by_size[-1]):  # what is loaded once is not counted for each
        started = time.perf_counter()
        evaluator.evaluate(
            method.clusterer,
            [one],
            embeddings=embed([one], method.encoder),
            automatic=len(one.passages) <= MAX_PAIRWISE,
        )
        per_query = time.perf_counter() - started
    return _JUDGED * len(judged) * per_query + len(missing) * time_encoder(missing, encoder)
