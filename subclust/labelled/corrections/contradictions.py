"""Where corrections cannot all be right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from subclust.core.records import OTHER_PASSAGES
from subclust.labelled.corrections.pairs import Pair, pairs_of
from subclust.labelled.corrections.saved import KeptGroup, KeptPassage, SavedCorrections
from subclust.labelled.corrections.told import Told

TWO_CORRECTIONS = (
    "For “{query}”, {one} has {first} and {second} in one group, and {other} in two groups."
)
SAME_TEXT = (
    "In {one}, {first} and {second} have the same words, and are in “{group}” and in “{other}”."
)


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
    told : Told
        One sentence.
    """

    query: str
    first: str
    second: str
    says_same: str
    says_different: str
    told: Told

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
    values = {
        "query": pair.query,
        "one": same,
        "other": different,
        "first": _called(pair.first),
        "second": _called(pair.second),
    }
    return Contradiction(
        pair.query, pair.first.id, pair.second.id, same, different, Told(TWO_CORRECTIONS, values)
    )


def _within(saved: SavedCorrections) -> Iterable[Contradiction]:
    by_text: dict[str, list[tuple[KeptPassage, KeptGroup]]] = {}
    for passage, group in saved.passages:
        if group.id != OTHER_PASSAGES and passage.judgement != "unsure":
            by_text.setdefault(" ".join(passage.text.split()), []).append((passage, group))
    for alike in by_text.values():
        (first, group), *others = sorted(alike, key=lambda one: one[0].id)
        for second, other in others:
            if other.id != group.id:
                values = {
                    "one": saved.name,
                    "first": _called(first),
                    "second": _called(second),
                    "group": group.name,
                    "other": other.name,
                }
                yield Contradiction(
                    saved.basis.query,
                    first.id,
                    second.id,
                    saved.name,
                    saved.name,
                    Told(SAME_TEXT, values),
                )


def _called(passage: KeptPassage) -> str:
    return f"“{passage.title}” ({passage.id})" if passage.title else passage.id
