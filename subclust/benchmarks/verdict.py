"""Whether differences by query say better, worse or neither, and the sentence that says so."""

import math
from collections.abc import Sequence

import numpy as np

from subclust.benchmarks.judgement_record import Comparison, Part, Role, Verdict
from subclust.benchmarks.telling import ENGLISH, Telling
from subclust.evaluation.significance import (
    FEWEST_TESTED,
    bootstrap_interval,
    helps_hurts,
    paired_test,
)

FEWEST_QUERIES = FEWEST_TESTED
"""Held-out queries below which nothing is said to be better or worse."""

LEVEL = 0.95
"""Coverage of the intervals."""

_TIE = 1e-9
_MOST_QUERIES = 2000

_JUDGED_ON: dict[Part, tuple[str, str]] = {
    "test": (
        "{count} test query, which took no part in training,",
        "{count} test queries, which took no part in training,",
    ),
    "validation": (
        "{count} validation query, which also decided when training stopped,",
        "{count} validation queries, which also decided when training stopped,",
    ),
    "folds": (
        "{count} held-out query, each grouped by a model that was not trained on it,",
        "{count} held-out queries, each grouped by a model that was not trained on it,",
    ),
    "given": ("{count} labelled query", "{count} labelled queries"),
}
_TOO_FEW = (
    "On only {queries} it cannot be told whether {new} groups better than {other}: at least "
    "{fewest} are needed."
)
_TOO_FEW_AND_MORE = (
    "On only {queries} it cannot be told whether {new} groups better than {other}: at least "
    "{fewest} are needed, and about {needed} where queries differ as these do."
)
_EQUAL = "On {queries} {new} groups exactly as well as {other}."
_UNCLEAR_NEVER = (
    "On {queries} it is not clear whether {new} groups better than {other}: the adjusted Rand "
    "index differs by {difference} ({level} interval from {low} to {high}, p {p}), it helps "
    "{helps} and hurts {hurts} of them, and no number of such queries would tell."
)
_UNCLEAR = (
    "On {queries} it is not clear whether {new} groups better than {other}: the adjusted Rand "
    "index differs by {difference} ({level} interval from {low} to {high}, p {p}), it helps "
    "{helps} and hurts {hurts} of them, and about {needed} such queries would be needed to tell."
)
_BETTER = (
    "On {queries} {new} groups better than {other}: the adjusted Rand index rises by {difference} "
    "({level} interval from {low} to {high}, p {p}), and it helps {helps} and hurts {hurts} of "
    "them."
)
_WORSE = (
    "On {queries} {new} groups worse than {other}: the adjusted Rand index falls by {difference} "
    "({level} interval from {low} to {high}, p {p}), and it helps {helps} and hurts {hurts} of "
    "them."
)
_UNDEFINED, _BELOW = "undefined", "below {value}"

SENTENCES: tuple[str, ...] = (
    *(form for forms in _JUDGED_ON.values() for form in forms),
    _TOO_FEW,
    _TOO_FEW_AND_MORE,
    _EQUAL,
    _UNCLEAR_NEVER,
    _UNCLEAR,
    _BETTER,
    _WORSE,
    _UNDEFINED,
    _BELOW,
)
"""What `say_verdict` says, with places in braces, for the catalogues of the interface."""


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
    tell: Telling = ENGLISH,
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
    tell : Telling
        The language.
    """
    one, many = _JUDGED_ON[part]
    count = tell.number(n_queries, 0)
    queries = tell.say(one if n_queries == 1 else many).format(count=count)
    names = {"queries": queries, "new": new, "other": other}
    more = "" if needed is None else tell.number(needed, 0)
    if n_queries < FEWEST_QUERIES:
        enough = needed is None or needed <= FEWEST_QUERIES
        told = _TOO_FEW if enough else _TOO_FEW_AND_MORE
        return tell.say(told).format(**names, fewest=FEWEST_QUERIES, needed=more)
    if not row.helps + row.hurts:
        return tell.say(_EQUAL).format(**names)
    if row.verdict == "unclear":
        template = _UNCLEAR_NEVER if needed is None else _UNCLEAR
        difference = _signed(row.mean_difference, tell)
    else:
        template = _BETTER if row.verdict == "better" else _WORSE
        difference = tell.number(abs(row.mean_difference), 3)
    return tell.say(template).format(
        **names,
        difference=difference,
        level=tell.share(LEVEL),
        low=_signed(row.low, tell),
        high=_signed(row.high, tell),
        p=_p(row.p_value, tell),
        helps=tell.number(row.helps, 0),
        hurts=tell.number(row.hurts, 0),
        needed=more,
    )


def _verdict(n_queries: int, low: float, high: float) -> Verdict:
    if n_queries < FEWEST_QUERIES:
        return "unclear"
    if low > _TIE:
        return "better"
    return "worse" if high < -_TIE else "unclear"


def _signed(value: float | None, tell: Telling) -> str:
    assert value is not None  # six queries have an interval
    return ("+" if value >= 0 else "-") + tell.number(abs(value), 3)


def _p(value: float | None, tell: Telling) -> str:
    if value is None:
        return tell.say(_UNDEFINED)
    small = tell.say(_BELOW).format(value=tell.number(0.001, 3))
    return small if value < 0.001 else tell.number(value, 3)


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
