"""``python -m subclust train``."""

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import subclust
from subclust.benchmarks.data import load_task, provenance, without_leaks
from subclust.benchmarks.tasks import TASKS
from subclust.checkpoints import Checkpoint, CheckpointStore, checked
from subclust.cli.options import add_columns, columns_of
from subclust.encoders import load_encoder
from subclust.exceptions import SubclustError, TrainingError, TrainingStopped
from subclust.jobs import Job, JobStore
from subclust.methods import encoder_of, find_method, resolve
from subclust.records import ClusteringInstance, MethodCard
from subclust.settings import Settings
from subclust.training.arguments import Recipe
from subclust.training.checker import check_labelled_set, words_read
from subclust.training.instances import split_queries
from subclust.training.split import QuerySplit
from subclust.training.state import STATE_FOLDER
from subclust.training.workers import WorkDone, Workers, joined


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``train``."""
    parser.add_argument("method", help="see 'python -m subclust methods'")
    parser.add_argument(
        "--data",
        action="append",
        required=True,
        metavar="FILE",
        help="labelled set (.jsonl, .jsonl.gz, .csv, .tsv, .xlsx), or a task by its name; may be "
        "given several times",
    )
    add_columns(parser)
    parser.add_argument("--name", required=True, help="of the checkpoint")
    parser.add_argument(
        "--validation",
        metavar="FILE",
        help="held-out queries, a file or a task; without it a share of the data is held out",
    )
    parser.add_argument(
        "--base", metavar="NAME", help="checkpoint of the method to start from, such as wikipedia"
    )
    parser.add_argument("--recipe", type=Path, metavar="FILE", help="TOML file")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="replace one value of the recipe, such as epochs=2 or objective.loss=mse",
    )
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
    base = store.load(card.name, arguments.base) if arguments.base else None
    notices: list[str] = []
    training, validation, sources = _read(arguments, recipe, settings, jobs.path(job.id), notices)
    encoder = load_encoder(settings)
    if base is not None:
        encoder = encoder_of(base, encoder)

    def show(line: Mapping[str, Any]) -> None:
        jobs.beat(job)
        while notices:  # only once it trains: a run that cannot says one sentence, the reason
            print(notices.pop(0), file=sys.stderr)
        _show(line)

    checkpoint: Checkpoint = resolve(card.trainer)(
        card.name,
        arguments.name,
        recipe,
        training,
        validation,
        encoder,
        jobs.path(job.id),
        base=base,
        device=settings.resolve_device(),
        resume=arguments.resume,
        progress=show,
    )
    facts: dict[str, Any] = {
        "training_data": sources,
        "versions": _versions(),
        "encoder": encoder.name,
    }
    return replace(checkpoint, card={**checkpoint.card, **facts})


def _read(
    arguments: argparse.Namespace,
    recipe: Recipe,
    settings: Settings,
    folder: Path,
    notices: list[str],
) -> tuple[list[ClusteringInstance], list[ClusteringInstance], list[dict[str, Any]]]:
    given = [(name, "training") for name in arguments.data]
    given += [(arguments.validation, "held-out")] if arguments.validation else []
    told = [provenance(name) for name, _ in given]
    files = [
        {"name": fact["name"], "sha256": fact["sha256"], "part": part}
        | ({"task": name} if name in TASKS else {})
        for fact, (name, part) in zip(told, given, strict=True)
    ]
    split = QuerySplit.read(folder) if arguments.resume else None
    if split is not None:
        split.check_files(files)
    validation = (
        _instances(arguments.validation, arguments, settings, notices)
        if arguments.validation
        else []
    )
    training: list[ClusteringInstance] = []
    sources = []
    for name, fact in zip(arguments.data, told, strict=False):
        instances = _instances(name, arguments, settings, notices, validation)
        if recipe.training.queries_per_file:
            instances = instances[: recipe.training.queries_per_file]
        training += instances
        sources.append(
            {
                "name": fact["name"],
                "n_queries": len(instances),
                "n_passages": sum(len(instance.passages) for instance in instances),
                **fact,
            }
        )
    if split is not None:
        return *split.apply(training, validation), sources
    share, seed = recipe.training.validation_share, recipe.training.seed
    if arguments.validation is None:
        training, validation = split_queries(training, share, seed)
    kept = without_leaks(training, validation, arguments.data)
    if not kept:
        raise TrainingError(
            "No training query is left: all of them are validation queries too; give other data "
            "for one of the two."
        )
    if len(kept) < len(training):
        both = {i.query.text for i in training} & {i.query.text for i in validation}
        print(
            f"{len(training) - len(kept)} training queries are also in the validation file and are "
            f"left out, for instance {min(both)!r}.",
            file=sys.stderr,
        )
    held = None if arguments.validation else share
    QuerySplit.of(kept, validation, files, seed=seed, share=held).write(folder)
    return kept, validation, sources


def _instances(
    name: str,
    arguments: argparse.Namespace,
    settings: Settings,
    notices: list[str],
    held_out: Sequence[ClusteringInstance] | None = None,
) -> list[ClusteringInstance]:
    """Read a task, or a file if it has no errors, and note how many warnings it has."""
    if name in TASKS:
        return load_task(name, settings)[1]
    report = check_labelled_set(
        Path(name),
        columns=columns_of(arguments),
        against=held_out or None,
        to_split=name in arguments.data and len(arguments.data) == 1 and not arguments.validation,
        max_words=words_read(settings.max_seq_length),
    )
    report.stop_at_errors()
    if report.warnings:
        n, against = len(report.warnings), ""
        if held_out and arguments.validation not in TASKS:
            against = f" --against {arguments.validation}"
        notices.append(
            f"{report.file} has {n:,} warning{'s' if n > 1 else ''}; run 'python -m subclust "
            f"check {name}{against}' to see what to look at."
        )
    return list(report.instances)


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
