"""The seed of everything that is random."""

from numbers import Integral
from typing import TypeGuard

from subclust.core.exceptions import InputError

MAX_SEED = 2**32 - 1
"""Largest that NumPy and scikit-learn take."""


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number, of Python or of NumPy."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_seed(seed: int) -> None:
    """Refuse a seed that some of the libraries would not take.

    Raises
    ------
    InputError
    """
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise InputError(
            "The seed must be a whole number from 0 to {most}, but is {seed!r}.",
            most=MAX_SEED,
            seed=seed,
        )
