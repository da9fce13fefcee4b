"""``train`` and ``tune``."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from subclust.api.planning import TrainingJob, plan_training, refuse_taken, trained_method
from subclust.api.runs import recorded, run_training
from subclust.api.tuning import Tuning
from subclust.checkpoints import Checkpoint, CheckpointStore, checked
from subclust.cli.jobs import submit
from subclust.cli.options import at_least_one
from subclust.cli.printing import show, tell
from subclust.cli.training.planning import add_labelled, add_recipe, labelled_data, recipe_of
from subclust.core.exceptions import InputError, TrainingError
from subclust.core.messages import Message, with_messages
from subclust.core.settings import Settings
from subclust.deleting import check_unused
from subclust.jobs import Job, JobStore, Worker, at_work
from subclust.judging.story import write
from subclust.judging.tasks import provenance
from subclust.methods import load_base
from subclust.training.folds import FEW_QUERIES, FOLDS
from subclust.training.loop.workers import WorkDone, Workers, joined


def add_train(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``train``."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    parser.add_argument("--name", required=True, help="of the checkpoint")
    add_recipe(parser)
    parser.add_argument("--resume", action="store_true", help="go on where the run was stopped")
    parser.add_argument(
        "--replace", action="store_true", help="write over a checkpoint of the same name"
    )
    parser.add_argument(
        "--queue",
        action="store_true",
        help="train in the background, when the device is free; prints the job's id at once",
    )
    parser.add_argument(
        "--judge",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="afterwards, compare it on the held-out queries with what it started from",
    )
    parser.add_argument(
        "--folds",
        type=int,
        metavar="N",
        help=f"for few queries (under {FEW_QUERIES}): train on all of them, and judge by N further "
        f"models, each on queries that it has not seen; {FOLDS} are usual",
    )
    for name, what in (("gpus", "graphics cards"), ("cpus", "cores")):
        parser.add_argument(
            f"--{name}", type=int, metavar="N", help=f"{what} of a machine of the Ray cluster"
        )
    parser.add_argument("--json", action="store_true", help="print the result as one object")


def run_train(arguments: argparse.Namespace, settings: Settings) -> None:
    """Train a method and save the checkpoint, or have it done in the background.

    Raises
    ------
    SubclustError
        If the method is not trained, the name is taken, or the run cannot go on.
    """
    device = settings.resolve_device()
    if arguments.folds and settings.n_workers > 1:
        raise InputError("--folds trains in one process; start it without torchrun.")
    if arguments.job is None and not arguments.resume:
        _refuse_counts(arguments, settings)
    if arguments.queue:
        _queue(arguments, settings)
        return
    with joined(settings.n_workers, device, settings.local_worker) as workers:
        try:
            _run(arguments, settings, workers)
        except WorkDone:
            return


def _refuse_counts(arguments: argparse.Namespace, settings: Settings) -> None:
    if arguments.gpus is None and arguments.cpus is None:
        return
    if not arguments.queue or settings.jobs_backend == "local":
        raise InputError(
            "--gpus and --cpus are for jobs on a Ray cluster; leave them out, or set "
            "SUBCLUST_JOBS to the cluster's address and add --queue."
        )
    if (arguments.gpus or 0) < 0 or (arguments.cpus is not None and arguments.cpus < 1):
        raise InputError("--gpus must be at least 0, and --cpus at least 1.")
    if arguments.folds and (arguments.gpus or 0) > 1:
        raise InputError("--folds trains in one process; ask for one graphics card, or none.")


def _queue(arguments: argparse.Namespace, settings: Settings) -> None:
    """Refuse what cannot work, and submit the rest."""
    if arguments.resume:
        raise InputError("Resume a run with 'jobs resume ID'; leave --resume out.")
    store = CheckpointStore.of(settings)
    job = _planned(arguments, store)
    _check_name(job, arguments, settings, store)
    if job.base is not None:
        load_base(job.card.name, job.base, store)
    given = [*arguments.data, *([arguments.validation] if arguments.validation else [])]
    facts = {name: provenance(name, settings) for name in given}
    kept = {name: fact for name, fact in facts.items() if "set" in fact}
    # A set of which there is a newer version when its turn comes is still the one of now.
    pinned = {name: f"set:{fact['set']}@{fact['version']}" for name, fact in kept.items()}
    first = kept.get(arguments.data[0])
    submitted = submit(
        arguments,
        settings,
        argv=[pinned.get(word, word) for word in arguments.words],
        title=f"{job.card.name}/{job.name}",
        data={"set": first["set"], "version": first["version"]} if first else None,
    )
    show(arguments, *submitted)


def _planned(arguments: argparse.Namespace, store: CheckpointStore) -> TrainingJob:
    trained_method(arguments.method, store)  # said before what is wrong with the recipe
    return plan_training(
        arguments.method,
        arguments.name,
        recipe_of(arguments),
        store,
        base=arguments.base,
        validation=arguments.validation,
        folds=arguments.folds,
        judge=arguments.judge,
    )


def _check_name(
    job: TrainingJob, arguments: argparse.Namespace, settings: Settings, store: CheckpointStore
) -> None:
    """Refuse a name that is taken, or a checkpoint to be replaced that another job needs."""
    if not arguments.replace:
        refuse_taken(job, store)
    elif arguments.job is None and not arguments.resume:
        check_unused(settings, "model", f"{job.card.name}/{job.name}")


def _run(arguments: argparse.Namespace, settings: Settings, workers: Workers) -> None:
    store, jobs = CheckpointStore.of(settings), JobStore(settings.jobs_dir)
    job = _planned(arguments, store)
    id = arguments.job or job.id
    done = _saved_already(job, id, store, jobs) if arguments.resume else None
    if done is None:
        _check_name(job, arguments, settings, store)
    words = tuple(arguments.words)
    # Only the main worker keeps the record and saves; the others merely compute along.
    if not workers.main:
        _train(job, id, arguments, settings, store, jobs, None)
        return
    with recorded(jobs, id, words, settings.resolve_device()) as worker:
        worker.tell_batch(job.recipe.training.batch_passages)
        if done is None:
            checkpoint = _train(job, id, arguments, settings, store, jobs, worker)
            # By this mark a resumed run knows that it saved the checkpoint before it was killed.
            checkpoint = replace(checkpoint, card={**checkpoint.card, "job": _mark(worker.job)})
            worker.saving()
            store.save(checkpoint, replace=arguments.replace)
            done = dict(checkpoint.card)
    scores = done.get("scores", {})
    value: dict[str, Any] = {"method": job.card.name, "name": job.name, "scores": scores}
    saved = Message(
        "Saved {folder}: {scores}",
        folder=settings.models_dir / job.card.name / job.name,
        scores=", ".join(f"{k} {v:.4g}" for k, v in scores.items()),
    )
    lines = [saved]
    if arguments.judge or arguments.folds:
        value["judgement"] = judgement = done.get("judgement")
        if judgement is not None:
            lines.append(with_messages(judgement)["sentence"])
    show(arguments, value, *lines)


def _saved_already(
    job: TrainingJob, id: str, store: CheckpointStore, jobs: JobStore
) -> dict[str, Any] | None:
    """Return the card of the checkpoint that this very run had saved before it was killed."""
    record = jobs.find(id)
    card = store.card(job.card.name, job.name)
    return card if record is not None and card.get("job") == _mark(record) else None


def _mark(record: Job) -> dict[str, Any]:
    """Return what tells a run from another one that has the same name later."""
    return {"id": record.id, "created": record.created}


def _train(
    job: TrainingJob,
    id: str,
    arguments: argparse.Namespace,
    settings: Settings,
    store: CheckpointStore,
    jobs: JobStore,
    worker: Worker | None,
) -> Checkpoint:
    return run_training(
        job,
        labelled_data(arguments),
        settings,
        store,
        jobs.path(id),
        folds=arguments.folds,
        judge=arguments.judge and worker is not None,
        resume=arguments.resume,
        stage=worker.stage if worker is not None else None,
        tell=tell,
    )


def add_tune(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tune``."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    parser.add_argument("--name", required=True, help="of the search")
    add_recipe(parser, required=True)
    parser.add_argument(
        "--trials",
        type=at_least_one,
        metavar="N",
        help="how many values are tried, those of before included; by default what the recipe says",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the result there")
    parser.add_argument("--json", action="store_true", help="print the result as one object")


def run_tune(arguments: argparse.Namespace, settings: Settings) -> None:
    """Search for the values with which a method does best, or go on with a search.

    Raises
    ------
    TrainingError
        If the method is not trained, or the search cannot begin or go on.
    """
    if settings.n_workers > 1:
        raise TrainingError("A search runs in one process; start 'tune' without torchrun.")
    store = CheckpointStore.of(settings)
    # Said before what is wrong with the recipe.
    card = trained_method(arguments.method, store, held_out=True)
    recipe = recipe_of(arguments)
    jobs = JobStore(settings.jobs_dir)
    id = arguments.job or f"tune-{card.name}-{checked(arguments.name)}"
    tuning = Tuning(
        card.name,
        recipe,
        labelled_data(arguments),
        settings,
        jobs.path(id),
        name=arguments.name,
        base=arguments.base,
        trials=arguments.trials,
        record=lambda: at_work(jobs, id, tuple(arguments.words), device=settings.resolve_device()),
        tell=tell,
    )
    result = tuning.run()
    if arguments.save:
        tell(Message("Saved {file}.", file=write(arguments.save, result)))
    show(arguments, result, tuning.text(result))
