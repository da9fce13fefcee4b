"""``python -m benchmarks train-encoder``."""

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

from benchmarks.distilling.checkpoint import facts_of, named_layers, student_checkpoint
from benchmarks.distilling.run import Recipe, Run
from benchmarks.distilling.texts import pool_of, read_documents
from benchmarks.distilling.training import Plan
from benchmarks.results import RESULTS_DIR, circumstances, output
from subclust.api.labelled import sizes
from subclust.checkpoints import CheckpointStore
from subclust.cli.options import at_least_one
from subclust.cli.printing import tell
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task, provenance
from subclust.text.encoders import SentenceEncoder, load_encoder

RUNS = "distilling"
"""Folder below that of the data for the parts of a run, and below the results."""


def add_train_encoder(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``train-encoder``."""
    parser.add_argument("name", help="of the run, and of its result")
    parser.add_argument(
        "--student", default="all-MiniLM-L6-v2", metavar="ENCODER", help="name or folder"
    )
    parser.add_argument(
        "--teacher",
        action="append",
        default=[],
        metavar="ENCODER",
        help="name or folder; may be given several times; with none the labels alone teach",
    )
    parser.add_argument(
        "--train",
        action="append",
        metavar="TASK_OR_FILE",
        help="labelled queries (default: wiki2014_train and openstax_modules_train)",
    )
    parser.add_argument("--validation", default="wiki2014_validation", metavar="TASK_OR_FILE")
    parser.add_argument(
        "--documents",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="JSON Lines with text, and perhaps label, in which hit sets are found",
    )
    parser.add_argument("--queries", type=at_least_one, metavar="N", help="only the first N")
    parser.add_argument("--epochs", type=float, help="of the student")
    parser.add_argument("--seconds", type=float, help="of the student, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument(
        "--checkpoint",
        action="store_true",
        help="save the student as a checkpoint of centred-qs3m, under the name of the run",
    )
    parser.add_argument("--json", action="store_true", help="print one object")


def run_train_encoder(arguments: argparse.Namespace, settings: Settings) -> None:
    """Train teachers and distil them into an encoder; go on where the run was stopped.

    Raises
    ------
    SubclustError
        If a task or an encoder cannot be had, or the folder holds another run.
    """
    device = settings.resolve_device()
    tasks = arguments.train or ["wiki2014_train", "openstax_modules_train"]
    loaded: dict[str, Sequence[ClusteringInstance]] = {
        task: load_task(task, settings)[1][: arguments.queries] for task in tasks
    }
    held_out = load_task(arguments.validation, settings)[1][: arguments.queries]
    documents: dict[str, Sequence[tuple[str, str]]] = {
        file.name: read_documents(file, arguments.queries or 550, 44, arguments.seed)
        for file in arguments.documents
    }
    recipe = _recipe(arguments)
    student, *teachers = (
        _encoder(name, settings, device) for name in (arguments.student, *arguments.teacher)
    )
    asked: dict[str, Any] = {
        "student": student.revision,
        "teachers": [teacher.revision for teacher in teachers],
        "training": [{**provenance(task, settings), **sizes(loaded[task])} for task in tasks],
        "validation": provenance(arguments.validation, settings),
        "documents": {file.name: _digest(file) for file in arguments.documents},
        "queries": arguments.queries,
        "recipe": asdict(recipe),
    }
    folder = settings.data_dir / RUNS / arguments.name
    _check_same(folder / "asked.json", asked)
    run = Run(pool_of(loaded, held_out, documents), recipe, folder, device, tell)
    result = {
        "name": arguments.name,
        **asked,
        "story": {"seed": arguments.seed, **circumstances(device), "card": _card(device)},
        **run.distil(student, teachers),
    }
    if arguments.checkpoint:
        layers = named_layers(load_file(folder / "student.safetensors"), student)
        base = load_encoder(replace(settings, encoder=arguments.student))
        made = student_checkpoint(
            arguments.name, layers, base, held_out, facts_of(result, student.name)
        )
        CheckpointStore.of(settings).save(made, replace=True)
    if not output(arguments, RESULTS_DIR / RUNS / f"{arguments.name}.json", result):
        print(_in_words(result, folder))


def _recipe(arguments: argparse.Namespace) -> Recipe:
    recipe = Recipe()
    student = replace(recipe.student, seed=arguments.seed)
    if arguments.epochs:
        student = replace(student, epochs=arguments.epochs)
    if arguments.seconds:
        student = replace(student, seconds=arguments.seconds)
    teacher: Plan = replace(recipe.teacher, seed=arguments.seed)
    if arguments.queries:  # a trial: a step is not to hold all there is
        return replace(
            recipe,
            student=student,
            teacher=teacher,
            teacher_passages=128,
            student_passages=128,
            n_found=arguments.queries,
        )
    return replace(recipe, student=student, teacher=teacher)


def _encoder(name: str, settings: Settings, device: str) -> SentenceEncoder:
    return SentenceEncoder(
        name,
        device=device,
        max_seq_length=settings.max_seq_length,
        offline=settings.offline,
        unpacked=settings.encoders_dir,
    )


def _check_same(file: Path, asked: dict[str, Any]) -> None:
    """Note what is asked for, and reject a folder in which something else was."""
    wanted = json.loads(json.dumps(asked))
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(wanted), encoding="utf-8")
    elif json.loads(file.read_text(encoding="utf-8")) != wanted:
        raise BenchmarkError(
            "The run in {folder} had other encoders, texts or values; give another name, or "
            "remove that folder.",
            folder=file.parent,
        )


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise BenchmarkError(
            "The documents in {file} cannot be read ({error}).", file=file, error=error
        ) from error


def _card(device: str) -> str | None:
    """Name the graphics card; None where there is none."""
    import torch

    return torch.cuda.get_device_name() if device == "cuda" else None


def _in_words(result: dict[str, Any], folder: Path) -> str:
    lines = [
        f"{one['encoder']} without fold {one['fold']}: {one['ari']:.4f} "
        f"({one['passages_per_second']:.0f} passages/s)"
        for one in result["teachers"]
    ]
    if "together" in result:
        lines.append(f"teachers together: {result['together']:.4f}")
    student = result["student"]
    lines.append(
        f"{student['encoder']}: {student['history'][0]['ari']:.4f} before, "
        f"{student['ari_rounded']:.4f} after ({student['passages_per_second']:.0f} passages/s), "
        f"in {folder / 'student.safetensors'}"
    )
    return "\n".join(lines)
