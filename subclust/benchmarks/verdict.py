"""Whether differences by query say better, worse or neither, and the sentence that says so."""

import math
from collections.abc import Sequence

import numpy as np

from subclust.benchmarks.judgement_record import Comparison, Part, Role, Verdict
from subclust.evaluation.significance import bootstrap_interval, helps_hurts, paired_t_test

FEWEST_QUERIES = 6
"""Held-out queries below which nothing is said to be better or worse."""

LEVEL = 0.95
"""Coverage of the intervals."""

_TIE = 1e-9
_MOST_QUERIES = 2000

_JUDGED_ON: dict[Part, tuple[str, str]] = {
    "test": ("test", ", which took no part in training"),
    "validation": ("validation", ", which also decided when training stopped"),
    "folds": ("held-out", ", each grouped by a model that was not trained on it"),
    "given": ("labelled", ""),
}


def compare_queries(
    new: Sequence[float],
    other: Sequence[float],
    *,
    against: Role,
    measure: str,
    random_state: int = 0,
) -> Comparison:
    """Compare two methods over the same queries.

    Parameters
    ----------
    new, other : sequence of float
        One value per query, in the same order; higher is better; at least one.
    against : str
    measure : str
    random_state : int
        Of the queries that are drawn for the interval.

    Raises
    ------
    InputError
        If the lengths differ.
    """
    interval = bootstrap_interval(new, other, level=LEVEL, random_state=random_state, expanded=True)
    counts = helps_hurts(new, other)
    return Comparison(
        against=against,
        measure=measure,
        mean_difference=interval.mean_difference,
        low=_or_none(interval.low),
        high=_or_none(interval.high),
        level=LEVEL,
        p_value=_or_none(paired_t_test(new, other).p_value),
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
    row: Comparison, *, new: str, other: str, part: Part, n_queries: int, needed: int | None
) -> str:
    """Say the verdict of a comparison in the adjusted Rand index, in one sentence.

    Parameters
    ----------
    row : Comparison
    new, other : str
        Names of the two methods.
    part : {"test", "validation", "folds", "given"}
    n_queries : int
    needed : int or None
        Of `queries_needed`.
    """
    kind, role = _JUDGED_ON[part]
    queries = f"{n_queries} {kind} {'query' if n_queries == 1 else 'queries'}{role}"
    if n_queries < FEWEST_QUERIES:
        more = ""
        if needed is not None and needed > FEWEST_QUERIES:
            more = f", and about {needed:,} where queries differ as these do"
        return (
            f"On only {queries}{',' if role else ''} it cannot be told whether {new} groups better "
            f"than {other}: at least {FEWEST_QUERIES} are needed{more}."
        )
    if not row.helps + row.hurts:
        return f"On {queries}{',' if role else ''} {new} groups exactly as well as {other}."
    figures = f"({LEVEL:.0%} interval from {row.low:+.3f} to {row.high:+.3f}, p {_p(row.p_value)})"
    counts = f"it helps {row.helps} and hurts {row.hurts} of them"
    on = f"On {queries}{',' if role else ''}"
    if row.verdict == "unclear":
        more = "no number of such queries would tell"
        if needed is not None:
            more = f"about {needed:,} such queries would be needed to tell"
        return (
            f"{on} it is not clear whether {new} groups better than {other}: the adjusted Rand "
            f"index differs by {row.mean_difference:+.3f} {figures}, {counts}, and {more}."
        )
    moves = "rises" if row.verdict == "better" else "falls"
    return (
        f"{on} {new} groups {row.verdict} than {other}: the adjusted Rand index {moves} by "
        f"{abs(row.mean_difference):.3f} {figures}, and {counts}."
    )


def _verdict(n_queries: int, low: float, high: float) -> Verdict:
    if n_queries < FEWEST_QUERIES:
        return "unclear"
    if low > _TIE:
        return "better"
    return "worse" if high < -_TIE else "unclear"


def _p(value: float | None) -> str:
    if value is None:
        return "undefined"
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
