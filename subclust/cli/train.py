"""``python -m subclust train``."""

import argparse
import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import subclust
from subclust.checkpoints import Checkpoint, CheckpointStore, checked
from subclust.cli.labelled import add_labelled, add_recipe, read_labelled
from subclust.encoders import load_encoder
from subclust.exceptions import SubclustError, TrainingError, TrainingStopped
from subclust.jobs import Job, JobStore
from subclust.methods import encoder_of, find_method, load_base, resolve
from subclust.records import MethodCard
from subclust.settings import Settings
from subclust.training.arguments import Recipe
from subclust.training.state import STATE_FOLDER
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
    card = find_method(arguments.method, store)
    if card.trainer is None:
        raise TrainingError(f"The method {card.name} needs no training.")
    if checked(arguments.name) in store.names(card.name) and not arguments.replace:
        raise TrainingError(
            f"{card.name} already has a checkpoint named {arguments.name}; choose another name, "
            "or add --replace."
        )
    recipe = Recipe.read(arguments.recipe) if arguments.recipe else Recipe()
    recipe = recipe.with_settings(arguments.set)
    jobs = JobStore(settings.jobs_dir)
    job = Job(f"{card.name}-{arguments.name}", tuple(arguments.words))
    if not workers.main:
        _train(card, arguments, recipe, settings, store, jobs, job)
        return
    job = jobs.begin(job.id, job.argv)
    try:
        checkpoint = _train(card, arguments, recipe, settings, store, jobs, job)
        saved = store.save(checkpoint, replace=arguments.replace)
    except TrainingStopped:
        jobs.end(job, "cancelled")
        raise
    except SubclustError as error:
        jobs.end(job, "failed", str(error))
        raise
    jobs.end(job, "finished")
    shutil.rmtree(jobs.path(job.id) / STATE_FOLDER, ignore_errors=True)
    scores = checkpoint.card.get("scores", {})
    if arguments.json:
        print(json.dumps({"method": card.name, "name": arguments.name, "scores": scores}))
    else:
        print(f"Saved {saved}: " + ", ".join(f"{k} {v:.4g}" for k, v in scores.items()))


def _train(
    card: MethodCard,
    arguments: argparse.Namespace,
    recipe: Recipe,
    settings: Settings,
    store: CheckpointStore,
    jobs: JobStore,
    job: Job,
) -> Checkpoint:
    assert card.trainer is not None
    base = load_base(card.name, arguments.base, store) if arguments.base else None
    folder = jobs.path(job.id)
    sets = read_labelled(arguments, recipe, settings, folder, resume=arguments.resume)
    encoder = load_encoder(settings)
    if base is not None:
        encoder = encoder_of(base, encoder)

    def show(line: Mapping[str, Any]) -> None:
        jobs.beat(job)
        while sets.notices:
            print(sets.notices.pop(0), file=sys.stderr)
        _show(line)

    checkpoint: Checkpoint = resolve(card.trainer)(
        card.name,
        arguments.name,
        recipe,
        sets.training,
        sets.validation,
        encoder,
        folder,
        base=base,
        device=settings.resolve_device(),
        resume=arguments.resume,
        progress=show,
    )
    facts: dict[str, Any] = {
        "training_data": sets.sources,
        "versions": _versions(),
        "encoder": encoder.name,
    }
    return replace(checkpoint, card={**checkpoint.card, **facts})


def _show(line: Mapping[str, Any]) -> None:
    if "metrics" in line or line["step"] % 20 == 0:
        metrics = "".join(f"  {k} {v:.4f}" for k, v in line.get("metrics", {}).items())
        print(
            f"step {line['step']}/{line['total']}  loss {line['loss']:.4f}{metrics}  "
            f"{line['seconds']:.0f} s, {line['eta']:.0f} s to go",
            file=sys.stderr,
            flush=True,
        )


def _versions() -> dict[str, str]:
    import sentence_transformers
    import torch

    return {
        "subclust": subclust.__version__,
        "torch": str(torch.__version__),
        "sentence-transformers": sentence_transformers.__version__,
    }
