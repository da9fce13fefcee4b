"""Two checkpoints side by side: where they differ, and their scores."""

from collections.abc import Mapping
from typing import Any

from subclust.checkpoints.store import CheckpointStore
from subclust.checkpoints.summary import CheckpointSummary, summarise

_SAME_QUESTIONS = ("validation_share", "seed", "granularity", "validation_queries")


def compare_checkpoints(
    store: CheckpointStore, first: tuple[str, str], second: tuple[str, str]
) -> dict[str, Any]:
    """Compare two checkpoints by their cards and configurations, without their weights.

    Parameters
    ----------
    store : CheckpointStore
    first, second : tuple of str
        Method and name.

    Returns
    -------
    dict
        ``first`` and ``second`` (their summaries), ``differences`` (rows of ``field``, ``first``
        and ``second``, each None where it is missing), ``scores`` (rows of ``score``, ``first``,
        ``second`` and ``difference``, second less first), and ``same_data``: whether both were
        trained on the same files with the same share held out, so that the scores may be compared.

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
        "scores": [
            {
                "score": name,
                "first": scores[0].get(name),
                "second": scores[1].get(name),
                "difference": _difference(scores[0].get(name), scores[1].get(name)),
            }
            for name in {**scores[0], **scores[1]}
        ],
        "differences": [
            {"field": name, "first": facts[0].get(name), "second": facts[1].get(name)}
            for name in {**facts[0], **facts[1]}
            if facts[0].get(name) != facts[1].get(name)
        ],
    }


def _facts(store: CheckpointStore, summary: CheckpointSummary) -> dict[str, Any]:
    card = store.card(summary.method, summary.name)
    return {
        "method": summary.method,
        "created": summary.created,
        "parent": summary.parent,
        "size": summary.size,
        "data": ", ".join(data_name(one) for one in summary.training_data) or None,
        "encoder": card.get("encoder"),
        **_flat("config", store.config(summary.method, summary.name)),
        **_flat("training", card.get("training")),
    }


def data_name(data: Mapping[str, Any]) -> str:
    """Name a labelled set with its version and the beginning of its sha256."""
    version = f"@{data['version']}" if data.get("version") else ""
    digest = f" ({str(data['sha256'])[:12]})" if data.get("sha256") else ""
    return f"{data.get('set') or data.get('name', 'unnamed')}{version}{digest}"


def _flat(prefix: str, value: object) -> dict[str, Any]:
    """Give each value inside nested mappings a name with dots."""
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
