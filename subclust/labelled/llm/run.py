"""Labelling of many subsets, which can be broken off and goes on where it was."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.core.records.progress import Progress
from subclust.labelled.llm.labeller import Labelled, LLMLabeller, with_labels
from subclust.labelled.sets.normal import write_normal
from subclust.labelled.sets.writing import written_whole


@dataclass
class LabelRun:
    """What became of all subsets.

    Parameters
    ----------
    n_asked : int
        Subsets.
    n_labelled, n_labels : int
        Of those that have labels, and these, added up.
    discarded : dict of str to int
        Subsets left out, by the `reason` of `Labelled`.
    n_missing : int
        Passages that answers forgot.
    tokens_in, tokens_out : int
    """

    n_asked: int = 0
    n_labelled: int = 0
    n_labels: int = 0
    discarded: dict[str, int] = field(default_factory=dict)
    n_missing: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust label --json`` prints."""
        return asdict(self)


def label_file(
    instances: Sequence[ClusteringInstance],
    labeller: LLMLabeller,
    path: Path,
    *,
    progress: Progress | None = None,
) -> LabelRun:
    """Label subsets one by one and write those that have labels as a labelled set.

    Each answer is written down at once in a journal beside the file, so that a run that was broken
    off asks nothing twice; the journal goes when the file is there.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
    labeller : LLMLabeller
    path : Path
        Ending in ``.jsonl.gz``; the file must not be there.
    progress : callable, optional
        Called as ``progress(n_done, n_total)``.

    Returns
    -------
    LabelRun

    Raises
    ------
    InputError
        If the file is there or cannot be written, another process is labelling into it, or no
        subset got a label.
    EndpointError
        If the model does not answer; what it has answered is kept.
    """
    if path.exists() or not path.name.endswith(".jsonl.gz"):
        raise InputError(
            "{path} is there already; give another name."
            if path.exists()
            else "{path} must end in .jsonl.gz; give another name.",
            path=path,
        )
    journal = path.with_name(f".{path.name}.journal")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=0):
            outcomes = _label(instances, labeller, journal, progress)
            labelled = [
                with_labels(instance, one.labels)
                for instance, one in zip(instances, outcomes, strict=True)
                if one.labels
            ]
            if not labelled:
                raise InputError(_nothing(labeller.endpoint.model, outcomes))
            with written_whole(path) as partial:
                write_normal(labelled, partial)
            journal.unlink(missing_ok=True)
    except Timeout as error:
        raise InputError(
            "Another process is labelling into {path}; wait until it has ended.", path=path
        ) from error
    except OSError as error:
        raise InputError("{path} cannot be written: {error}.", path=path, error=error) from error
    return _summed(outcomes, labelled)


def _nothing(model: str, outcomes: Sequence[Labelled]) -> str:
    """Say that no subset was labelled, and what to do."""
    if outcomes and all(one.reason == "cut" for one in outcomes):
        return Message(
            "Every answer of {model} was cut before its end; let it answer at greater length "
            "where it is served, or try another model.",
            model=model,
        )
    return Message(
        "No answer of {model} could be read as clusters; try another model.", model=model
    )


def _label(
    instances: Sequence[ClusteringInstance],
    labeller: LLMLabeller,
    journal: Path,
    progress: Progress | None,
) -> list[Labelled]:
    known = _read(journal)
    outcomes = []
    with journal.open("a", encoding="utf-8") as stream:
        for done, instance in enumerate(instances, start=1):
            key = _key(instance, labeller)
            if key not in known:
                known[key] = labeller.label(instance)
                stream.write(json.dumps({"key": key, **asdict(known[key])}) + "\n")
                stream.flush()
            outcomes.append(known[key])
            if progress is not None:
                progress(done, len(instances))
    return outcomes


def _key(instance: ClusteringInstance, labeller: LLMLabeller) -> str:
    """Name a question: the same texts, asked of the same model in the same words."""
    parts = [labeller.endpoint.model, labeller.things, *(p.text for p in instance.passages)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _read(journal: Path) -> dict[str, Labelled]:
    """Read what a run before has been told; a line that was being written does not count."""
    known: dict[str, Labelled] = {}
    if not journal.is_file():
        return known
    content = journal.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with journal.open("r+b") as stream:
            stream.truncate(len(whole))
    for line in whole.decode("utf-8").splitlines():
        record = json.loads(line)
        key = record.pop("key")
        known[key] = Labelled(**record | {"labels": tuple(record["labels"])})
    return known


def _summed(outcomes: Sequence[Labelled], labelled: Sequence[ClusteringInstance]) -> LabelRun:
    return LabelRun(
        n_asked=len(outcomes),
        n_labelled=len(labelled),
        n_labels=sum(len(set(instance.gold())) for instance in labelled),
        discarded=dict(Counter(one.reason for one in outcomes if one.reason)),
        n_missing=sum(one.n_missing for one in outcomes),
        tokens_in=sum(one.tokens_in for one in outcomes),
        tokens_out=sum(one.tokens_out for one in outcomes),
    )
