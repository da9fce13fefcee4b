"""How long a live source may take, how much it may send, and how often it is asked again."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds of one question to a service.

    Parameters
    ----------
    connect : float
        Seconds until a connection stands.
    silence : float
        Seconds that nothing may come.
    seconds : float
        Of one attempt in all, so that an answer that drips is cut off too.
    n_bytes : int
        Of one answer, unpacked.
    n_retries : int
        Times that it is asked again when it is busy, breaks off or answers nonsense.
    patience : float
        Seconds that may be waited in all, for the service's sake or for another process of ours.
    """

    connect: float = 10.0
    silence: float = 30.0
    seconds: float = 60.0
    n_bytes: int = 32 << 20
    n_retries: int = 3
    patience: float = 60.0


SEARCH = Limits()
"""Somebody is waiting."""

HARVEST = Limits(connect=20.0, silence=120.0, seconds=600.0, n_retries=6, patience=1800.0)
"""Nobody is; repositories may take minutes for a page."""
