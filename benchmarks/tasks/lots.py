"""Numbers drawn by lot, the same on every machine and under every version of every library."""

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")

_BYTES = 7


class Lots:
    """A run of draws that follows from a seed and a key alone.

    Each number comes from the SHA-256 of seed, key and its place in the run.

    Parameters
    ----------
    key : str
        What is drawn; runs with different keys have nothing to do with each other.
    """

    def __init__(self, seed: int, key: str) -> None:
        self._start = f"{seed}\n{key}\n"
        self._drawn = 0

    def share(self) -> float:
        """Draw a number from 0 up to, but not including, 1."""
        digest = hashlib.sha256(f"{self._start}{self._drawn}".encode()).digest()
        self._drawn += 1
        # A float holds 53 of these 56 bits; the shift keeps the largest below 1.
        return (int.from_bytes(digest[:_BYTES], "big") >> 3) / 2**53

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to ``n - 1``, each as likely as the other."""
        return int(self.share() * n)

    def between(self, least: int, most: int) -> int:
        """Draw a whole number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def pick(self, weights: Sequence[float]) -> int:
        """Draw a place in `weights`, as likely as its weight says."""
        sums = list(accumulate(weights))
        drawn = self.share() * sums[-1]
        return next(place for place, total in enumerate(sums) if drawn < total)

    def some(self, items: Sequence[T], n: int) -> list[T]:
        """Draw `n` of the items, all if there are fewer, in an order drawn by lot."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(min(n, len(rest)))]
