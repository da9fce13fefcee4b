"""What became of everything that was read."""

from dataclasses import dataclass

from subclust.sources.base import Refusal

MOST_REFUSALS = 10_000
"""More are counted but not kept one by one."""


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
    """

    library: str
    n_read: int
    n_imported: int
    n_unchanged: int
    n_refused: int
    refusals: tuple[Refusal, ...]
    n_documents: int
    seconds: float

    def __str__(self) -> str:
        """Say it in one line."""
        parts = [f"{self.n_read:,} read", f"{self.n_imported:,} imported"]
        if self.n_unchanged:
            parts.append(f"{self.n_unchanged:,} there already")
        parts.append(f"{self.n_refused:,} refused")
        return f"{self.library}: {', '.join(parts)}, in {self.seconds:.0f} s"
