"""Two checkpoints side by side: where they differ, and their scores."""

from collections.abc import Mapping
from typing import Any

from subclust.checkpoints.judged import MEASURES, PARTS, judged_methods, judgement_of
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
            part = PARTS.get(str(judgement.get("part")), PARTS["given"])
            number = judgement.get("n_queries")
            return {
                "measured_on": f"{number} {part}" if number else part,
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
