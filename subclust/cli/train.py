"""``python -m subclust train``."""

import argparse
import json

from subclust.checkpoints import Checkpoint, CheckpointStore, checked
from subclust.cli.labelled import add_labelled, add_recipe, read_labelled
from subclust.cli.training import (
    TrainingJob,
    recorded,
    refuse_taken,
    train_checkpoint,
    trained_method,
)
from subclust.jobs import Job, JobStore
from subclust.settings import Settings
from subclust.training.arguments import Recipe
from subclust.training.workers import WorkDone, Workers, joined


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``train``."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    add_labelled(parser)
    parser.add_argument("--name", required=True, help="of the checkpoint")
    add_recipe(parser)
    parser.add_argument("--resume", action="store_true", help="go on where the run was stopped")
    parser.add_argument(
        "--replace", action="store_true", help="write over a checkpoint of the same name"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Train a method and save the checkpoint.

    Raises
    ------
    TrainingError
        If the method is not trained, or the run cannot go on.
    """
    device = settings.resolve_device()
    with joined(settings.n_workers, device, settings.local_worker) as workers:
        try:
            _run(arguments, settings, workers)
        except WorkDone:
            return


def _run(arguments: argparse.Namespace, settings: Settings, workers: Workers) -> None:
    store = CheckpointStore(settings.models_dir)
    card = trained_method(arguments.method, store)
    recipe = Recipe.read(arguments.recipe) if arguments.recipe else Recipe()
    recipe = recipe.with_settings(arguments.set)
    job = TrainingJob(card, checked(arguments.name), recipe, arguments.base)
    if not arguments.replace:
        refuse_taken(job, store)
    jobs = JobStore(settings.jobs_dir)
    words = tuple(arguments.words)
    if not workers.main:
        _train(job, arguments, settings, store, jobs, Job(job.id, words))
        return
    with recorded(jobs, job.id, words) as record:
        checkpoint = _train(job, arguments, settings, store, jobs, record)
        saved = store.save(checkpoint, replace=arguments.replace)
    scores = checkpoint.card.get("scores", {})
    if arguments.json:
        print(json.dumps({"method": card.name, "name": arguments.name, "scores": scores}))
    else:
        print(f"Saved {saved}: " + ", ".join(f"{k} {v:.4g}" for k, v in scores.items()))


def _train(
    job: TrainingJob,
    arguments: argparse.Namespace,
    settings: Settings,
    store: CheckpointStore,
    jobs: JobStore,
    record: Job,
) -> Checkpoint:
    folder, resume = jobs.path(job.id), arguments.resume
    sets = read_labelled(arguments, job.recipe, settings, folder, resume=resume)
    return train_checkpoint(job, sets, settings, store, jobs, record, resume=resume)
