"""A way in which hits divide, and what it is called."""

from dataclasses import dataclass
from typing import Any

from subclust.core.messages import N_, Message
from subclust.pipeline.ways.fields import FIELDS
from subclust.pipeline.ways.kinds import CALLED

FIELD = "field:"
"""Before the name of a field in the key of its way."""

_SHOWN = 3

_TEMPLATES = {"subjects": N_("by subject ({names})"), "aspects": N_("by aspect ({names})")}


@dataclass(frozen=True)
class Way:
    """A way in which the hits of a question divide.

    Parameters
    ----------
    key : str
        Stands for it in addresses and commands: ``"subjects"``, ``"field:year"``. With the same
        hits it is the same way.
    kind : str
        What the names of its groups have in common, see `kind_of`; empty where that is nothing
        known, or a field says it.
    names : tuple of str
        Of its largest groups.
    sizes : tuple of int
        Of all groups, largest first.
    clarity : float
        How surely the words of a hit tell its group: at most 1, 0 is chance.
    """

    key: str
    kind: str
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    clarity: float

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.sizes)

    @property
    def text(self) -> Message:
        """What it is called: "by country", or "by topic (Economy, History, …)"."""
        field = self.key.removeprefix(FIELD)
        if field != self.key and not self.kind:
            return Message(FIELDS.get(field, N_("by {field}")), field=field)
        if self.kind in CALLED:
            return Message(CALLED[self.kind])
        names = ", ".join([*self.names[:_SHOWN], *(["…"] if self.n_groups > _SHOWN else [])])
        return Message(_TEMPLATES.get(self.key, N_("by topic ({names})")), names=names)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``search --ways --json`` prints of it."""
        return {
            "key": self.key,
            "text": str(self.text),
            "kind": self.kind,
            "names": list(self.names),
            "sizes": list(self.sizes),
            "clarity": round(self.clarity, 6),
        }
