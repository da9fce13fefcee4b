"""Whether differences by query say better, worse or neither, and the sentence that says so."""

import math
from collections.abc import Sequence

import numpy as np

from subclust.core.messages import N_, Message
from subclust.evaluation.significance import (
    FEWEST_TESTED,
    bootstrap_interval,
    helps_hurts,
    paired_test,
)
from subclust.judging.record import Comparison, Part, Role, Verdict

FEWEST_QUERIES = FEWEST_TESTED
"""Held-out queries below which nothing is said to be better or worse."""

LEVEL = 0.95
"""Coverage of the intervals."""

_TIE = 1e-9
_MOST_QUERIES = 2000

_JUDGED_ON: dict[Part, tuple[str, str]] = {
    "test": (
        N_("{count:,} test question, which was not used in training,"),
        N_("{count:,} test questions, which were not used in training,"),
    ),
    "validation": (
        N_("{count:,} validation question, which also decided when training stopped,"),
        N_("{count:,} validation questions, which also decided when training stopped,"),
    ),
    "folds": (
        N_("{count:,} held-out question, each grouped by a model that was not trained on it,"),
        N_("{count:,} held-out questions, each grouped by a model that was not trained on it,"),
    ),
    "given": (N_("{count:,} labelled question"), N_("{count:,} labelled questions")),
}
_TOO_FEW = N_(
    "On only {queries} it is impossible to tell whether {new} groups better than {other}: at "
    "least {fewest} are needed."
)
_TOO_FEW_AND_MORE = N_(
    "On only {queries} it is impossible to tell whether {new} groups better than {other}: at "
    "least {fewest} are needed, and about {needed:,} where questions differ as these do."
)
_EQUAL = N_("On {queries} {new} groups exactly as well as {other}.")
_UNCLEAR_NEVER = N_(
    "On {queries} it is not clear whether {new} groups better than {other}: the adjusted Rand "
    "index differs by {difference} ({level} interval from {low} to {high}, p {p}), it helps "
    "{helps:,} and hurts {hurts:,} of them, and no number of such questions would tell."
)
_UNCLEAR = N_(
    "On {queries} it is not clear whether {new} groups better than {other}: the adjusted Rand "
    "index differs by {difference} ({level} interval from {low} to {high}, p {p}), it helps "
    "{helps:,} and hurts {hurts:,} of them, and about {needed:,} such questions would be needed to "
    "tell."
)
_BETTER = N_(
    "On {queries} {new} groups better than {other}: the adjusted Rand index rises by {difference} "
    "({level} interval from {low} to {high}, p {p}), and it helps {helps:,} and hurts {hurts:,} of "
    "them."
)
_WORSE = N_(
    "On {queries} {new} groups worse than {other}: the adjusted Rand index falls by {difference} "
    "({level} interval from {low} to {high}, p {p}), and it helps {helps:,} and hurts {hurts:,} of "
    "them."
)


def compare_queries(
    new: Sequence[float],
    other: Sequence[float],
    *,
    against: Role,
    measure: str,
) -> Comparison:
    """Compare two methods over the same queries.

    Parameters
    ----------
    new, other : sequence of float
        One value per query, in the same order; higher is better; at least one.

    Raises
    ------
    InputError
        If the lengths differ.
    """
    interval = bootstrap_interval(new, other, level=LEVEL, expanded=True)
    counts = helps_hurts(new, other)
    return Comparison(
        against=against,
        measure=measure,
        mean_difference=interval.mean_difference,
        low=_or_none(interval.low),
        high=_or_none(interval.high),
        level=LEVEL,
        p_value=_or_none(paired_test(new, other).p_value),
        helps=counts.wins,
        ties=counts.ties,
        hurts=counts.losses,
        verdict=_verdict(interval.n_queries, interval.low, interval.high),
    )


def queries_needed(differences: Sequence[float]) -> int | None:
    """Estimate how many queries would show differences like these four times in five.

    Parameters
    ----------
    differences : sequence of float
        By query; at least two that differ, or the answer is the fewest that are ever enough.

    Returns
    -------
    int or None
        At least `FEWEST_QUERIES`; None where the mean is so near 0 that no such number would do.
    """
    values = np.asarray(differences, dtype=np.float64)
    mean = abs(float(values.mean())) if len(values) else 0.0
    if mean <= _TIE:
        return None
    # Normal quantiles of the two-sided test at 0.05 and of a power of 0.8.
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    needed = math.ceil(((1.96 + 0.84) * spread / mean) ** 2)
    return max(needed, FEWEST_QUERIES) if needed <= _MOST_QUERIES else None


def say_verdict(
    row: Comparison,
    *,
    new: str,
    other: str,
    part: Part,
    n_queries: int,
    needed: int | None,
) -> Message:
    """Return the verdict of a comparison in the adjusted Rand index, as one sentence.

    Parameters
    ----------
    new, other : str
        Names of the two methods.
    part : {"test", "validation", "folds", "given"}
    needed : int or None
        Of `queries_needed`.
    """
    one, many = _JUDGED_ON[part]
    queries = Message(one if n_queries == 1 else many, count=n_queries)
    names = {"queries": queries, "new": new, "other": other}
    if n_queries < FEWEST_QUERIES:
        if needed is None or needed <= FEWEST_QUERIES:
            return Message(_TOO_FEW, **names, fewest=FEWEST_QUERIES)
        return Message(_TOO_FEW_AND_MORE, **names, fewest=FEWEST_QUERIES, needed=needed)
    if not row.helps + row.hurts:
        return Message(_EQUAL, **names)
    assert row.low is not None and row.high is not None  # six queries have an interval
    figures = {
        "level": share(LEVEL),
        "low": signed(row.low),
        "high": signed(row.high),
        "p": _p(row.p_value),
        "helps": row.helps,
        "hurts": row.hurts,
    }
    if row.verdict == "unclear":
        difference = signed(row.mean_difference)
        if needed is None:
            return Message(_UNCLEAR_NEVER, **names, **figures, difference=difference)
        return Message(_UNCLEAR, **names, **figures, difference=difference, needed=needed)
    template = _BETTER if row.verdict == "better" else _WORSE
    difference = Message("{value:.3f}", value=abs(row.mean_difference))
    return Message(template, **names, **figures, difference=difference)


def share(value: float) -> Message:
    """Return a share between 0 and 1 as percent."""
    return Message("{percent:.0f}%", percent=100 * value)


def _verdict(n_queries: int, low: float, high: float) -> Verdict:
    if n_queries < FEWEST_QUERIES:
        return "unclear"
    if low > _TIE:
        return "better"
    return "worse" if high < -_TIE else "unclear"


def signed(value: float) -> Message:
    """Return a difference with its sign and three decimals."""
    return Message("+{value:.3f}" if value >= 0 else "-{value:.3f}", value=abs(value))


def _p(value: float | None) -> Message:
    if value is None:
        return Message("undefined")
    if value < 0.001:
        return Message("below {value:.3f}", value=0.001)
    return Message("{value:.3f}", value=value)


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
