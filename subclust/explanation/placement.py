"""Where a passage stands: its strength, the group that comes next, its neighbours."""

from dataclasses import dataclass

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES, Float64Array, FloatArray, IntArray


def nearest(scores: FloatArray, row: int, n: int = 5) -> list[int]:
    """List the rows of the highest scores, best first, equal ones in the given order.

    Parameters
    ----------
    scores : ndarray of shape (n_passages,)
        Of one passage with all; higher is closer.
    row : int
        Its own position, which is left out.
    n : int
        At most so many.
    """
    # Rounded, so that noise of float32 does not decide between scores that are equal.
    order = np.argsort(-np.round(np.asarray(scores, dtype=np.float64), 6), kind="stable")
    return [one for one in order.tolist() if one != row][:n]


@dataclass(frozen=True)
class Placement:
    """How a passage fits the groups.

    Parameters
    ----------
    group : int
        That it is in; -1 is "other passages".
    nearest : int
        The group that it is most like on average: its own, or the runner-up where that fits
        better. For "other passages", the group that it would have joined.
    runner_up : int or None
        The group that comes next; None where there is no other.
    strength : float
        Silhouette width, -1 (fits the runner-up better) to 1; 0 for a passage alone in its group.
    likeness, runner_up_likeness : float
        Mean pair score to the (other) members of its own group (of `nearest`, for "other
        passages") and to those of the runner-up; higher is closer, on the method's own scale.
    """

    group: int
    nearest: int
    runner_up: int | None
    strength: float
    likeness: float
    runner_up_likeness: float

    @property
    def margin(self) -> float:
        """How much closer its own group is than the runner-up; negative where the latter is."""
        return self.likeness - self.runner_up_likeness


class Groups:
    """The groups that passages are compared with, and their pair scores.

    Other passages are no group and are compared with nobody, as in `clustering.strength`.

    Parameters
    ----------
    scores : ndarray of shape (n_passages, n_passages)
        Symmetric and finite, on any scale; higher is closer.
    labels : ndarray of shape (n_passages,)
        Group of each passage; -1 is "other passages".

    Raises
    ------
    InputError
        If they do not fit each other.
    """

    def __init__(self, scores: FloatArray, labels: IntArray) -> None:
        labels = np.asarray(labels, dtype=np.int64)
        if scores.shape != (len(labels), len(labels)):
            raise InputError(
                "{count} labels but pair scores of shape {shape}; ({count}, {count}) is needed.",
                count=len(labels),
                shape=scores.shape,
            )
        self.labels = labels
        self.groups = np.unique(labels[labels != OTHER_PASSAGES])
        self.members = labels[:, None] == self.groups[None, :]
        kept = np.flatnonzero(labels != OTHER_PASSAGES)
        among = np.asarray(scores, dtype=np.float64)[np.ix_(kept, kept)]
        different = among[~np.eye(len(kept), dtype=bool)]
        self.closest = float(different.max()) if len(different) else 0.0
        self._spread = self.closest - float(different.mean()) if len(different) else 0.0
        self.scores = np.asarray(scores, dtype=np.float64)

    def place(self, row: int) -> Placement:
        """Return how one passage fits.

        Parameters
        ----------
        row : int
            Its position.
        """
        own = int(self.labels[row])
        likeness = self.likeness(self.scores[row][None, :], without=row)[0]
        if not len(self.groups):
            return Placement(own, OTHER_PASSAGES, None, 0.0, 0.0, 0.0)
        best_first = np.argsort(-np.nan_to_num(likeness, nan=-np.inf), kind="stable")
        ranked = [int(self.groups[place]) for place in best_first]
        home = own if own != OTHER_PASSAGES else ranked[0]
        runner_up = next((group for group in ranked if group != home), None)
        value = {int(group): float(one) for group, one in zip(self.groups, likeness, strict=True)}
        at_home = 0.0 if np.isnan(value[home]) else value[home]
        return Placement(
            group=own,
            nearest=ranked[0] if not np.isnan(value[ranked[0]]) else home,
            runner_up=runner_up,
            strength=float(self.strengths(self.scores[row][None, :], home, without=row)[0]),
            likeness=at_home,
            runner_up_likeness=0.0 if runner_up is None else value[runner_up],
        )

    def likeness(self, rows: FloatArray | Float64Array, *, without: int) -> Float64Array:
        """Return the mean score of texts to each group.

        Parameters
        ----------
        rows : ndarray of shape (n_texts, n_passages)
            Scores of texts with all passages.
        without : int
            The passage that the texts stand for, which is not compared with itself.

        Returns
        -------
        ndarray of shape (n_texts, n_groups)
            In the order of `groups`; NaN where a group has no other member.
        """
        members = self.members.copy()
        members[without] = False
        sizes = members.sum(axis=0).astype(np.float64)
        sizes[sizes == 0] = np.nan
        return np.asarray(np.asarray(rows, dtype=np.float64) @ members / sizes)

    def strengths(
        self, rows: FloatArray | Float64Array, group: int, *, without: int
    ) -> Float64Array:
        """Return the strength that texts would have in a group: their silhouette width.

        Source: Rousseeuw, Journal of Computational and Applied Mathematics 20, 1987; as
        `clustering.strength.passage_strengths`, but for one text at a time that need not be among
        the passages.

        Parameters
        ----------
        rows, without
            As for `likeness`.
        group : int
            One of `groups`.

        Returns
        -------
        ndarray of shape (n_texts,)
            -1 to 1; 0 where the group has no other member.
        """
        distances = np.maximum(self.closest - self.likeness(rows, without=without), 0.0)
        place = int(np.searchsorted(self.groups, group))
        inside = distances[:, place]
        others = np.delete(distances, place, axis=1)
        if not others.shape[1]:
            nearest = np.full(len(inside), self._spread)
        else:
            nearest = np.nanmin(np.where(np.isnan(others), np.inf, others), axis=1)
        larger = np.maximum(inside, nearest)
        widths = np.zeros(len(inside))
        np.divide(nearest - inside, larger, out=widths, where=(larger > 0) & ~np.isnan(inside))
        return np.asarray(np.clip(widths, -1.0, 1.0))
