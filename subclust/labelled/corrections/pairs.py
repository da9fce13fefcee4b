"""What corrections say of pairs of passages: same subtopic, or different ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from subclust.core.records import OTHER_PASSAGES
from subclust.labelled.corrections.saved import KeptPassage, SavedCorrections


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
