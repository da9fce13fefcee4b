"""What corrections teach: pairs of one subtopic or of two, contradictions, and a labelled set."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from subclust.core.messages import N_, Message, joined
from subclust.core.records import OTHER_PASSAGES, ClusteringInstance, Passage, Query
from subclust.core.storage.cells import guarded
from subclust.labelled.corrections.edits import comparable
from subclust.labelled.corrections.saved import KeptGroup, KeptPassage, SavedCorrections

_PAIR_COLUMNS = ("query", "first_id", "second_id", "first_text", "second_text", "same", "judged")


_SET_COLUMNS = ("query", "id", "title", "text", "label")


@dataclass(frozen=True)
class Pair:
    """Two passages of a query, and what a person says of them.

    Parameters
    ----------
    first, second : KeptPassage
        In the order of their ids.
    same : bool
        Whether they are of one subtopic.
    n_judged : int
        How many of the two the person has placed or accepted, 1 or 2.
    """

    query: str
    first: KeptPassage
    second: KeptPassage
    same: bool
    n_judged: int

    @property
    def key(self) -> tuple[str, str, str]:
        """Query and ids."""
        return (self.query, self.first.id, self.second.id)

    def to_dict(self) -> dict[str, object]:
        """Return it as a row of the export."""
        return {
            "query": self.query,
            "first_id": self.first.id,
            "second_id": self.second.id,
            "first_text": self.first.text,
            "second_text": self.second.text,
            "same": self.same,
            "judged": self.n_judged,
        }


def pairs_of(saved: SavedCorrections) -> Iterator[Pair]:
    """Return the pairs of which a person has judged at least one passage, in the order of ids.

    Judged are passages that the person placed (moved, made a group, merged) or accepted. Nothing is
    said of passages the person is unsure about, nor of other passages, unless the person put them
    there: then they are of another subtopic than what is in the groups.
    """
    told = sorted(
        (
            (passage, group.id, passage.judgement in ("placed", "accepted"))
            for passage, group in saved.passages
            if passage.judgement != "unsure"
        ),
        key=lambda one: one[0].id,
    )
    told = [one for one in told if one[1] != OTHER_PASSAGES or one[2]]
    for (first, group, first_judged), (second, other, second_judged) in combinations(told, 2):
        n_judged = first_judged + second_judged
        if n_judged and not group == other == OTHER_PASSAGES:
            yield Pair(saved.basis.query, first, second, group == other, n_judged)


def undisputed_pairs(saved: Iterable[SavedCorrections]) -> list[Pair]:
    """Return the pairs of several corrections, each once, without those they disagree about."""
    found: dict[tuple[str, str, str], Pair] = {}
    disputed = set()
    for one in saved:
        for pair in pairs_of(one):
            earlier = found.get(pair.key)
            if earlier is not None and earlier.same != pair.same:
                disputed.add(pair.key)
            if earlier is None or pair.n_judged > earlier.n_judged:
                found[pair.key] = pair
    return [found[key] for key in sorted(found.keys() - disputed)]


def pairs_as_csv(pairs: Iterable[Pair]) -> bytes:
    """Write pairs as CSV: ``same`` is 1 or 0, ``judged`` how many of the two a person judged."""
    rows = (pair.to_dict() | {"same": int(pair.same)} for pair in pairs)
    return _csv(_PAIR_COLUMNS, ([row[column] for column in _PAIR_COLUMNS] for row in rows))


def pairs_as_json_lines(pairs: Iterable[Pair]) -> bytes:
    """Write pairs as JSON Lines, one a line."""
    return _json_lines(pair.to_dict() for pair in pairs)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(columns)
    for row in rows:
        writer.writerow(guarded(cell) if isinstance(cell, str) else cell for cell in row)
    return stream.getvalue().encode("utf-8-sig", "replace")


def _json_lines(objects: Iterable[object]) -> bytes:
    lines = (json.dumps(one, ensure_ascii=False) for one in objects)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


@dataclass(frozen=True)
class Contradiction:
    """Two passages that are said to be of the same and of different subtopics.

    Parameters
    ----------
    first, second : str
        Ids of the passages, sorted.
    says_same, says_different : str
        Names of the saved corrections; the same name where two passages of the same words lie in
        two groups.
    told : Message
        One sentence.
    """

    query: str
    first: str
    second: str
    says_same: str
    says_different: str
    told: Message

    def to_dict(self) -> dict[str, str]:
        """Return it as ``corrections pairs --json`` prints it."""
        return {
            "query": self.query,
            "first": self.first,
            "second": self.second,
            "says_same": self.says_same,
            "says_different": self.says_different,
            "sentence": str(self.told),
        }


def contradictions(saved: Sequence[SavedCorrections]) -> list[Contradiction]:
    """List the pairs that corrections of the same query disagree about, and those within one.

    Returns
    -------
    list of Contradiction
        In the order of queries, ids and names.
    """
    found = [one for corrections in saved for one in _within(corrections)]
    seen: dict[tuple[str, str, str], list[tuple[Pair, str]]] = {}
    for corrections in saved:
        for pair in pairs_of(corrections):
            seen.setdefault(pair.key, []).append((pair, corrections.name))
    for told in seen.values():
        same = [name for pair, name in told if pair.same]
        different = [name for pair, name in told if not pair.same]
        if same and different:
            found.append(_between(told[0][0], same[0], different[0]))
    return sorted(found, key=lambda one: (one.query, one.first, one.second, one.says_same))


def _between(pair: Pair, same: str, different: str) -> Contradiction:
    told = Message(
        "For “{query}”, {one} puts {first} and {second} in one group, and {other} puts "
        "them in two.",
        query=pair.query,
        one=same,
        other=different,
        first=_called(pair.first),
        second=_called(pair.second),
    )
    return Contradiction(pair.query, pair.first.id, pair.second.id, same, different, told)


def _within(saved: SavedCorrections) -> Iterable[Contradiction]:
    by_text: dict[str, list[tuple[KeptPassage, KeptGroup]]] = {}
    for passage, group in saved.passages:
        if group.id != OTHER_PASSAGES and passage.judgement != "unsure":
            by_text.setdefault(" ".join(passage.text.split()), []).append((passage, group))
    for alike in by_text.values():
        (first, group), *others = sorted(alike, key=lambda one: one[0].id)
        for second, other in others:
            if other.id != group.id:
                told = Message(
                    "In {one}, {first} and {second} have the same words, and are in “{group}” and "
                    "in “{other}”.",
                    one=saved.name,
                    first=_called(first),
                    second=_called(second),
                    group=group.name,
                    other=other.name,
                )
                yield Contradiction(
                    saved.basis.query, first.id, second.id, saved.name, saved.name, told
                )


def _called(passage: KeptPassage) -> str:
    return f"“{passage.title}” ({passage.id})" if passage.title else passage.id


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
    """
    newest: dict[str, SavedCorrections] = {}
    told: list[Message] = []
    for one in sorted(saved, key=lambda one: (-one.saved, one.name)):
        newer = newest.setdefault(comparable(one.basis.query), one)
        if newer is not one:
            told.append(
                Message(
                    "{name} is about the same question as {newer}, which was saved later and "
                    "is used instead.",
                    name=one.name,
                    newer=newer.name,
                )
            )
    instances = []
    for one in sorted(newest.values(), key=lambda one: one.basis.query):
        passages, left_out = _training_passages(one, only_judged)
        if left_out:
            told.append(Message("{name}: left out {what}.", name=one.name, what=_counted(left_out)))
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


_LEFT_OUT = {
    "unsure": (N_("1 unsure passage"), N_("{count:,} unsure passages")),
    "other": (N_("1 of the other passages"), N_("{count:,} of the other passages")),
    "unjudged": (
        N_("1 passage that was not judged"),
        N_("{count:,} passages that were not judged"),
    ),
}


def _counted(left_out: Mapping[str, int]) -> Message:
    return joined(
        Message(forms[left_out[kind] != 1], count=left_out[kind])
        for kind, forms in _LEFT_OUT.items()
        if left_out[kind]
    )


def as_csv(instances: Sequence[ClusteringInstance]) -> bytes:
    """Write a labelled set as CSV, a passage a row, with the UTF-8 mark that spreadsheets need."""
    rows = (
        (instance.query.text, one.id, one.title, one.text, one.label or "")
        for instance in instances
        for one in instance.passages
    )
    return _csv(_SET_COLUMNS, rows)


def as_json_lines(instances: Sequence[ClusteringInstance]) -> bytes:
    """Write a labelled set as JSON Lines, a query a line."""
    return _json_lines(
        {
            "query": instance.query.text,
            "passages": [
                {"id": one.id, "title": one.title, "text": one.text, "label": one.label}
                for one in instance.passages
            ],
        }
        for instance in instances
    )


def _training_passages(
    saved: SavedCorrections, only_judged: bool
) -> tuple[list[Passage], Counter[str]]:
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
