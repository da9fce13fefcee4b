"""What an import reads of one source: new passages in batches, and an account of all the rest."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from subclust.core.messages import Message, joined
from subclust.core.records import Passage
from subclust.text.ingest.known import KnownPassages
from subclust.text.ingest.near_duplicates import NearDuplicates
from subclust.text.library.schema import fingerprint
from subclust.text.sources.base import Document, Refusal, Source
from subclust.text.sources.decoding import Decoding
from subclust.text.sources.record import excerpt

MOST_REFUSALS = 10_000
"""More are counted but not kept one by one."""

Batch = list[tuple[Passage, str]]
"""Passages that are new, or new in some part, each with the text that is encoded of it."""

_MOST_REASONS = 50
OTHER_REASONS = "Other reasons."


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
    n_mended: int = 0
    mendings: tuple[Mending, ...] = ()
    near_duplicates: NearDuplicates = field(default_factory=NearDuplicates)
    reasons: Mapping[str, int] = field(default_factory=dict)
    decoding: Decoding | None = None

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
        names = "n_documents n_read n_imported n_unchanged n_refused n_mended".split()
        near = self.near_duplicates
        return {
            **{name: getattr(self, name) for name in names},
            "reasons": dict(self.reasons),
            "refusals": [dict(vars(one)) for one in self.refusals],
            "mended": [dict(vars(one)) for one in self.mendings],
            "near_duplicates": {**vars(near), "groups": [list(group) for group in near.groups]},
            "seconds": round(self.seconds, 3),
            **(self.decoding or Decoding("")).to_dict(),
        }

    def __str__(self) -> str:
        """Return the counts in one line."""
        counts = counts_in_words(self)
        return Message("{library}: {counts}, in {seconds:.0f} s", **vars(self), counts=counts)


def counts_in_words(counts: Any) -> Message:
    """Return what an import or harvest has read, and why not all of it was imported."""
    parts = [
        Message("{n_read:,} read", **vars(counts)),
        Message("{n_imported:,} imported", **vars(counts)),
    ]
    if counts.n_unchanged:
        parts.append(Message("{n_unchanged:,} there already", **vars(counts)))
    parts.append(Message("{n_refused:,} refused", **vars(counts)))
    if counts.n_mended:
        parts.append(Message("{n_mended:,} mended", **vars(counts)))
    return joined(parts)


def encoded_text(document: Document, passage: Passage) -> str:
    """Choose what is encoded of a passage.

    A record is one passage and its title says what it is about, so both are encoded; the title of
    an article is the same for all of its passages and would only make them alike.
    """
    if len(document.passages) == 1 and passage.title and passage.title != passage.text:
        return f"{passage.title}. {passage.text}"
    return passage.text


class Reading:
    """One reading of a source, which is the same wherever it is done.

    Parameters
    ----------
    source : iterable of Document and Refusal
    there : KnownPassages, optional
        What the library holds; such passages are not given.

    Attributes
    ----------
    seen : dict of str to str
        The fingerprint of each id that was read.
    waiting : list
        The batch that is being filled.
    unchanged : list of str
        Ids under which the library holds passages that were read, word for word.
    refusals, mendings : list
        The first `MOST_REFUSALS` of them, in order.
    reasons : Counter
    n_documents, n_refused, n_mended : int
    n_new, n_there : int
        Documents that bring new passages, and those that are there already as a whole.
    """

    def __init__(
        self, source: Iterable[Document | Refusal], there: KnownPassages | None = None
    ) -> None:
        self.source = source
        self.there = there or KnownPassages()
        self.seen: dict[str, str] = {}
        self.waiting: Batch = []
        self.unchanged: list[str] = []
        self.refusals: list[Refusal] = []
        self.mendings: list[Mending] = []
        self.reasons: Counter[str] = Counter()
        self.n_documents = self.n_refused = self.n_mended = self.n_new = self.n_there = 0

    @property
    def n_unchanged(self) -> int:
        """Count the passages that are there already."""
        return len(self.unchanged)

    def batches(
        self, batch_size: int, looked: Callable[[], object] = lambda: None
    ) -> Iterator[Batch]:
        """Read to the end.

        Parameters
        ----------
        batch_size : int
            Passages of each batch but the last, at least 1.
        looked : callable
            Called before each record.
        """
        for item in self.source:
            looked()
            if isinstance(item, Refusal):
                self._refuse(item)
                continue
            self.n_documents += 1
            self._note(item)
            is_new, n_there = False, self.n_unchanged
            for passage in item.passages:
                is_new |= self._take(item, passage)
                if len(self.waiting) >= batch_size:
                    yield self._given()
            self.n_new += is_new
            self.n_there += not is_new and self.n_unchanged > n_there
        if self.waiting:
            yield self._given()

    def report(
        self,
        library: str,
        n_imported: int,
        seconds: float,
        *,
        near_duplicates: NearDuplicates | None = None,
    ) -> IngestReport:
        """Return the account of an import, once all of it was read and stored.

        Parameters
        ----------
        library : str
        n_imported : int
            Passages of the batches.
        seconds : float
        near_duplicates : NearDuplicates, optional
        """
        return IngestReport(
            library=library,
            n_read=n_imported + self.n_unchanged + self.n_refused,
            n_imported=n_imported,
            n_unchanged=self.n_unchanged,
            n_refused=self.n_refused,
            refusals=tuple(self.refusals),
            n_documents=self.n_documents,
            seconds=seconds,
            n_mended=self.n_mended,
            mendings=tuple(self.mendings),
            near_duplicates=near_duplicates or NearDuplicates(),
            reasons=dict(self.reasons.most_common()),
            decoding=self.source.decoding if isinstance(self.source, Source) else None,
        )

    def _given(self) -> Batch:
        batch, self.waiting = self.waiting, []
        return batch

    def _take(self, document: Document, passage: Passage) -> bool:
        """Choose what becomes of a passage; True where the library has it to get."""
        mark = fingerprint(passage)
        earlier = self.seen.get(passage.id)
        if earlier is not None:
            again = earlier == mark
            self._refuse(
                Refusal(
                    document.place or Message("record {number}", number=passage.id),
                    "It is in the source twice, word for word."
                    if again
                    else "Another record of the source has the same id; the first one counts.",
                    "Nothing needs to be done." if again else "Give each record an id of its own.",
                    "id",
                    excerpt(f"{passage.id}: {passage.title}"),
                )
            )
            return False
        self.seen[passage.id] = mark
        held = self.there.held(passage, mark)
        if held is not None:
            self.unchanged.append(held)
            return False
        self.waiting.append((passage, encoded_text(document, passage)))
        return True

    def _note(self, document: Document) -> None:
        self.n_mended += bool(document.mended)
        for what in document.mended:
            if len(self.mendings) < MOST_REFUSALS:
                self.mendings.append(Mending(document.place, what))

    def _refuse(self, refusal: Refusal) -> None:
        self.n_refused += 1
        kind = kind_of(refusal.reason)
        # Reasons are few; where each is another one, it is the last kind that tells it.
        known = kind in self.reasons or len(self.reasons) < _MOST_REASONS
        self.reasons[kind if known else OTHER_REASONS] += 1
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(refusal)


def kind_of(reason: str) -> str:
    """Return a reason without what is particular to one record, to count equal ones."""
    plain = re.sub(r"\s*\(.*\)|: .*(?=\.$)", "", reason, flags=re.DOTALL)
    return re.sub(r"(?<!MARC )\b\d+(?:[,.]\d+)*", "n", plain)
