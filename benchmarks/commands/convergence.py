"""``python -m benchmarks convergence``."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from benchmarks.convergence import METRIC, best_of, compare_convergence, run_facts
from benchmarks.results import RESULTS_DIR, add_output, output, story, write_whole
from subclust.api.labelled import LabelledData, read_labelled, sizes
from subclust.api.planning import TrainingJob, refuse_taken, trained_method
from subclust.api.runs import recorded, train_checkpoint
from subclust.checkpoints import CheckpointStore, checked
from subclust.cli.printing import tell
from subclust.core.exceptions import InputError, TrainingError
from subclust.core.settings import Settings
from subclust.jobs import JobStore
from subclust.judging.own_sets import find_recipe
from subclust.judging.tasks import provenance
from subclust.text.encoders import load_encoder
from subclust.training.loop.state import remove_state
from subclust.training.recipe import Recipe

COMMAND = "bench-convergence"
"""What the app knows such a run by."""

FINISHED_FILE = "convergence.json"
"""In a run's folder: what it was asked for and how it went, so that it is not done again."""


def add_convergence(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``convergence``."""
    parser.add_argument(
        "task", nargs="+", metavar="TASK_OR_FILE", help="training queries, the same for all"
    )
    parser.add_argument(
        "--validation", required=True, metavar="TASK_OR_FILE", help="held-out queries"
    )
    parser.add_argument(
        "--run",
        action="append",
        required=True,
        type=_pair,
        metavar="METHOD=RECIPE",
        help="a method and its TOML file; may be given several times",
    )
    parser.add_argument(
        "--reference",
        metavar="METHOD",
        help="whose best the others are timed against; by default the last run given",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="METHOD.KEY=VALUE",
        help="replace one value of a recipe, such as qs3m.epochs=2 or qs3m.objective.loss=mse",
    )
    parser.add_argument(
        "--base",
        action="append",
        default=[],
        type=_pair,
        metavar="METHOD=CHECKPOINT",
        help="checkpoint of the method to start from",
    )
    parser.add_argument("--name", required=True, help="of the checkpoints and of the result")
    parser.add_argument("--resume", action="store_true", help="go on where it was stopped")
    parser.add_argument(
        "--replace", action="store_true", help="write over checkpoints of the same name"
    )
    add_output(parser)


def run_convergence(arguments: argparse.Namespace, settings: Settings) -> None:
    """Train each method in turn and compare how soon they get where.

    Raises
    ------
    SubclustError
        If a method or recipe cannot be used, or a run cannot go on.
    """
    if settings.n_workers > 1:
        raise TrainingError(
            "{command} times the methods in one process, but {n_workers} were started; start it "
            "without torchrun.",
            command=COMMAND,
            n_workers=settings.n_workers,
        )
    store, jobs = CheckpointStore.of(settings), JobStore(settings.jobs_dir)
    planned = _planned(arguments, store)
    reference = arguments.reference or planned[-1].card.name
    if reference not in [job.card.name for job in planned]:
        raise InputError(
            "--reference {reference} has no --run; add one, or choose another.", reference=reference
        )
    own = {job.id for job in jobs.jobs() if job.argv[:1] == (COMMAND,)}
    for job in planned:
        if not arguments.replace and not (arguments.resume and job.id in own):
            refuse_taken(job, store)
    given = _Given(
        [provenance(task, settings) for task in arguments.task],
        provenance(arguments.validation, settings),
    )
    if not arguments.resume:
        for job in planned:
            (jobs.path(job.id) / FINISHED_FILE).unlink(missing_ok=True)
            remove_state(jobs.path(job.id))
    runs = [_run(job, given, arguments, settings, store, jobs) for job in planned]
    seed = next(one["seed"] for one in runs if one["method"] == reference)
    told = story(load_encoder(settings), settings.resolve_device(), seed)
    result = {
        "name": arguments.name,
        "training": given.training,
        "validation": given.validation,
        "metric": METRIC,
        "story": {**told, "threads": torch.get_num_threads()},
        "runs": runs,
        "comparison": compare_convergence(runs, reference),
    }
    if not output(arguments, RESULTS_DIR / "convergence" / f"{arguments.name}.json", result):
        print(_table(result))


@dataclass(frozen=True)
class _Given:
    training: list[dict[str, Any]]
    validation: dict[str, Any]


def _planned(arguments: argparse.Namespace, store: CheckpointStore) -> list[TrainingJob]:
    """Read all recipes before anything is trained, and refuse what would make times unfair."""
    cards = {name: trained_method(name, store, held_out=True) for name, _ in arguments.run}
    if len({card.name for card in cards.values()}) < len(arguments.run):
        raise InputError("A method is given twice with --run; compare two recipes in two goes.")
    settings: dict[str, list[str]] = {name: [] for name in cards}
    for setting in arguments.set:
        method, _, value = setting.partition(".")
        if method not in settings or "=" in method:
            raise InputError(
                "--set {setting}: begin with one of the methods of --run, such as {next}.epochs=2.",
                setting=setting,
                next=next(iter(cards)),
            )
        settings[method].append(value)
    bases = dict(arguments.base)
    for method in bases:
        if method not in cards:
            raise InputError(
                "--base {method} has no --run; add one, or leave it out.", method=method
            )
    planned = [
        TrainingJob(
            cards[name],
            checked(arguments.name),
            Recipe.read(find_recipe(recipe)).with_settings(settings[name]),
            bases.get(name),
        )
        for name, recipe in arguments.run
    ]
    for job in planned:
        if job.recipe.training.epochs == 0:
            raise TrainingError(
                "The recipe of {card} has epochs = 0, so there is nothing to time; set it above 0.",
                card=job.card.name,
            )
        if job.recipe.objective.get("cached_states"):
            raise TrainingError(
                "The recipe of {card} has cached_states = true, with which later runs spare what "
                "earlier ones compute; add --set {card}.objective.cached_states=false.",
                card=job.card.name,
            )
    if len({job.recipe.training.queries_per_file for job in planned}) > 1:
        raise TrainingError(
            "The recipes differ in queries_per_file, so that the methods would not train on the "
            "same queries; set it to the same with --set."
        )
    return planned


def _run(
    job: TrainingJob,
    given: _Given,
    arguments: argparse.Namespace,
    settings: Settings,
    store: CheckpointStore,
    jobs: JobStore,
) -> dict[str, Any]:
    folder = jobs.path(job.id)
    asked = {
        "recipe": job.recipe.to_dict(),
        "base": job.base,
        "training": given.training,
        "validation": given.validation,
    }
    finished = _finished(folder / FINISHED_FILE, asked) if arguments.resume else None
    if finished is not None:
        print(f"{job.card.name} is finished already.", file=sys.stderr)
        return finished
    print(f"Training {job.card.name}", file=sys.stderr, flush=True)
    data, resume = LabelledData(arguments.task, arguments.validation), arguments.resume
    device = settings.resolve_device()
    with recorded(jobs, job.id, (COMMAND, *arguments.words[1:]), device) as worker:
        worker.tell_batch(job.recipe.training.batch_passages)
        sets = read_labelled(data, job.card, job.recipe, settings, folder, resume=resume, tell=tell)
        checkpoint = train_checkpoint(
            job,
            sets,
            settings,
            store,
            folder,
            resume=resume,
            stage=worker.stage,
            tell=tell,
        )
        size = sizes(sets.training)
        facts = run_facts(checkpoint, job.recipe, **size)
        worker.saving()
        # Refused if it was taken; one that is there now is of this run, killed after saving it.
        store.save(checkpoint, replace=arguments.replace or resume)
        write_whole(folder / FINISHED_FILE, {**asked, "run": facts})
    return facts


def _finished(path: Path, asked: Mapping[str, Any]) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    facts: dict[str, Any] = kept.pop("run")
    if kept != json.loads(json.dumps(asked)):
        raise TrainingError(
            "The finished run in {parent} had another recipe, base or data; resume it with the "
            "same, or start anew without --resume.",
            parent=path.parent,
        )
    return facts


def _table(result: Mapping[str, Any]) -> str:
    comparison = result["comparison"]
    others = {other["method"]: other for other in comparison["others"]}
    best = comparison["reference_best_ari"]
    header = ["method", "s/step", "steps/epoch", "s/epoch", "best ARI", "after", "step"]
    rows = [[*header, f"reaches {best:.4f}", "times sooner"]]
    for one in result["runs"]:
        top, other = best_of(one["curve"]), others.get(one["method"])
        seconds = comparison["reference_seconds"] if other is None else other["seconds"]
        speedup = None if other is None else other["speedup"]
        rows.append(
            [
                one["method"],
                f"{one['seconds_per_step']:.4f}",
                f"{one['steps_per_epoch']:,}",
                f"{one['seconds_per_epoch']:.1f}",
                f"{top['ari']:.4f}",
                f"{top['training_seconds']:.1f} s",
                f"{top['step']:,}",
                "never" if seconds is None else f"after {seconds:.1f} s",
                "" if speedup is None else f"{speedup:.2f}",
            ]
        )
    return _aligned(rows)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _pair(text: str) -> tuple[str, str]:
    method, equals, value = text.partition("=")
    if not (equals and method.strip() and value.strip()):
        raise argparse.ArgumentTypeError(f"must be like METHOD=VALUE, but is {text!r}")
    return method.strip(), value.strip()
