"""How far an import is, and who is told of it while it goes on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Phase = Literal["reading", "encoding", "storing", "comparing"]


@dataclass(frozen=True)
class ImportProgress:
    """How far the import of one source is.

    Parameters
    ----------
    phase : {"reading", "encoding", "storing", "comparing"}
        Comparing is the search for near-duplicates at the end.
    n_documents : int
        Records or articles that were read.
    n_read : int
        Passages that were read to their end, and refused rows: encoded ones count once stored.
    n_encoded, n_stored : int
        Passages that this run has encoded, and that it has committed to the library.
    n_unchanged, n_refused : int
        As in `IngestReport`.
    n_total : int or None
        A guess at `n_read` at the end; None where nobody knows.
    """

    phase: Phase
    n_documents: int
    n_read: int
    n_encoded: int
    n_stored: int
    n_unchanged: int
    n_refused: int
    n_total: int | None


class ImportWatcher:
    """Is told of an import as it goes on; each method may raise `TrainingStopped` to end it.

    What was committed before stays in the library. This one does nothing.
    """

    def opened(self, there: Mapping[str, str]) -> None:
        """Hear which passages the library holds: the fingerprint of each id."""

    def told(self, at: ImportProgress) -> None:
        """Hear how far it is, often."""

    def storing(self, marks: Mapping[str, str]) -> None:
        """Hear what is about to be committed: the fingerprint of each id."""

    def stored(self, n_passages: int) -> None:
        """Hear that the passages of `storing` are on disk."""
