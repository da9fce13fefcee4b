"""What a checkpoint is, in the facts that people choose by; read without its weights."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from subclust.checkpoints.card import MEASURES, judged_methods, judgement_of, measured_on
from subclust.checkpoints.store import CheckpointStore
from subclust.core.exceptions import CheckpointNotFoundError

_SAME_QUESTIONS = ("validation_share", "seed", "granularity", "validation_queries")


@dataclass(frozen=True)
class CheckpointSummary:
    """One version of a method's trained model.

    Parameters
    ----------
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


def compare_checkpoints(
    store: CheckpointStore, first: tuple[str, str], second: tuple[str, str]
) -> dict[str, Any]:
    """Compare two checkpoints by their cards and configurations, without their weights.

    Parameters
    ----------
    first, second : tuple of str
        Method and name.

    Returns
    -------
    dict
        ``first`` and ``second`` (their summaries), ``differences`` (rows of ``field``, ``first``
        and ``second``, each None where it is missing), ``scores`` (rows of ``score``, ``first``,
        ``second`` and ``difference``, second less first), ``same_data``: whether both were
        trained on the same files with the same share held out, so that the scores may be compared,
        and ``judged``: what was measured of both on the same queries when one of them was judged
        (``measured_on``, in words, and ``scores`` as above), or None.

    Raises
    ------
    CheckpointNotFoundError
        If one of them does not exist.
    """
    summary = (summarise(store, *first), summarise(store, *second))
    facts = tuple(_facts(store, one) for one in summary)
    scores = tuple(one.scores for one in summary)
    return {
        "first": summary[0].to_dict(),
        "second": summary[1].to_dict(),
        "same_data": _same_data(store, summary),
        "judged": _judged(store, summary),
        "scores": _rows(*scores),
        "differences": [
            {"field": name, "first": facts[0].get(name), "second": facts[1].get(name)}
            for name in {**facts[0], **facts[1]}
            if facts[0].get(name) != facts[1].get(name)
        ],
    }


def _rows(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "score": name,
            "first": first.get(name),
            "second": second.get(name),
            "difference": _difference(first.get(name), second.get(name)),
        }
        for name in {**first, **second}
    ]


def _judged(
    store: CheckpointStore, both: tuple[CheckpointSummary, CheckpointSummary]
) -> dict[str, Any] | None:
    """Take from either's judgement what it measured of both; the second's counts first."""
    names = [f"{one.method}/{one.name}" for one in both]
    for one in reversed(both):
        judgement = judgement_of(store.card(one.method, one.name))
        measured = {row["name"]: row for row in judged_methods(judgement)}
        if all(name in measured for name in names):
            first, second = (
                {MEASURES[key]: measured[name][key] for key in MEASURES} for name in names
            )
            return {
                "measured_on": measured_on(judgement),
                "scores": _rows(first, second),
            }
    return None


def _facts(store: CheckpointStore, summary: CheckpointSummary) -> dict[str, Any]:
    card = store.card(summary.method, summary.name)
    return {
        "method": summary.method,
        "created": summary.created,
        "parent": summary.parent,
        "size": summary.size,
        "data": ", ".join(_data_name(one) for one in summary.training_data) or None,
        "encoder": card.get("encoder"),
        **_flat("config", store.config(summary.method, summary.name)),
        **_flat("training", card.get("training")),
    }


def _data_name(data: Mapping[str, Any]) -> str:
    """Name a labelled set with its version and the beginning of its sha256."""
    version = f"@{data['version']}" if data.get("version") else ""
    digest = f" ({str(data['sha256'])[:12]})" if data.get("sha256") else ""
    return f"{data.get('set') or data.get('name', 'unnamed')}{version}{digest}"


def _flat(prefix: str, value: object) -> dict[str, Any]:
    """Return each value inside nested mappings a name with dots."""
    if not isinstance(value, Mapping):
        return {} if value is None else {prefix: value}
    found: dict[str, Any] = {}
    for key, inner in value.items():
        found |= _flat(f"{prefix}.{key}", inner)
    return found


def _difference(first: object, second: object) -> float | None:
    if isinstance(first, int | float) and isinstance(second, int | float):
        return float(second) - float(first)
    return None


def _same_data(store: CheckpointStore, both: tuple[CheckpointSummary, CheckpointSummary]) -> bool:
    def said(one: CheckpointSummary) -> tuple[object, ...]:
        training = store.card(one.method, one.name).get("training")
        told = training if isinstance(training, Mapping) else {}
        files = sorted(str(data.get("sha256")) for data in one.training_data)
        held_out = one.scores.get("validation_queries")
        return files, held_out, *(told.get(key) for key in _SAME_QUESTIONS)

    return bool(both[0].training_data) and said(both[0]) == said(both[1])
