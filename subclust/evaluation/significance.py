"""Whether one method is better than another over the same queries."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, permutation_test
from scipy.stats import t as student_t

from subclust.core.exceptions import InputError

# Differences this small are rounding, not results.
_TIE = 1e-9

FEWEST_TESTED = 6
"""Queries at which the exact test can first reach 0.05: of 2**6 signs two are as extreme, 0.031."""

_MOST_EXACT = 16
"""Queries up to which all signs are tried, 65,536 of them."""


class _Told:
    def to_dict(self) -> dict[str, Any]:
        """Return the fields; JSON has neither nan nor infinity, so None stands for them."""
        return {name: _finite(value) for name, value in vars(self).items()}


def _finite(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class PairedTest(_Told):
    """Result of a paired, two-sided test.

    Parameters
    ----------
    n_queries : int
        Queries on which both methods have a value.
    mean_difference : float
        First minus second.
    t : float
        Infinite where every query differs by the same amount; nan with fewer than two queries.
    p_value : float
        0 to 1; nan with fewer queries than the test asks for.
    n_comparisons : int
        Tests made in the same table.
    p_corrected : float
        Bonferroni: `p_value` times `n_comparisons`, at most 1.
    """

    n_queries: int
    mean_difference: float
    t: float
    p_value: float
    n_comparisons: int
    p_corrected: float

    def is_significant(self, alpha: float = 0.05) -> bool:
        """Return whether the difference stands at level `alpha` after the correction."""
        return self.p_corrected < alpha


@dataclass(frozen=True)
class BootstrapInterval(_Told):
    """Percentile interval of the mean difference, queries resampled in pairs.

    Parameters
    ----------
    mean_difference, low, high : float
        First minus second; nan where there are no queries.
    level : float
        Coverage, 0 to 1.
    """

    n_queries: int
    mean_difference: float
    low: float
    high: float
    level: float


@dataclass(frozen=True)
class HelpsHurts(_Told):
    """How many queries one method helps and hurts.

    Parameters
    ----------
    wins, ties, losses : int
        Queries on which the first is better, equal and worse.
    differences : tuple of float
        First minus second, query by query in the order given; nan where one has no value.
    """

    wins: int
    ties: int
    losses: int
    differences: tuple[float, ...]


def paired_t_test(
    first: Sequence[float], second: Sequence[float], *, n_comparisons: int = 1
) -> PairedTest:
    """Test whether two methods differ on average over the same queries.

    Source: Kashyapi and Dietz, JCDL 2022, table 2 (alpha 0.05, 0.003 after Bonferroni).

    Parameters
    ----------
    first, second : sequence of float
        One value per query, in the same order; a query where either is nan is left out.
    n_comparisons : int
        How many such tests are made in the same table.

    Raises
    ------
    InputError
        If the lengths differ or `n_comparisons` is below 1.
    """
    if n_comparisons < 1:
        raise InputError(
            "n_comparisons must be at least 1, but is {n_comparisons!r}.",
            n_comparisons=n_comparisons,
        )
    defined = _defined(_differences(first, second))
    n_queries = len(defined)
    mean = float(defined.mean()) if n_queries else math.nan
    if n_queries < 2:
        return PairedTest(n_queries, mean, math.nan, math.nan, n_comparisons, math.nan)
    error = float(defined.std(ddof=1)) / math.sqrt(n_queries)
    # Rounding leaves equal differences a tiny deviation, and t would be huge and arbitrary.
    if error <= 1e-12 * abs(mean) or np.abs(defined).max() <= _TIE:
        t = 0.0 if abs(mean) <= _TIE else math.copysign(math.inf, mean)
    else:
        t = mean / error
    p_value = float(2 * student_t.sf(abs(t), n_queries - 1))
    return PairedTest(n_queries, mean, t, p_value, n_comparisons, min(p_value * n_comparisons, 1.0))


def paired_test(
    first: Sequence[float], second: Sequence[float], *, n_comparisons: int = 1
) -> PairedTest:
    """Test whether two methods differ over the same queries, exactly where they are few.

    Up to 16 queries the p value is the share of all ways to swap the two methods query by query
    whose mean difference is at least as large (Fisher's randomisation test); of fewer than
    `FEWEST_TESTED`, where it could never reach 0.05, none is given. Of more queries it is that of
    the t-test, which the exact one then hardly differs from.

    Parameters
    ----------
    first, second, n_comparisons
        As for `paired_t_test`.

    Raises
    ------
    InputError
        As `paired_t_test` does.
    """
    result = paired_t_test(first, second, n_comparisons=n_comparisons)
    if result.n_queries > _MOST_EXACT:
        return result
    if result.n_queries < FEWEST_TESTED:
        return replace(result, p_value=math.nan, p_corrected=math.nan)
    # With infinitely many resamples, scipy tries every way to swap instead of drawing some.
    found = permutation_test(
        (_defined(_differences(first, second)),),
        lambda differences, axis: differences.mean(axis=axis),
        permutation_type="samples",
        n_resamples=math.inf,
        vectorized=True,
    )
    p_value = float(found.pvalue)
    return replace(result, p_value=p_value, p_corrected=min(p_value * n_comparisons, 1.0))


def bootstrap_interval(
    first: Sequence[float],
    second: Sequence[float],
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    random_state: int = 0,
    expanded: bool = False,
) -> BootstrapInterval:
    """Estimate the interval of the mean difference by resampling queries with replacement.

    Source of the expanded interval: Hesterberg, "What Teachers Should Know About the Bootstrap",
    The American Statistician 69 (2015), section 3.4.

    Parameters
    ----------
    first, second : sequence of float
        One value per query, in the same order; a query where either is nan is left out.
    level : float
        Coverage, above 0 and below 1.
    expanded : bool
        Whether percentiles further out are taken, so that few queries give an interval as wide as
        Student's t does; the plain one is too narrow below some thirty queries. It is nan with
        fewer than two queries.

    Raises
    ------
    InputError
        If the lengths differ or a parameter is out of range.
    """
    if not 0.0 < level < 1.0 or n_resamples < 1:
        raise InputError(
            "level must lie between 0 and 1 and n_resamples be at least 1, but are {level!r} and "
            "{n_resamples!r}.",
            level=level,
            n_resamples=n_resamples,
        )
    defined = _defined(_differences(first, second))
    if not len(defined):
        return BootstrapInterval(0, math.nan, math.nan, math.nan, level)
    if expanded and len(defined) < 2:
        return BootstrapInterval(1, float(defined.mean()), math.nan, math.nan, level)
    means = defined[_resamples(len(defined), n_resamples, random_state)].mean(axis=1)
    tail = _expanded_tail(len(defined), level) if expanded else (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return BootstrapInterval(len(defined), float(defined.mean()), float(low), float(high), level)


def helps_hurts(first: Sequence[float], second: Sequence[float]) -> HelpsHurts:
    """Count the queries on which the first method is better, equal and worse.

    Source: Kashyapi and Dietz, JCDL 2022, figure 3.

    Parameters
    ----------
    first, second : sequence of float
        One value per query, in the same order; higher is better.

    Raises
    ------
    InputError
        If the lengths differ.
    """
    differences = _differences(first, second)
    defined = _defined(differences)
    return HelpsHurts(
        wins=int((defined > _TIE).sum()),
        ties=int((np.abs(defined) <= _TIE).sum()),
        losses=int((defined < -_TIE).sum()),
        differences=tuple(float(d) for d in differences),
    )


def _expanded_tail(n_queries: int, level: float) -> float:
    """Return the share of resamples beyond each end of an expanded interval."""
    reach = float(student_t.ppf((1 + level) / 2, n_queries - 1))
    return float(norm.sf(reach * math.sqrt(n_queries / (n_queries - 1))))


# Tables compare many methods over the same queries, and so draw the same resamples again and again.
@lru_cache(maxsize=2)
def _resamples(n_queries: int, n_resamples: int, random_state: int) -> npt.NDArray[np.int32]:
    """Draw places of queries with replacement, shape (n_resamples, n_queries)."""
    random = np.random.default_rng(random_state)
    # int32 halves what is cached; drawing in it directly would give other numbers.
    return random.integers(n_queries, size=(n_resamples, n_queries)).astype(np.int32)


def _differences(first: Sequence[float], second: Sequence[float]) -> npt.NDArray[np.float64]:
    if len(first) != len(second):
        raise InputError(
            "Methods are compared over the same queries, but there are {count} values and "
            "{other_count}.",
            count=len(first),
            other_count=len(second),
        )
    return np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)


def _defined(differences: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return differences[~np.isnan(differences)]
