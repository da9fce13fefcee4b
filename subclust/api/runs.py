"""Training a method to a checkpoint, and judging it."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import subclust
from subclust.api.labelled import LabelledData, LabelledSets, Tell, read_labelled, silent
from subclust.api.planning import TrainingJob
from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.jobs import JobStore, Stage, Worker, at_work
from subclust.judging.story import write
from subclust.judging.tasks import tasks
from subclust.methods import encoder_of, load_base, standalone, train_method
from subclust.text.encoders import Encoder, load_encoder
from subclust.training.folds import FoldedTraining, train_folds
from subclust.training.loop.state import STATE_FOLDER
from subclust.training.recipe import Recipe
from subclust.training.split import QuerySplit
from subclust.training.training_run import TrainingRun

MOST_JUDGED = 300
"""Held-out queries that a run is judged on at the most; of more, so many are drawn."""


@contextmanager
def recorded(
    jobs: JobStore, id: str, words: tuple[str, ...], device: str | None = None
) -> Iterator[Worker]:
    """Keep the record of a job that this process does, and how it ends.

    Parameters
    ----------
    words : tuple of str
        Of the command, with which it can be resumed.

    Yields
    ------
    Worker
        Its record is begun; the state in its folder is removed once it is finished.
    """
    with at_work(jobs, id, words, device=device) as worker:
        yield worker
    # After the record says "finished": killed before that, the run needs its state to resume.
    shutil.rmtree(worker.folder / STATE_FOLDER, ignore_errors=True)


def train_checkpoint(
    job: TrainingJob,
    sets: LabelledSets,
    settings: Settings,
    store: CheckpointStore,
    folder: Path,
    *,
    resume: bool = False,
    stage: Callable[[Stage], None] | None = None,
    progress: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
    tell: Tell = silent,
) -> Checkpoint:
    """Train.

    Parameters
    ----------
    store : CheckpointStore
        Where the base is read from.
    folder : Path
        Of the run's state.
    resume : bool
        Whether to go on from the saved state, where there is one.
    stage : callable, optional
        Told when texts are encoded, and when the first step was trained.
    progress : callable, optional
        Is given each line of progress, and gives the one that is told.
    tell : callable, optional
        Called with a sentence every twenty steps, and with the notices on the sets.

    Returns
    -------
    Checkpoint
        Not saved yet; its card tells data, versions and encoder.

    Raises
    ------
    SubclustError
        If the run cannot start or go on, or somebody stopped it.
    """
    base = load_base(job.card.name, job.base, store) if job.base else None
    encoder = load_encoder(settings)
    if base is not None:
        encoder = encoder_of(base, encoder)

    def show(line: Mapping[str, Any]) -> None:
        if stage is not None:
            stage("training")
        while sets.notices:
            tell(sets.notices.pop(0))
        _show(line if progress is None else progress(line), tell)

    if stage is not None:
        stage("encoding")
    checkpoint = train_method(
        TrainingRun(
            job.card.name,
            job.name,
            job.recipe,
            sets.training,
            sets.validation,
            encoder,
            folder,
            base=base,
            device=settings.resolve_device(),
            resume=resume,
            progress=show,
        )
    )
    facts: dict[str, Any] = {
        "training_data": sets.sources,
        "versions": _versions(),
        "encoder": encoder.name,
    }
    facts |= _limits(sets.sources, base)
    return replace(checkpoint, card={**checkpoint.card, **facts})


def _limits(sources: Sequence[Mapping[str, Any]], base: Checkpoint | None) -> dict[str, str]:
    """Return whose way of dividing was learnt, where it is that of somebody's own set."""
    own = [str(source["name"]) for source in sources if source["name"] not in tasks()]
    if not own:
        return {}
    limits = f"Trained on {' and '.join(own)}; groups follow that way of dividing a subject."
    if base is not None and base.card.get("limits"):
        limits += f" It started from {base.method}/{base.name}: {base.card['limits']}"
    return {"limits": limits}


def run_training(
    job: TrainingJob,
    given: LabelledData,
    settings: Settings,
    store: CheckpointStore,
    folder: Path,
    *,
    folds: int | None = None,
    judge: bool = False,
    resume: bool = False,
    stage: Callable[[Stage], None] | None = None,
    tell: Tell = silent,
) -> Checkpoint:
    """Read what a run is given, train, and judge where that is asked for.

    Parameters
    ----------
    folder : Path
        Of the run.
    folds : int, optional
        Trains by cross-validation (`_train_by_folds`), which judges in any case.
    judge : bool
        Whether the model is judged on the held-out queries.
    stage, tell : callable, optional
        As for `train_checkpoint`.

    Returns
    -------
    Checkpoint
        Not saved yet.

    Raises
    ------
    SubclustError
        If the run cannot start or go on, or somebody stopped it.
    """
    sets = read_labelled(given, job.card, job.recipe, settings, folder, resume=resume, tell=tell)
    options: dict[str, Any] = {"resume": resume, "stage": stage, "tell": tell}
    if folds:
        return _train_by_folds(job, sets, folds, settings, store, folder, **options)
    checkpoint = train_checkpoint(job, sets, settings, store, folder, **options)
    if judge:
        if stage is not None:
            stage("judging")
        checkpoint = _judged(checkpoint, sets, settings, store, folder, tell=tell)
    return checkpoint


def _train_by_folds(
    job: TrainingJob,
    sets: LabelledSets,
    n_folds: int,
    settings: Settings,
    store: CheckpointStore,
    folder: Path,
    *,
    resume: bool = False,
    stage: Callable[[Stage], None] | None = None,
    tell: Tell = silent,
) -> Checkpoint:
    """Train by cross-validation on all queries, and judge by the folds' models."""
    queries = [*sets.training, *sets.validation, *sets.test]
    split = QuerySplit.read(folder)
    if split is not None:  # none of them is held out from the model that is kept
        everything = QuerySplit.of(queries, [], split.files, seed=split.seed, share=split.share)
        everything.write(folder)

    def train(
        recipe: Recipe,
        training: Sequence[ClusteringInstance],
        validation: Sequence[ClusteringInstance],
        place: Path,
        *,
        resume: bool,
        progress: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    ) -> Checkpoint:
        parts = replace(sets, training=list(training), validation=list(validation), test=[])
        return train_checkpoint(
            replace(job, recipe=recipe),
            parts,
            settings,
            store,
            place,
            resume=resume,
            stage=stage,
            progress=progress,
            tell=tell,
        )

    folded = train_folds(
        train,
        job.recipe,
        queries,
        n_folds,
        folder,
        resume=resume,
        standalone=lambda checkpoint: standalone(checkpoint, store),
    )
    if stage is not None:
        stage("judging")
    return _judged_folds(folded, sets, load_encoder(settings), store, folder)


def _judged_folds(
    folded: FoldedTraining,
    sets: LabelledSets,
    encoder: Encoder,
    store: CheckpointStore,
    folder: Path,
) -> Checkpoint:
    """Judge what the folds have scored, and write it to the run's folder and the card."""
    from subclust.judging.judgement import JUDGEMENT_FILE, judge_parts

    judgement = judge_parts(
        folded.checkpoint, folded.parts, store=store, encoder=encoder, data=sets.sources
    )
    new = judgement.method("new")
    assert new is not None
    scores = {"folds_ari": new.means["ari"], "folds_queries": float(judgement.n_queries)}
    value = judgement.to_dict()
    write(folder / JUDGEMENT_FILE, value)
    card = {**folded.checkpoint.card, "scores": scores, "judgement": value}
    return replace(folded.checkpoint, card=card)


def _judged(
    checkpoint: Checkpoint,
    sets: LabelledSets,
    settings: Settings,
    store: CheckpointStore,
    folder: Path,
    *,
    tell: Tell = silent,
) -> Checkpoint:
    """Compare a trained model with what it started from, and keep the judgement in its card.

    A failure is told and costs no more than the judgement.

    Parameters
    ----------
    checkpoint : Checkpoint
        Not saved yet.
    sets : LabelledSets
        Its test queries are judged on, or its validation queries where there are none.
    folder : Path
        Of the run; ``judgement.json`` is written there.
    """
    from subclust.judging.judgement import JUDGEMENT_FILE, judge_checkpoint
    from subclust.training.queries import sample

    queries = sets.test or sets.validation
    drawn = sample(queries, MOST_JUDGED, checkpoint.card.get("training", {}).get("seed", 0))
    try:
        judgement = judge_checkpoint(
            checkpoint,
            drawn,
            settings=settings,
            part="test" if sets.test else "validation",
            data=sets.sources,
            store=store,
        )
        if len(drawn) < len(queries):
            note = Message(
                "Of {n_queries:,} held-out questions {n_drawn:,} were drawn at random.",
                n_queries=len(queries),
                n_drawn=len(drawn),
            )
            judgement = replace(judgement, notes=(*judgement.notes, note))
        value = judgement.to_dict()
        write(folder / JUDGEMENT_FILE, value)
    except Exception as error:  # whatever it is, the trained model must not be lost by it
        tell(
            Message(
                "The model could not be judged ({error}); it is kept, and 'python -m subclust "
                "judge' may tell more.",
                error=error,
            )
        )
        return checkpoint
    return replace(checkpoint, card={**checkpoint.card, "judgement": value})


def _show(line: Mapping[str, Any], tell: Tell) -> None:
    if "metrics" in line or line["step"] % 20 == 0:
        metrics = "".join(f"  {k} {v:.4f}" for k, v in line.get("metrics", {}).items())
        tell(
            Message(
                "step {step}/{total}  loss {loss:.4f}{scores}  {seconds:.0f} s, {eta:.0f} s left",
                **line,
                scores=metrics,
            )
        )


def _versions() -> dict[str, str]:
    import sentence_transformers
    import torch

    return {
        "subclust": subclust.__version__,
        "torch": str(torch.__version__),
        "sentence-transformers": sentence_transformers.__version__,
    }
