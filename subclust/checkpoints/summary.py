"""What a checkpoint is, in the facts that people choose by; read without its weights."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from subclust.checkpoints.judged import judgement_of
from subclust.checkpoints.store import CheckpointStore
from subclust.core.exceptions import CheckpointNotFoundError


@dataclass(frozen=True)
class CheckpointSummary:
    """One version of a method's trained model.

    Parameters
    ----------
    method, name : str
    promoted : bool
        Whether its method uses it unless told otherwise.
    default : bool
        Whether its method is the default method too.
    scores : mapping of str to float
        Measured on held-out queries when it was trained.
    parent : str or None
        ``METHOD/NAME`` that its training started from, which need not be there any more.
    parent_kept : bool
        Whether that one is there.
    training_data : sequence of mappings
        ``name``, ``sha256``, ``n_queries``, ``n_passages``, ``licence``, and ``version`` where
        there are versions.
    size : int
        Bytes of its files.
    created, imported : str or None
        When it was made, and taken from an archive, in UTC by ISO 8601; None where it is not told.
    shipped : bool
        Whether it came with the project.
    hides_shipped : bool
        Whether it was made here and takes the place of one of that name that came with the project.
    judgement : mapping
        How it compares with the one before it; empty where that was not measured.
    """

    method: str
    name: str
    promoted: bool
    default: bool
    scores: Mapping[str, float]
    parent: str | None = None
    parent_kept: bool = False
    training_data: Sequence[Mapping[str, Any]] = ()
    size: int = 0
    created: str | None = None
    imported: str | None = None
    shipped: bool = False
    hides_shipped: bool = False
    judgement: Mapping[str, Any] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Its ``METHOD/NAME``."""
        return f"{self.method}/{self.name}"

    def to_dict(self) -> dict[str, Any]:
        """Return all facts as one object for JSON."""
        return {**asdict(self), "training_data": [dict(one) for one in self.training_data]}


def summarise(store: CheckpointStore, method: str, name: str) -> CheckpointSummary:
    """Collect the facts of a checkpoint.

    Raises
    ------
    CheckpointNotFoundError
        If it does not exist.
    """
    folder = store.place(method, name)
    card = store.card(method, name)
    promoted = store.promoted(method) == name
    try:
        default = promoted and store.default_method() == method
    except CheckpointNotFoundError:
        default = False
    parent = store.parent(method, name)
    other, _, its_name = (parent or "/").partition("/")
    data = card.get("training_data")
    scores = card.get("scores")
    return CheckpointSummary(
        method,
        name,
        promoted,
        default,
        dict(scores) if isinstance(scores, Mapping) else {},
        parent=parent,
        parent_kept=bool(parent) and its_name in _names(store, other),
        training_data=[one for one in data if isinstance(one, Mapping)]
        if isinstance(data, list)
        else [],
        size=sum(file.stat().st_size for file in folder.iterdir() if file.is_file()),
        created=_told(card, "created"),
        imported=_told(card, "imported"),
        shipped=store.is_shipped(method, name),
        hides_shipped=store.hides_shipped(method, name),
        judgement=judgement_of(card),
    )


def summaries(store: CheckpointStore, method: str) -> list[CheckpointSummary]:
    """Collect those of all checkpoints of a method, the newest first, then by name.

    The order does not follow what is in use, so that a list does not jump when that changes.
    """
    found = [summarise(store, method, name) for name in store.names(method)]
    return sorted(found, key=lambda one: one.imported or one.created or "", reverse=True)


def _names(store: CheckpointStore, method: str) -> list[str]:
    return store.names(method) if method in store.methods() else []


def _told(card: Mapping[str, Any], key: str) -> str | None:
    return str(card[key]) if card.get(key) else None
