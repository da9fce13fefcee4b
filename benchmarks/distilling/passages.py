"""Passages as word pieces that lie on the device, and the sets of them that a step trains on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Ints = npt.NDArray[np.int64]

EVEN = 8
"""Texts are padded to a multiple of so many tokens: fused attention wants its rows aligned."""


class Passages:
    """Word pieces of many texts, one after the other on a device.

    Parameters
    ----------
    ids : ndarray of shape (n_pieces,)
    lengths : ndarray of shape (n_texts,)
        Word pieces of each text, at least 1.
    pad : int
        Word piece that fills up.
    """

    def __init__(self, ids: npt.NDArray[Any], lengths: Ints, pad: int, device: str) -> None:
        self.lengths = np.asarray(lengths, dtype=np.int64)
        self.pad, self.device = pad, device
        self._ids = torch.from_numpy(ids.astype(np.int32)).to(device)
        starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        self._starts = torch.from_numpy(starts).to(device)
        self._lengths = torch.from_numpy(self.lengths).to(device)

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.lengths)

    def padded(self, rows: Tensor, n_tokens: int) -> tuple[Tensor, Tensor]:
        """Return word pieces and mask of some texts, each of shape (n_rows, n_tokens).

        Parameters
        ----------
        rows : Tensor of shape (n_rows,)
            On the device.
        n_tokens : int
            At least the length of the longest.
        """
        place = torch.arange(n_tokens, device=self.device)
        mask = place < self._lengths[rows, None]
        at = (self._starts[rows, None] + place).clamp(max=len(self._ids) - 1)
        return self._ids[at].long().masked_fill(~mask, self.pad), mask

    def chunks(self, rows: Ints, most: int) -> Iterator[tuple[slice, int]]:
        """Cut rows that are sorted by length into chunks.

        Yields
        ------
        slice of the rows, and the tokens to which they are padded; at most ``most`` in all.
        """
        # From the longest, so that what is left over at the end are the short ones.
        end = len(rows)
        while end:
            n_tokens = -(-int(self.lengths[rows[end - 1]]) // EVEN) * EVEN
            start = max(0, end - max(1, most // n_tokens))
            yield slice(start, end), n_tokens
            end = start


@dataclass(frozen=True)
class PassageSet:
    """Passages that belong to one query, or that were found together.

    Parameters
    ----------
    rows : ndarray of shape (n_passages,)
        Among the `Passages`.
    labels : ndarray of shape (n_passages,)
        Subtopics from 0; -1 throughout where nobody has labelled them.
    fold : int
        Teachers of that fold have not seen it; -1 where none has.
    """

    rows: Ints
    labels: Ints
    fold: int = -1


@dataclass(frozen=True)
class Step:
    """What one step trains on, sorted by the length of the texts.

    Parameters
    ----------
    rows, sets, labels : ndarray of shape (n_passages,)
        Of each passage its row, the number of its set in this step and its label.
    folds : ndarray of shape (n_sets,)
    """

    rows: Ints
    sets: Ints
    labels: Ints
    folds: Ints


class Steps:
    """Steps drawn from kinds of sets in given shares; the same number gives the same step.

    Parameters
    ----------
    kinds : mapping of str to sequence of PassageSet
    shares : mapping of str to float
        Of the sets in a step, by kind; they add up to 1.
    lengths : ndarray of shape (n_texts,)
        Of all texts.
    n_passages : int
        Of a step, about.
    most : int
        Passages of a set; of larger ones a sample is drawn.
    """

    def __init__(
        self,
        kinds: Mapping[str, Sequence[PassageSet]],
        shares: Mapping[str, float],
        lengths: Ints,
        *,
        n_passages: int = 1024,
        most: int = 40,
        seed: int = 0,
    ) -> None:
        self.kinds = {name: kinds[name] for name in shares}
        self.lengths, self.most, self.seed = lengths, most, seed
        sizes = {
            name: float(np.mean([min(most, len(one.rows)) for one in sets]))
            for name, sets in self.kinds.items()
        }
        self.n_sets = {
            name: max(1, round(shares[name] * n_passages / sizes[name])) for name in shares
        }
        first = next(iter(shares))
        self.per_epoch = len(self.kinds[first]) / self.n_sets[first]
        """Steps in which the first kind is gone through once."""
        self._orders: dict[tuple[str, int], Ints] = {}

    def step(self, number: int) -> Step:
        """Return the step of a number from 0."""
        random = np.random.default_rng([self.seed, number])
        chosen = [
            self.kinds[name][row]
            for name, n_sets in self.n_sets.items()
            for row in self._rows(name, number * n_sets, n_sets)
        ]
        rows, sets, labels = [], [], []
        for at, one in enumerate(chosen):
            kept = random.permutation(len(one.rows))[: self.most]
            rows.append(one.rows[kept])
            sets.append(np.full(len(kept), at))
            labels.append(one.labels[kept])
        all_rows = np.concatenate(rows)
        order = np.argsort(self.lengths[all_rows], kind="stable")
        return Step(
            all_rows[order],
            np.concatenate(sets)[order],
            np.concatenate(labels)[order],
            np.asarray([one.fold for one in chosen]),
        )

    def _rows(self, name: str, start: int, n_sets: int) -> list[int]:
        n_all = len(self.kinds[name])
        return [
            int(self._order(name, at // n_all)[at % n_all]) for at in range(start, start + n_sets)
        ]

    def _order(self, name: str, epoch: int) -> Ints:
        if (name, epoch) not in self._orders:
            kind = list(self.kinds).index(name)
            random = np.random.default_rng([self.seed, kind, epoch, 1])
            self._orders[name, epoch] = random.permutation(len(self.kinds[name]))
        return self._orders[name, epoch]
