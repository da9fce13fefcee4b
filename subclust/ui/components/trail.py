"""Where a visitor dug in: the steps from a question to the group that is looked at alone."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from subclust.core.records import MAX_QUESTION
from subclust.ui.components.address import whole_number

MARK_LENGTH = 5
"""Characters that stand for a passage's id in an address; 30 bits, so that two of 500 hits share
theirs once in ten thousand times."""

MAX_STEPS = 6
"""Steps that an address is read to; further ones are dropped."""

_SEPARATOR = "|"
_MARKS = re.compile(rf"(?:[A-Za-z0-9_-]{{{MARK_LENGTH}}})*")


@dataclass(frozen=True)
class Step:
    """One step into a group, with what leads back.

    Parameters
    ----------
    name : str
        Of the group that was taken up.
    query : str
        Asked before.
    n_clusters : int or "auto"
        Asked for before.
    marks : tuple of str
        Of the group's passages (see `mark_of`), where it was grouped alone; empty where its name
        was added to the question.
    """

    name: str
    query: str
    n_clusters: int | Literal["auto"] = "auto"
    marks: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Write the step as one value of an address."""
        parts = (str(self.n_clusters), _guarded(self.query), _guarded(self.name))
        return _SEPARATOR.join((*parts, "".join(self.marks)))


def read_trail(values: Iterable[str], max_groups: int) -> tuple[Step, ...]:
    """Read the steps of an address, up to the first that cannot be read."""
    steps: list[Step] = []
    for value in values:
        parts = value.split(_SEPARATOR)
        if len(parts) != 4 or len(steps) == MAX_STEPS or not _MARKS.fullmatch(parts[3]):
            break
        groups, query, name, joined = parts
        n_clusters: int | Literal["auto"] = whole_number(groups, 2, max_groups) or "auto"
        marks = [joined[at : at + MARK_LENGTH] for at in range(0, len(joined), MARK_LENGTH)]
        query = _plain(query)[:MAX_QUESTION]
        steps.append(Step(_plain(name), query, n_clusters, tuple(marks)))
    return tuple(steps)


def mark_of(passage_id: str) -> str:
    """Shorten a passage's id for an address; the same id always gives the same mark."""
    digest = blake2b(passage_id.encode(), digest_size=6).digest()
    return urlsafe_b64encode(digest).decode()[:MARK_LENGTH]


def marks_of(passage_ids: Iterable[str]) -> tuple[str, ...]:
    """Shorten ids, in an order that is the same whatever order they come in."""
    return tuple(sorted(mark_of(one) for one in passage_ids))


def _guarded(text: str) -> str:
    return text.replace("%", "%25").replace(_SEPARATOR, "%7C")


def _plain(text: str) -> str:
    return text.replace("%7C", _SEPARATOR).replace("%25", "%")
