"""What corrections say of pairs of passages: same subtopic, different ones, or both."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from subclust.core.messages import Message
from subclust.core.records import OTHER_PASSAGES
from subclust.core.storage.cells import guarded
from subclust.labelled.corrections.saved import KeptGroup, KeptPassage, SavedCorrections

_COLUMNS = ("query", "first_id", "second_id", "first_text", "second_text", "same", "judged")


@dataclass(frozen=True)
class Pair:
    """Two passages of a query, and what a person says of them.

    Parameters
    ----------
    query : str
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
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(_COLUMNS)
    for pair in pairs:
        row = pair.to_dict() | {"same": int(pair.same)}
        cells = (row[column] for column in _COLUMNS)
        writer.writerow(guarded(cell) if isinstance(cell, str) else cell for cell in cells)
    return stream.getvalue().encode("utf-8-sig", "replace")


def pairs_as_json_lines(pairs: Iterable[Pair]) -> bytes:
    """Write pairs as JSON Lines, one a line."""
    lines = (json.dumps(pair.to_dict(), ensure_ascii=False) for pair in pairs)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


@dataclass(frozen=True)
class Contradiction:
    """Two passages that are said to be of the same and of different subtopics.

    Parameters
    ----------
    query : str
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
        "For “{query}”, {one} has {first} and {second} in one group, and {other} in two groups.",
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
