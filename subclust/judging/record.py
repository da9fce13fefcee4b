"""What is said of a trained model after it was measured beside others on held-out queries."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self, get_args

from subclust.core.exceptions import BenchmarkError
from subclust.core.messages import with_messages, with_templates

Verdict = Literal["better", "worse", "unclear"]
Role = Literal["new", "base", "default", "baseline"]
Part = Literal["test", "validation", "folds", "given"]

MEASURES = ("ari", "ami", "auto_ari", "auto_ami")
"""Adjusted Rand index and adjusted mutual information, both higher is better: at the true number of
groups, and at the number that the method chose."""


@dataclass(frozen=True)
class JudgedMethod:
    """One of the methods that were measured.

    Parameters
    ----------
    role : {"new", "base", "default", "baseline"}
        The model that is judged; what it started from or is to replace; what its method uses now,
        where that is another than the base; and centred cosine, which learns nothing.
    name : str
        ``METHOD/NAME``, or the method alone where it has no checkpoint.
    means : mapping of str to float or None
        By `MEASURES`, over the queries; None where a query has too many passages for the method to
        choose a number of groups.
    """

    role: Role
    name: str
    means: Mapping[str, float | None]


@dataclass(frozen=True)
class JudgedQuery:
    """One held-out query.

    Parameters
    ----------
    n_passages, n_groups : int
        `n_groups` is the true number.
    scores : mapping of str to mapping
        By role, then by `MEASURES`.
    chosen : mapping of str to int or None
        By role: the number of groups that the method chose.
    """

    query: str
    n_passages: int
    n_groups: int
    scores: Mapping[str, Mapping[str, float | None]]
    chosen: Mapping[str, int | None]


@dataclass(frozen=True)
class Comparison:
    """The new model against another method, query by query, in one measure.

    Parameters
    ----------
    against : {"base", "default", "baseline"}
    measure : str
        Of `MEASURES`.
    mean_difference : float
        New minus other.
    low, high : float or None
        Ends of the interval of that difference at `level`: expanded percentiles of means over
        queries drawn again with replacement, in pairs. None with fewer than two queries.
    level : float
        Coverage, 0 to 1.
    p_value : float or None
        Of the paired, two-sided test, exact up to 16 queries; None with fewer than six.
    helps, ties, hurts : int
        Queries on which the new model is better, equal and worse.
    verdict : {"better", "worse", "unclear"}
        ``"better"`` only where `low` is above 0, ``"worse"`` only where `high` is below 0, and
        always ``"unclear"`` with fewer than `FEWEST_QUERIES` queries.
    """

    against: Role
    measure: str
    mean_difference: float
    low: float | None
    high: float | None
    level: float
    p_value: float | None
    helps: int
    ties: int
    hurts: int
    verdict: Verdict


@dataclass(frozen=True)
class Judgement:
    """Whether a trained model groups better than what it is to replace.

    Parameters
    ----------
    checkpoint, base : str
        ``METHOD/NAME``; `base` is the method alone where it has no checkpoint.
    part : {"test", "validation", "folds", "given"}
        Which queries were judged: those that took no part in training; those that also decided when
        it stopped, which favours the new model; all of them, each by a model that was not trained
        on it; or queries of which nothing is known.
    granularity : {"flat", "hierarchical"}
    verdict : {"better", "worse", "unclear"}
        That of the comparison with the base in the adjusted Rand index at the true number of
        groups.
    sentence : str
        The verdict with its figures, for people.
    notes : tuple of str
        Sentences that somebody who decides should know.
    queries_needed : int or None
        Held-out queries with which differences like these would show four times in five; None where
        it is clear, or where no number would do.
    methods : tuple of JudgedMethod
        The new one first, then the base.
    comparisons : tuple of Comparison
        Each other method in each measure, the one that gives the verdict first.
    queries : tuple of JudgedQuery
        In the order of the set.
    data : tuple of mappings
        ``name`` and ``sha256`` of the files that the queries come from, where known.
    """

    checkpoint: str
    base: str
    part: Part
    granularity: str
    verdict: Verdict
    sentence: str
    notes: tuple[str, ...]
    queries_needed: int | None
    methods: tuple[JudgedMethod, ...]
    comparisons: tuple[Comparison, ...]
    queries: tuple[JudgedQuery, ...]
    data: tuple[Mapping[str, str], ...] = field(default=())
    seconds: float = 0.0

    @property
    def n_queries(self) -> int:
        """Number of held-out queries."""
        return len(self.queries)

    def method(self, role: Role) -> JudgedMethod | None:
        """Return the method of a role; None where nobody had it."""
        return next((method for method in self.methods if method.role == role), None)

    def comparison(self, against: Role = "base", measure: str = "ari") -> Comparison | None:
        """Return one comparison; None where it was not made."""
        for row in self.comparisons:
            if (row.against, row.measure) == (against, measure):
                return row
        return None

    def changes(self, against: Role = "base", measure: str = "ari") -> list[tuple[str, float]]:
        """List the queries with new minus other, the most helped first and the most hurt last."""
        found = []
        for query in self.queries:
            mine = query.scores["new"].get(measure)
            theirs = query.scores.get(against, {}).get(measure)
            if mine is not None and theirs is not None:
                found.append((query.query, mine - theirs))
        return sorted(found, key=lambda change: -change[1])

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust judge --json`` prints."""
        value = asdict(self)
        for name in ("notes", "methods", "comparisons", "queries", "data"):
            value[name] = list(value[name])
        whole: dict[str, Any] = with_templates(value)
        return {**whole, "n_queries": self.n_queries}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Self:
        """Take what `to_dict` gave.

        Raises
        ------
        BenchmarkError
            If it is something else.
        """
        try:
            fields = with_messages(dict(value))
            fields.pop("n_queries", None)
            fields["notes"] = tuple(fields["notes"])
            fields["data"] = tuple(dict(file) for file in fields["data"])
            kinds = {"methods": JudgedMethod, "comparisons": Comparison, "queries": JudgedQuery}
            for key, kind in kinds.items():
                fields[key] = tuple(kind(**row) for row in fields[key])
            if fields["verdict"] not in get_args(Verdict):
                raise ValueError(f"there is no verdict {fields['verdict']!r}")
            return cls(**fields)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise BenchmarkError(
                "The judgement cannot be read ({error}); judge the model again with 'python -m "
                "subclust judge'.",
                error=error,
            ) from error
