"""The labelled sets that a run trains on, and how they are divided."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from subclust.core.exceptions import TrainingError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance, MethodCard
from subclust.core.settings import Settings
from subclust.judging.tasks import load_task, provenance, tasks, without_leaks
from subclust.labelled.reading.checker import check_labelled_set, words_read
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import SET_PREFIX, LabelledSetStore
from subclust.training.recipe import Recipe
from subclust.training.split import QuerySplit, set_test_aside, three_parts

Names = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One file, task or ``set:NAME``, or several."""

Tell = Callable[[str], None]
"""Called with each sentence on how a run goes."""


def silent(sentence: str) -> None:
    """Ignore the sentence."""


@dataclass(frozen=True)
class LabelledData:
    """What a run is given.

    Parameters
    ----------
    names : sequence of str
        Files, tasks, ``set:NAME`` or ``set:NAME@VERSION`` to train on.
    validation : str, optional
        Held-out queries, likewise; without them a share of the others is held out.
    columns : mapping of str to str
        Where a column has another name, ours to theirs.
    """

    names: Sequence[str]
    validation: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        data: Names,
        validation: str | PathLike[str] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> "LabelledData":
        """Return what is meant by one name or several."""
        given = [data] if isinstance(data, str | PathLike) else data
        held = None if validation is None else fspath(validation)
        return cls([fspath(one) for one in given], held, columns or {})


@dataclass(frozen=True)
class LabelledSets:
    """What a run trains on and is judged by.

    Parameters
    ----------
    sources : list of dict
        Of the training queries: provenance and size of each file or task.
    notices : list of str
        Sentences for the user, once it trains: a run that cannot says one sentence, the reason.
    test : list of ClusteringInstance
        Set aside for judging the trained model; empty unless the recipe says ``test_share``.
    """

    training: list[ClusteringInstance]
    validation: list[ClusteringInstance]
    sources: list[dict[str, Any]]
    notices: list[str]
    test: list[ClusteringInstance] = field(default_factory=list)


def read_labelled(
    given: LabelledData,
    method: MethodCard,
    recipe: Recipe,
    settings: Settings,
    folder: Path,
    *,
    resume: bool = False,
    tell: Tell = silent,
) -> LabelledSets:
    """Read what is to be trained on, and keep in the run's folder how it was divided.

    Parameters
    ----------
    method : MethodCard
        Of one that learns whole collections, all is trained on and nothing held out.
    recipe : Recipe
        Says how many queries are read, and which share is held out.
    folder : Path
        Of the run.
    resume : bool
        Whether it is divided as the folder says.
    tell : callable, optional
        Told how many queries are left out since they are held out, too.

    Raises
    ------
    SubclustError
        If a file or task cannot be used, or nothing is left to train on.
    """
    whole, arguments = method.whole_collection, recipe.training
    if whole and given.validation:
        raise TrainingError(
            "{method} learns a whole collection and holds nothing out; leave --validation out.",
            method=method.name,
        )
    notices: list[str] = []
    wanted = [(name, "training") for name in given.names]
    wanted += [(given.validation, "held-out")] if given.validation else []
    split = QuerySplit.read(folder) if resume else None
    wanted = [(_as_before(name, split), part) for name, part in wanted]
    told = [provenance(name, settings) for name, _ in wanted]
    files = [
        {"name": fact["name"], "sha256": fact["sha256"], "part": part}
        | ({"task": name} if name in tasks() else {})
        for fact, (name, part) in zip(told, wanted, strict=True)
    ]
    if split is not None:
        split.check_files(files)
    names = [name for name, part in wanted if part == "training"]
    held = wanted[-1][0] if given.validation else None
    # First, because each training file is checked against the held-out queries.
    validation = labelled_instances(held, given, settings, notices) if held else []
    training: list[ClusteringInstance] = []
    sources = []
    # `told` ends with the validation file, which is not trained on.
    for name, fact in zip(names, told, strict=False):
        if whole:
            instances = _collection_instances(name, settings)
        else:
            instances = labelled_instances(name, given, settings, notices, validation)
        # 0 stands for all queries, and a slice up to 0 would be empty.
        instances = instances[: arguments.queries_per_file or None]
        training += instances
        sources.append({"name": fact["name"], **sizes(instances), **fact})
    if split is not None:
        parts = split.apply(training, validation)
        return LabelledSets(*parts, sources, notices, split.tested(training))
    share, seed = arguments.validation_share, arguments.seed
    if whole:
        QuerySplit.of(training, [], files, seed=seed, share=None).write(folder)
        return LabelledSets(training, [], sources, notices)
    if given.validation is None:
        training, validation, test = three_parts(training, share, arguments.test_share, seed)
    else:
        training, test = set_test_aside(training, arguments.test_share, seed, n_to_stay=1)
        test = without_leaks(test, validation, names)
    kept = without_leaks(training, validation, names)
    _tell_left_out(training, kept, validation, tell)
    held_share = None if given.validation else share
    QuerySplit.of(kept, validation, files, seed=seed, share=held_share, test=test).write(folder)
    return LabelledSets(kept, validation, sources, notices, test)


def _tell_left_out(
    training: Sequence[ClusteringInstance],
    kept: Sequence[ClusteringInstance],
    validation: Sequence[ClusteringInstance],
    tell: Tell,
) -> None:
    if not kept:
        raise TrainingError(
            "No training question is left: all of them are validation questions too; give other "
            "data for one of the two."
        )
    if len(kept) < len(training):
        both = {i.query.text for i in training} & {i.query.text for i in validation}
        tell(
            Message(
                "{count} training questions are also in the validation file and are left out, for "
                "instance {query!r}.",
                count=len(training) - len(kept),
                query=min(both),
            )
        )


def sizes(instances: Sequence[ClusteringInstance]) -> dict[str, int]:
    """Count queries and passages."""
    return {
        "n_queries": len(instances),
        "n_passages": sum(len(instance.passages) for instance in instances),
    }


def _as_before(name: str, split: QuerySplit | None) -> str:
    """Add to a set without a version the one that a run was started with, where it goes on."""
    if split is None or not name.startswith(SET_PREFIX) or "@" in name:
        return name
    for file in split.files:
        if file["name"].startswith(f"{name.removeprefix(SET_PREFIX)}@"):
            return f"{SET_PREFIX}{file['name']}"
    return name


def _collection_instances(name: str, settings: Settings) -> list[ClusteringInstance]:
    """Read a task, or a file whose passages need no labels."""
    if name in tasks():
        return load_task(name, settings)[1]
    kept = LabelledSetStore(settings.sets_dir).find(name)
    return read_instances(Path(name) if kept is None else kept.path, labelled=False)


def labelled_instances(
    name: str,
    given: LabelledData,
    settings: Settings,
    notices: list[str],
    held_out: Sequence[ClusteringInstance] | None = None,
) -> list[ClusteringInstance]:
    """Read a task, or a file if it has no errors, and note how many warnings it has."""
    if name in tasks():
        return load_task(name, settings)[1]
    kept = LabelledSetStore(settings.sets_dir).find(name)
    report = check_labelled_set(
        Path(name) if kept is None else kept.path,
        columns=given.columns if kept is None else None,
        against=held_out or None,
        to_split=len(given.names) == 1 and not given.validation,
        max_words=words_read(settings.max_seq_length),
    )
    report.stop_at_errors()
    if report.warnings:
        n, against = len(report.warnings), ""
        if held_out and given.validation not in tasks():
            against = f" --against {given.validation}"
        notices.append(
            Message(
                "{set} has 1 warning; run 'python -m subclust check {words}' to see what to look "
                "at."
                if n == 1
                else "{set} has {n:,} warnings; run 'python -m subclust check {words}' to see what "
                "to look at.",
                set=kept.label if kept else report.file,
                n=n,
                words=f"{name}{against}",
            )
        )
    return list(report.instances)
