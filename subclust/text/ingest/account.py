"""What is counted and told of a source while it is read."""

from collections import Counter
from dataclasses import replace

from subclust.core.messages import Message
from subclust.core.storage.spilling import SpillingDict
from subclust.text.ingest.near_duplicates import NearDuplicates
from subclust.text.ingest.report import MOST_REFUSALS, IngestReport, Mending, kind_of
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.decoding import Decoding

_MOST_REASONS = 50
OTHER_REASONS = "Other reasons."

_MOST_ORIGINALS = 4 << 20
"""Characters of refused records that an account keeps to be mended; it is written many times."""


class Account:
    """The counts of a reading, what it refused and what it put right.

    Attributes
    ----------
    seen : SpillingDict
        The ids of passages that were read.
    unchanged : SpillingDict
        Ids under which the library holds passages that were read, word for word.
    refusals, mendings : list
        The first `MOST_REFUSALS` of them, in order.
    reasons : Counter
    n_unidentified : int
        Refused records of which nobody can tell the ids.
    n_imported, n_changed, n_unchanged, n_merged, n_refused, n_mended : int
        Records, as in `IngestReport`.
    n_documents : int
        Records that were read and not refused.
    decoding : Decoding or None
        How the letters of the file were read; known at its end.
    """

    def __init__(self) -> None:
        self.seen = SpillingDict()
        self.unchanged = SpillingDict()
        self.refusals: list[Refusal] = []
        self.mendings: list[Mending] = []
        self.reasons: Counter[str] = Counter()
        self.n_unidentified = 0
        self.n_documents = self.n_refused = self.n_mended = self.n_merged = 0
        self.n_imported = self.n_changed = self.n_unchanged = 0
        self.decoding: Decoding | None = None
        self._n_original = 0

    @property
    def n_read(self) -> int:
        """Count the records and refused rows whose end is known."""
        return self.n_imported + self.n_unchanged + self.n_merged + self.n_refused

    def report(
        self, library: str, seconds: float, *, near_duplicates: NearDuplicates | None = None
    ) -> IngestReport:
        """Return the account of an import, once all of it was read and stored."""
        n_passages, n_there = len(self.seen), len(self.unchanged)
        return IngestReport(
            library=library,
            n_read=self.n_read,
            n_imported=self.n_imported,
            n_unchanged=self.n_unchanged,
            n_refused=self.n_refused,
            refusals=tuple(self.refusals),
            n_documents=self.n_imported + self.n_unchanged,
            seconds=seconds,
            n_changed=self.n_changed,
            n_merged=self.n_merged,
            n_passages=n_passages,
            n_passages_imported=n_passages - n_there,
            n_mended=self.n_mended,
            mendings=tuple(self.mendings),
            near_duplicates=near_duplicates or NearDuplicates(),
            reasons=dict(self.reasons.most_common()),
            decoding=self.decoding,
        )

    def remark(self, document: Document, what: str) -> None:
        """Note what was put right in a record."""
        if len(self.mendings) < MOST_REFUSALS:
            place = document.place or Message("record {number}", number=document.id)
            self.mendings.append(Mending(place, what))

    def refuse(self, refusal: Refusal) -> None:
        """Note a record that was refused."""
        self.n_refused += 1
        self.n_unidentified += refusal.ids is None
        kind = kind_of(refusal.reason)
        # Kinds of reasons are few; files in which each is different must not fill the memory.
        known = kind in self.reasons or len(self.reasons) < _MOST_REASONS
        self.reasons[kind if known else OTHER_REASONS] += 1
        if len(self.refusals) < MOST_REFUSALS:
            self._n_original += sum(map(len, refusal.original.values()))
            if self._n_original > _MOST_ORIGINALS:
                refusal = replace(refusal, original={})
            self.refusals.append(refusal)
