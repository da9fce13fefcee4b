"""What an evaluation gives back, shaped for the command line's JSON."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np


@dataclass(frozen=True)
class MetricSummary:
    """One metric over the queries of a set.

    Parameters
    ----------
    mean : float
        Over the queries where the metric is defined; nan where there are none.
    stderr : float
        Standard error of that mean; 0 with fewer than two such queries.
    per_instance : tuple of float
        In the order of the queries; nan where undefined, as the AUC of a single subtopic is.
    """

    mean: float
    stderr: float
    per_instance: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Summarise one value per query."""
        defined = np.asarray([value for value in values if not math.isnan(value)])
        n_defined = len(defined)
        return cls(
            mean=float(defined.mean()) if n_defined else math.nan,
            stderr=float(defined.std(ddof=1) / math.sqrt(n_defined)) if n_defined > 1 else 0.0,
            per_instance=tuple(float(value) for value in values),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"mean", "stderr", "per_instance"}``; JSON has no nan, so None stands for it."""
        return {
            "mean": _or_none(self.mean),
            "stderr": self.stderr,
            "per_instance": [_or_none(value) for value in self.per_instance],
        }


@dataclass(frozen=True)
class ClusteringScores:
    """All metrics of one method over the queries of a set.

    Parameters
    ----------
    metrics : mapping of str to MetricSummary
    seconds : float
        Spent in ``fit``, all queries together; encoding is not in it.
    n_clusters : tuple of int or None
        Number of groups that the method chose for each query; None where it was given.
    """

    metrics: Mapping[str, MetricSummary]
    seconds: float
    n_clusters: tuple[int, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return one method's object of ``python -m subclust bench --json``."""
        result: dict[str, Any] = {name: summary.to_dict() for name, summary in self.metrics.items()}
        result["seconds"] = round(self.seconds, 6)
        if self.n_clusters is not None:
            result["n_clusters"] = list(self.n_clusters)
        return result


@dataclass(frozen=True)
class ClusteringEvaluation:
    """A method's results with the true number of groups and with its own.

    Parameters
    ----------
    granularity : {"flat", "hierarchical"}
    primary_metric : str
        Name of the metric that decides.
    auto_k : ClusteringScores or None
        None where only the true number was asked for.
    """

    granularity: str
    primary_metric: str
    true_k: ClusteringScores
    auto_k: ClusteringScores | None

    @property
    def primary(self) -> float:
        """The mean of the primary metric with the true number of groups; higher is better."""
        return self.true_k.metrics[self.primary_metric].mean

    def to_dict(self) -> dict[str, Any]:
        """Return both results and how they were obtained."""
        return {
            "granularity": self.granularity,
            "primary_metric": self.primary_metric,
            "true_k": self.true_k.to_dict(),
            "auto_k": None if self.auto_k is None else self.auto_k.to_dict(),
        }


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
