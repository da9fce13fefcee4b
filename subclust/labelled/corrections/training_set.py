"""Saved corrections as a labelled set to train on: query, text, label."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from subclust.core.messages import Message
from subclust.core.records import OTHER_PASSAGES, ClusteringInstance, Passage, Query
from subclust.core.storage.cells import guarded
from subclust.labelled.corrections.edits import comparable
from subclust.labelled.corrections.saved import SavedCorrections

_COLUMNS = ("query", "id", "title", "text", "label")


@dataclass(frozen=True)
class TrainingSet:
    """What saved corrections give to train on.

    Parameters
    ----------
    instances : tuple of ClusteringInstance
        One a query, in the order of the queries; the label of a passage is its group's name.
    told : tuple of Message
        What was left out, and why, in sentences.
    """

    instances: tuple[ClusteringInstance, ...]
    told: tuple[Message, ...]

    @property
    def n_passages(self) -> int:
        """Number of passages."""
        return sum(len(instance.passages) for instance in self.instances)


def training_set(saved: Iterable[SavedCorrections], *, only_judged: bool = False) -> TrainingSet:
    """Make a labelled set of saved corrections.

    Unsure and other passages are left out: nobody says what subtopic they have. Of several
    corrections of a question the one saved last is taken.

    Parameters
    ----------
    saved : iterable of SavedCorrections
    only_judged : bool
        Whether only passages that a person placed or accepted are taken, not those that nobody has
        objected to.

    Returns
    -------
    TrainingSet
    """
    newest: dict[str, SavedCorrections] = {}
    told: list[Message] = []
    for one in sorted(saved, key=lambda one: (-one.saved, one.name)):
        newer = newest.setdefault(comparable(one.basis.query), one)
        if newer is not one:
            told.append(
                Message(
                    "{name} is about the same question as {newer}, which was saved later and is "
                    "taken.",
                    name=one.name,
                    newer=newer.name,
                )
            )
    instances = []
    for one in sorted(newest.values(), key=lambda one: one.basis.query):
        passages, left_out = _passages(one, only_judged)
        if left_out:
            told.append(
                Message(
                    "{name}: left out are unsure passages ({unsure}), other passages ({other}) and "
                    "passages that were not judged ({unjudged}).",
                    name=one.name,
                    unsure=left_out["unsure"],
                    other=left_out["other"],
                    unjudged=left_out["unjudged"],
                )
            )
        if len(passages) < 2:
            told.append(
                Message(
                    "{name} has fewer than two passages to learn from, so it is left out.",
                    name=one.name,
                )
            )
        else:
            query = Query(" ".join(one.basis.query.split()))
            instances.append(ClusteringInstance(query, tuple(passages)))
    return TrainingSet(tuple(instances), tuple(told))


def as_csv(instances: Sequence[ClusteringInstance]) -> bytes:
    """Write a labelled set as CSV, a passage a row, with the UTF-8 mark that spreadsheets need."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(_COLUMNS)
    for instance in instances:
        for one in instance.passages:
            cells = (instance.query.text, one.id, one.title, one.text, one.label or "")
            writer.writerow([guarded(cell) for cell in cells])
    return stream.getvalue().encode("utf-8-sig", "replace")


def as_json_lines(instances: Sequence[ClusteringInstance]) -> bytes:
    """Write a labelled set as JSON Lines, a query a line."""
    lines = [
        json.dumps(
            {
                "query": instance.query.text,
                "passages": [
                    {"id": one.id, "title": one.title, "text": one.text, "label": one.label}
                    for one in instance.passages
                ],
            },
            ensure_ascii=False,
        )
        for instance in instances
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _passages(saved: SavedCorrections, only_judged: bool) -> tuple[list[Passage], Counter[str]]:
    passages, left_out = [], Counter[str]()
    for passage, group in saved.passages:
        if passage.judgement == "unsure":
            left_out["unsure"] += 1
        elif group.id == OTHER_PASSAGES:
            left_out["other"] += 1
        elif only_judged and passage.judgement is None:
            left_out["unjudged"] += 1
        else:
            passages.append(Passage(passage.id, passage.text, passage.title, label=group.name))
    return sorted(passages, key=lambda one: one.id), left_out
