"""The labelled queries of a task, a set or a file."""

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from subclust.core.exceptions import BenchmarkError
from subclust.core.plugins import plugged
from subclust.core.records import ClusteringInstance, TaskCard
from subclust.core.settings import Settings
from subclust.judging.demo import CARDS
from subclust.labelled.reading.instances import file_digest, read_instances
from subclust.labelled.sets import LabelledSetStore
from subclust.methods import resolve


def task_cards() -> list[TaskCard]:
    """Return the cards of all tasks, those of retrieval last."""
    cards = [*CARDS, *(card for cards in plugged("tasks") for card in cards.values())]
    return sorted(cards, key=lambda card: card.kind == "retrieval")


def tasks() -> Mapping[str, TaskCard]:
    """Return the labelled tasks by name: the demo, and those of the benchmarks if installed.

    Listing them reads no file.
    """
    return {card.name: card for card in task_cards() if card.kind == "clustering"}


def load_task(task: str, settings: Settings) -> tuple[str, list[ClusteringInstance]]:
    """Read the queries of a task by name, or of a file.

    Parameters
    ----------
    task : str
        A key of `tasks`, whose files lie below ``settings.benchmark_data_dir`` or in an installed
        package; or ``set:NAME`` or ``set:NAME@VERSION``, a labelled set of ``settings.sets_dir``;
        or the path of a labelled set.

    Returns
    -------
    name : str
        Of the task, of the set with its version, or of the file without its suffixes.
    instances : list of ClusteringInstance

    Raises
    ------
    BenchmarkError
        If a file of the task cannot be had or is another one; the sentence says where to get it.
    FileFormatError
        If a file cannot be read.
    LabelledSetError
        If there is no such set, or it is damaged.
    """
    kept = LabelledSetStore(settings.sets_dir).find(task)
    if kept is not None:
        return kept.label, read_instances(kept.path)
    if task not in tasks():
        path = _file(task)
        return path.name.split(".")[0], read_instances(path)
    card = tasks()[task]
    files = checked_files(card, settings)
    if card.builder is None:
        return task, read_instances(files[0])
    instances: list[ClusteringInstance] = resolve(card.builder)(card, files)
    return task, instances


def provenance(task: str, settings: Settings) -> dict[str, Any]:
    """Return where the queries of a task, set or file come from, for the cards of checkpoints.

    Parameters
    ----------
    task : str
        As for `load_task`.

    Returns
    -------
    dict
        ``name``, ``sha256`` and ``licence``, which for a file is that of the task that holds just
        this file, if any; for a task ``files``, the SHA-256 of each by its place; for a set
        ``set`` and ``version``, which its ``name`` joins (``NAME@2``).

    Raises
    ------
    BenchmarkError, FileFormatError, LabelledSetError
        If there is no such task, file or set.
    """
    kept = LabelledSetStore(settings.sets_dir).find(task)
    if kept is not None:
        return {
            "name": kept.label,
            "sha256": kept.sha256,
            "licence": "not stated",
            "set": kept.name,
            "version": kept.version,
        }
    if task in tasks():
        card = tasks()[task]
        return {
            "name": card.name,
            "sha256": card.sha256,
            "licence": card.licence,
            "files": {card.file: card.sha256, **card.other_files},
        }
    path = _file(task)
    digest = file_digest(path)
    known = {card.sha256: card.licence for card in tasks().values() if card.builder is None}
    return {"name": path.name, "sha256": digest, "licence": known.get(digest, "not stated")}


def without_leaks(
    training: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    sources: Sequence[str],
) -> list[ClusteringInstance]:
    """Leave out the training queries that are also validation queries.

    Where the query comes from a task whose splits have the same queries by design, over other
    passages (`TaskCard.shared_queries`), only those with a passage in common are left out.

    Parameters
    ----------
    sources : sequence of str
        Tasks and files that `training` was read from.
    """
    held = {instance.query.text for instance in validation}
    held_ids = {passage.id for instance in validation for passage in instance.passages}
    # A file may number its passages as another does; the ids of a task's files are their own.
    known = tasks()
    by_design = all(task in known and known[task].shared_queries for task in sources)
    return [
        instance
        for instance in training
        if instance.query.text not in held
        or (by_design and held_ids.isdisjoint(passage.id for passage in instance.passages))
    ]


def _file(name: str) -> Path:
    path = Path(name)
    if not path.exists() and not path.suffix:
        raise BenchmarkError(
            "There is no task or file {name!r}; tasks are {names}.",
            name=name,
            names=", ".join(tasks()),
        )
    return path


def checked_files(card: TaskCard, settings: Settings) -> list[Path]:
    """Find a task's files, the main one first, and hold them to their sums."""
    folder = _folder(card, settings)
    paths = []
    for file, sha256 in {card.file: card.sha256, **card.other_files}.items():
        path = folder / file
        if not path.is_file():
            source = f"{card.citation.rstrip('.')} ({card.url})" if card.url else card.citation
            raise BenchmarkError(
                "The task {card} needs {path}, which is not there; its source is: {source}",
                card=card.name,
                path=path,
                source=source,
            )
        if file_digest(path) != sha256:
            raise BenchmarkError(
                "{path} is not the file that the task {card} was made with (its sha256 differs); "
                "restore it, or give a labelled set of your own by its path.",
                path=path,
                card=card.name,
            )
        paths.append(path)
    return paths


def _folder(card: TaskCard, settings: Settings) -> Path:
    if card.package is None:
        if settings.benchmark_data_dir is None:
            raise BenchmarkError(
                "The task {card} reads {file} below the benchmark data folder, which is not set; "
                "name it with SUBCLUST_BENCHMARK_DATA_DIR (or --data-dir of bench).",
                card=card.name,
                file=card.file,
            )
        return settings.benchmark_data_dir
    found = importlib.util.find_spec(card.package)
    if found is None or not found.submodule_search_locations:
        raise BenchmarkError(
            "The task {card} reads a file of the package {package}, which is not installed; run "
            "'pip install {package}' and try again.",
            card=card.name,
            package=card.package,
        )
    return Path(found.submodule_search_locations[0])
