"""Sentences with gaps, so that whoever shows one may show it in another language."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Told:
    """One sentence for a person.

    Parameters
    ----------
    template : str
        In English, with named placeholders.
    values : mapping of str to str or int
        What stands in their places.
    """

    template: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Write it in English."""
        return self.template.format(**self.values)
