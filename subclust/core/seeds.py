"""The seed of everything that is random."""

from subclust.core.exceptions import InputError

MAX_SEED = 2**32 - 1
"""Largest that NumPy and scikit-learn take."""


def check_seed(seed: int) -> None:
    """Refuse a seed that some of the libraries would not take.

    Raises
    ------
    InputError
    """
    if not 0 <= seed <= MAX_SEED:
        raise InputError(
            "The seed must be a whole number from 0 to {most}, but is {seed}.",
            most=MAX_SEED,
            seed=seed,
        )
