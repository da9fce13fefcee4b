"""What became of everything that was read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from subclust.text.ingest.near_duplicates import NearDuplicates
from subclust.text.sources.base import Refusal

MOST_REFUSALS = 10_000
"""More are counted but not kept one by one."""


@dataclass(frozen=True)
class Mending:
    """What was put right in a record that was imported.

    Parameters
    ----------
    place : str
        Where the record is, as its owner would look for it.
    what : str
        A sentence.
    """

    place: str
    what: str


@dataclass(frozen=True)
class IngestReport:
    """The honest account of an import: ``n_read = n_imported + n_unchanged + n_refused``.

    Parameters
    ----------
    library : str
    n_read : int
        Passages and refused rows: everything the source had.
    n_imported : int
        Passages that are new in the library, or new in some part.
    n_unchanged : int
        Passages that were there already, word for word.
    n_refused : int
    refusals : tuple of Refusal
        The first `MOST_REFUSALS` of them, in order.
    n_documents : int
        Records or articles that the passages belong to.
    seconds : float
    n_mended : int
        Records in which something was put right; they are imported and not among the refused.
    mendings : tuple of Mending
        The first `MOST_REFUSALS` things that were put right, in order.
    near_duplicates : NearDuplicates
        Groups of near-duplicates in the library that what was read has a part in.
    reasons : mapping of str to int
        How often each reason to refuse something came, most frequent first.
    """

    library: str
    n_read: int
    n_imported: int
    n_unchanged: int
    n_refused: int
    refusals: tuple[Refusal, ...]
    n_documents: int
    seconds: float
    n_mended: int = 0
    mendings: tuple[Mending, ...] = ()
    near_duplicates: NearDuplicates = field(default_factory=NearDuplicates)
    reasons: Mapping[str, int] = field(default_factory=dict)

    def credited(self, n_passages: int) -> Self:
        """Count passages as imported that an earlier run of the same import had stored.

        Parameters
        ----------
        n_passages : int
            So many of those that were there already.
        """
        ours = min(n_passages, self.n_unchanged)
        return replace(self, n_imported=self.n_imported + ours, n_unchanged=self.n_unchanged - ours)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, without the library."""
        near = self.near_duplicates
        return {
            "n_documents": self.n_documents,
            "n_read": self.n_read,
            "n_imported": self.n_imported,
            "n_unchanged": self.n_unchanged,
            "n_refused": self.n_refused,
            "n_mended": self.n_mended,
            "reasons": dict(self.reasons),
            "refusals": [
                {
                    "place": r.place,
                    "field": r.field,
                    "reason": r.reason,
                    "advice": r.advice,
                    "excerpt": r.excerpt,
                }
                for r in self.refusals
            ],
            "mended": [{"place": one.place, "what": one.what} for one in self.mendings],
            "near_duplicates": {
                "n_groups": near.n_groups,
                "n_passages": near.n_passages,
                "groups": [list(group) for group in near.groups],
            },
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        """Say it in one line: how many, and why not all."""
        parts = [f"{self.n_read:,} read", f"{self.n_imported:,} imported"]
        if self.n_unchanged:
            parts.append(f"{self.n_unchanged:,} there already")
        parts.append(f"{self.n_refused:,} refused")
        if self.n_mended:
            parts.append(f"{self.n_mended:,} mended")
        return f"{self.library}: {', '.join(parts)}, in {self.seconds:.0f} s"
