"""What became of a source: the account of an import in records and in passages."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from subclust.core.messages import Message, joined
from subclust.text.ingest.near_duplicates import NearDuplicates
from subclust.text.sources.base import Refusal
from subclust.text.sources.decoding import Decoding

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
    """The honest account of an import, in records.

    ``n_read = n_imported + n_unchanged + n_merged + n_refused``.

    Parameters
    ----------
    library : str
    n_read : int
        Records, articles and refused rows: everything the source had.
    n_imported : int
        Records that are new in the library, or new in some part.
    n_unchanged : int
        Records that were there already, word for word.
    n_refused : int
    refusals : tuple of Refusal
        The first `MOST_REFUSALS` of them, in order.
    n_documents : int
        Records that are in the library now: those imported and those unchanged.
    seconds : float
    n_changed : int
        Of those imported, records that the library had with other words or fields.
    n_merged : int
        Records that the source had before; what they had besides is with the first one.
    n_passages, n_passages_imported : int
        Into which those records are cut, and those of them that are new, or new in some part.
    n_mended : int
        Records in which something was put right; they are imported and not among the refused.
    mendings : tuple of Mending
        The first `MOST_REFUSALS` things that were put right, in order.
    near_duplicates : NearDuplicates
        Groups of near-duplicates in the library that what was read has a part in.
    reasons : mapping of str to int
        How often each reason to refuse something came, most frequent first.
    decoding : Decoding or None
        How the letters of the file were read; None where that is no question.
    """

    library: str
    n_read: int
    n_imported: int
    n_unchanged: int
    n_refused: int
    refusals: tuple[Refusal, ...]
    n_documents: int
    seconds: float
    n_changed: int = 0
    n_merged: int = 0
    n_passages: int = 0
    n_passages_imported: int = 0
    n_mended: int = 0
    mendings: tuple[Mending, ...] = ()
    near_duplicates: NearDuplicates = field(default_factory=NearDuplicates)
    reasons: Mapping[str, int] = field(default_factory=dict)
    decoding: Decoding | None = None

    def credited(self, n_records: int, n_passages: int) -> Self:
        """Count as imported what an earlier run of the same import had stored.

        Parameters
        ----------
        n_records, n_passages : int
            So many of those that were there already.
        """
        ours = max(0, min(n_records, self.n_unchanged))
        there = self.n_passages - self.n_passages_imported
        return replace(
            self,
            n_imported=self.n_imported + ours,
            n_unchanged=self.n_unchanged - ours,
            n_passages_imported=self.n_passages_imported + max(0, min(n_passages, there)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, without the library."""
        names = [name for name in vars(self) if name.startswith("n_")]
        near = self.near_duplicates
        return {
            **{name: getattr(self, name) for name in names},
            "reasons": dict(self.reasons),
            "refusals": [{**vars(one), "original": dict(one.original)} for one in self.refusals],
            "mended": [dict(vars(one)) for one in self.mendings],
            "near_duplicates": {**vars(near), "groups": [list(group) for group in near.groups]},
            "seconds": round(self.seconds, 3),
            **(self.decoding or Decoding("")).to_dict(),
        }

    def __str__(self) -> str:
        """Return the counts in one line."""
        counts = counts_in_words(self)
        return Message(
            "{library}: {counts}, in {seconds:.0f} s"
            if self.n_passages_imported in (0, self.n_imported)
            else "{library}: {counts}, as {n_passages_imported:,} passages, in {seconds:.0f} s",
            **vars(self),
            counts=counts,
        )


def counts_in_words(counts: Any) -> Message:
    """Return what an import or harvest has read, and why not all of it was imported."""
    parts = [
        Message(
            "1 record read" if counts.n_read == 1 else "{n_read:,} records read", **vars(counts)
        ),
        Message("{n_imported:,} imported", **vars(counts)),
    ]
    if counts.n_unchanged:
        parts.append(Message("{n_unchanged:,} already there", **vars(counts)))
    if counts.n_merged:
        parts.append(Message("{n_merged:,} duplicates", **vars(counts)))
    parts.append(Message("{n_refused:,} rejected", **vars(counts)))
    if counts.n_mended:
        parts.append(Message("{n_mended:,} repaired", **vars(counts)))
    return joined(parts)


def kind_of(reason: str) -> str:
    """Return a reason without what is particular to one record, to count equal ones."""
    plain = re.sub(r"\s*\(.*\)|: .*(?=\.$)", "", reason, flags=re.DOTALL)
    return re.sub(r"(?<!MARC )\b\d+(?:[,.]\d+)*", "n", plain)
