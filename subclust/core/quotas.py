"""How much somebody of each role may upload, keep, train and fetch."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from subclust.core.access import LOCAL, Role, acting
from subclust.core.exceptions import QuotaError


@dataclass(frozen=True)
class Quota:
    """What a role may have; None is as much as the program takes.

    Parameters
    ----------
    upload_mb : int, optional
        Megabytes of a file.
    passages : int, optional
        Of a library that somebody imports into.
    trainings : int, optional
        Of one person that wait or run at a time, searches for settings included.
    hits : int, optional
        Of one search.
    """

    upload_mb: int | None = None
    passages: int | None = None
    trainings: int | None = None
    hits: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no bound."""
        if any(value is not None and value < 0 for value in vars(self).values()):
            raise ValueError("a quota must be at least 0")


_quotas: Mapping[Role, Quota] = {}
_of_process: Quota | None = None


def quotas_are(quotas: Mapping[Role, Quota]) -> None:
    """Say what each role may have, for as long as this process lives."""
    global _quotas
    _quotas = quotas


@contextmanager
def working_under(quota: Quota) -> Iterator[None]:
    """Hold this process to a quota within a block, in all its threads, whoever acts."""
    global _of_process
    before, _of_process = _of_process, quota
    try:
        yield
    finally:
        _of_process = before


def quota() -> Quota:
    """Return what who acts may have."""
    if _of_process is not None:
        return _of_process
    person = acting()
    return Quota() if person == LOCAL else _quotas.get(person.role, Quota())


def check_upload(n_bytes: int) -> None:
    """Refuse a file, or what has come of it so far, that is larger than who acts may upload.

    Raises
    ------
    QuotaError
    """
    most = quota().upload_mb
    if most is not None and n_bytes > most << 20:
        raise QuotaError("You can upload files of at most {most} MB; divide this one.", most=most)


def check_passages(n_passages: int) -> None:
    """Refuse that a library grows larger than who acts may have it.

    Raises
    ------
    QuotaError
    """
    most = quota().passages
    if most is not None and n_passages > most:
        raise QuotaError(
            "A library that you import into can have at most {most:,} passages; import less, or "
            "ask whoever runs this server.",
            most=most,
        )


def check_trainings(n_at_once: int) -> None:
    """Refuse one more training of who acts besides so many that wait or run.

    Raises
    ------
    QuotaError
    """
    most = quota().trainings
    if most is not None and n_at_once >= most:
        raise QuotaError(
            "You can have at most {most} trainings at once; wait until one has ended, or cancel "
            "one.",
            most=most,
        )


def check_hits(n_hits: int) -> None:
    """Refuse a search for more hits than who acts may fetch.

    Raises
    ------
    QuotaError
    """
    most = quota().hits
    if most is not None and n_hits > most:
        raise QuotaError("You can search for at most {most:,} hits at a time.", most=most)
