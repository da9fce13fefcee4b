"""What a card says of how a checkpoint compares with the one before it, in rows for people."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from subclust.core.messages import with_messages

VERDICTS = {"better": "better", "worse": "worse", "unclear": "no clear difference"}
"""Words for the verdicts of a judgement."""

PARTS = {
    "test": "test queries, which took no part in training",
    "validation": "validation queries, which also decided when training stopped",
    "folds": "held-out queries, each grouped by a model that was not trained on it",
    "given": "labelled queries",
}
"""Words for the queries that a judgement rests on."""

ROLES = {
    "new": "this model",
    "base": "what it is to replace",
    "default": "what was in use",
    "baseline": "learns nothing",
}

MEASURES = {
    "ari": "ARI",
    "ami": "AMI",
    "auto_ari": "ARI, own number",
    "auto_ami": "AMI, own number",
}
"""Short names of what was measured: with the true number of groups, and with the method's own."""


def judgement_of(card: Mapping[str, Any]) -> dict[str, Any]:
    """Take the judgement that was made here from a card; empty where there is none."""
    found = card.get("judgement")
    return dict(with_messages(dict(found))) if isinstance(found, Mapping) else {}


def judgement_rows(judgement: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Write the verdict and what it rests on as rows of two; what is not told has no row.

    Parameters
    ----------
    judgement : mapping
        As it is kept in a card: ``verdict``, ``base``, ``part``, ``n_queries`` and ``comparisons``,
        of which the first gives the verdict: ``mean_difference``, ``low`` and ``high`` (of its
        interval at ``level``), ``p_value``, ``helps`` and ``hurts``.
    """
    rows = []
    verdict = judgement.get("verdict")
    if isinstance(verdict, str):
        rows.append(("Verdict", VERDICTS.get(verdict, verdict)))
    if judgement.get("base"):
        rows.append(("Compared with", str(judgement["base"])))
    if is_number(judgement.get("n_queries")):
        kind = PARTS.get(str(judgement.get("part")), PARTS["given"])
        rows.append(("Measured on", f"{judgement['n_queries']:,} {kind}"))
    first = next(iter(_list(judgement.get("comparisons"))), {})
    if is_number(first.get("mean_difference")):
        rows.append(("Mean difference in ARI", f"{first['mean_difference']:+.3f}"))
    if is_number(first.get("low")) and is_number(first.get("high")):
        level = first["level"] if is_number(first.get("level")) else 0.95
        rows.append((f"{level:.0%} interval", f"{first['low']:+.3f} to {first['high']:+.3f}"))
    if is_number(first.get("p_value")):
        p = first["p_value"]
        rows.append(("p-value", f"{p:.3f}" if p >= 0.001 else "below 0.001"))
    if is_number(first.get("helps")) and is_number(first.get("hurts")):
        rows.append(("Queries", f"helps {first['helps']:,}, hurts {first['hurts']:,}"))
    return rows


def judged_methods(judgement: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the methods that were measured, with their mean scores.

    Parameters
    ----------
    judgement : mapping
        ``methods`` is a list of ``{"role", "name", "means": {MEASURE: number or None}}``.

    Returns
    -------
    list of dict
        ``role`` in words, ``name``, and a number or None for each of `MEASURES`.
    """
    rows = []
    for method in _list(judgement.get("methods")):
        means = method.get("means")
        means = means if isinstance(means, Mapping) else {}
        rows.append(
            {
                "role": ROLES.get(str(method.get("role")), ""),
                "name": str(method.get("name", "")),
                **{
                    measure: means.get(measure) if is_number(means.get(measure)) else None
                    for measure in MEASURES
                },
            }
        )
    return rows


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value from a card is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list(value: object) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []
