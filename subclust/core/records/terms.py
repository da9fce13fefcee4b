"""A library's own list of preferred terms."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Term:
    """A preferred term.

    Parameters
    ----------
    label : str
        As it is to be shown.
    id : str
        Its address or number; of a plain list the label.
    others : tuple of str
        Words that stand for it, none of which is shown.
    """

    label: str
    id: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vocabulary:
    """Preferred terms, in the order of their file.

    Parameters
    ----------
    terms : tuple of Term
    """

    terms: tuple[Term, ...] = ()

    def id_of(self, name: str) -> str | None:
        """Return the id of the term that a name is, capitals aside; None where it is none."""
        return self._ids.get(name.casefold())

    @cached_property
    def _ids(self) -> dict[str, str]:
        return {term.label.casefold(): term.id for term in reversed(self.terms)}
