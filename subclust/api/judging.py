"""Whether a trained model groups better than what it is compared with, on held-out queries."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from subclust.api.labelled import LabelledData, Names, labelled_instances
from subclust.checkpoints import CheckpointStore, checked
from subclust.core.exceptions import BenchmarkError, InputError
from subclust.core.records import ClusteringInstance
from subclust.core.settings import Settings
from subclust.judging.bench import Progress
from subclust.judging.judgement import JUDGEMENT_FILE, judge_checkpoint
from subclust.judging.record import Judgement, Part
from subclust.judging.story import write
from subclust.judging.tasks import provenance
from subclust.methods import find_method
from subclust.text.encoders import shared_encoder
from subclust.training.split import QuerySplit


def judge(
    checkpoint: str,
    data: Names,
    *,
    columns: Mapping[str, str] | None = None,
    base: str | None = None,
    granularity: Literal["flat", "hierarchical"] | None = None,
    save: bool = False,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> Judgement:
    """Judge a trained model on labelled queries, and say whether it is better.

    Parameters
    ----------
    checkpoint : str
        ``METHOD/NAME``.
    data : path or sequence of paths
        Labelled queries on which it was not trained: files, tasks or ``set:NAME``.
    columns : mapping of str to str, optional
        Where a column has another name, ours to theirs, such as ``{"text": "Abstract"}``.
    base : str, optional
        ``METHOD/NAME`` that it is compared with; by default what it started from, else what its
        method uses.
    granularity : {"flat", "hierarchical"}, optional
        Of the gold subtopics; by default the one it was trained for.
    save : bool
        Whether the judgement is kept with the model.
    progress : callable, optional
        Called as ``progress(name, n_done, n_total)`` while a method groups the queries.
    settings : Settings, optional
        By default those of the ``SUBCLUST_*`` environment variables.

    Returns
    -------
    Judgement
        Its ``sentence`` is the verdict; ``methods`` and ``queries`` hold the scores.

    Raises
    ------
    SubclustError
        If the model or the data cannot be used.

    Examples
    --------
    >>> checkpoint = subclust.train("qs3m", "labelled.csv", "judged", changes=["epochs=1"])
    >>> judgement = subclust.judge("qs3m/judged", "held-out.csv")
    >>> judgement.n_queries
    2
    """
    given = LabelledData.of(data, None, columns)
    settings = settings or Settings.from_environment()
    return judge_on(
        checkpoint,
        given,
        settings,
        base=base,
        granularity=granularity,
        save=save,
        progress=progress,
    ).judgement


@dataclass(frozen=True)
class Judged:
    """A judgement, and what it rests on.

    Parameters
    ----------
    judgement : Judgement
    instances : list of ClusteringInstance
        The queries.
    notices : list of str
        Sentences on the files.
    """

    judgement: Judgement
    instances: list[ClusteringInstance]
    notices: list[str]


def judge_on(
    checkpoint: str,
    given: LabelledData,
    settings: Settings,
    *,
    split: str | None = None,
    base: str | None = None,
    granularity: Literal["flat", "hierarchical"] | None = None,
    save: bool = False,
    progress: Progress | None = None,
) -> Judged:
    """Judge a trained model as `judge` does, perhaps on what a run has held out.

    Parameters
    ----------
    checkpoint : str
    given : LabelledData
    settings : Settings
    split : str, optional
        Id of a run: of the data only those queries are taken that it set aside for testing, or
        else held out, and a judgement that is kept is kept in its folder, too.
    base, granularity, save, progress
        As for `judge`.

    Raises
    ------
    SubclustError
        If the model, the data or the run cannot be used.
    """
    store, encoder = CheckpointStore.of(settings), shared_encoder(settings)
    method, _, name = checkpoint.partition("/")
    find_method(method, store)
    store.load(method, checked(name))  # said before anything is encoded
    data = [provenance(one, settings) for one in given.names]
    notices: list[str] = []
    instances = [
        instance
        for one in given.names
        for instance in labelled_instances(one, given, settings, notices)
    ]
    part: Part = "given"
    if split is not None:
        part, instances = _held_out_of(settings.jobs_dir / checked(split), instances, data)
    judgement = judge_checkpoint(
        checkpoint,
        instances,
        settings=settings,
        base=base,
        part=part,
        data=data,
        granularity=granularity,
        store=store,
        encoder=encoder,
        progress=progress,
    )
    if save:
        store.note(method, name, {"judgement": judgement.to_dict()})
        if split is not None:
            write(settings.jobs_dir / split / JUDGEMENT_FILE, judgement.to_dict())
    return Judged(judgement, instances, notices)


def read_judgement(folder: Path, model: str) -> Judgement | None:
    """Read how a model was judged after its training, None where it was not.

    Parameters
    ----------
    folder : Path
        Of the job.
    model : str

    Raises
    ------
    BenchmarkError
        If it cannot be read.
    """
    try:
        value = json.loads((folder / JUDGEMENT_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BenchmarkError(
            "The judgement of {model} cannot be read ({error}); train the model again.",
            model=model,
            error=str(error),
        ) from error
    return Judgement.from_dict(value)


def _held_out_of(
    folder: Path, instances: Sequence[ClusteringInstance], data: Sequence[Mapping[str, Any]]
) -> tuple[Part, list[ClusteringInstance]]:
    """Take of some instances those that a run set aside for testing, or else held out."""
    split = QuerySplit.read(folder)
    if split is None:
        raise InputError(
            "There is no run {folder} that kept how it divided its questions; leave --split out, "
            "or name one of 'python -m subclust jobs list'.",
            folder=folder.name,
        )
    known = {file["sha256"] for file in split.files}
    if other := next((file for file in data if file["sha256"] not in known), None):
        raise InputError(
            "{other} is not what the run {folder} was given, or has changed since; give the same "
            "data, or leave --split out.",
            other=other["name"],
            folder=folder.name,
        )
    part: Part = "test" if split.test else "validation"
    wanted = set(split.test or split.held_out)
    found = [instance for instance in instances if instance.query.text in wanted]
    if not found:
        raise InputError(
            "None of the {part} questions of the run {folder} is in the data; give the file that "
            "held them with --data.",
            part=part,
            folder=folder.name,
        )
    return part, found
