"""What is no longer as it was when a session was saved."""

from dataclasses import dataclass
from typing import Literal

from subclust.sessions.records import Origin


@dataclass(frozen=True)
class Change:
    """One thing that has changed since.

    Parameters
    ----------
    kind : {"library", "encoder", "model", "program"}
    then, now : str
        Name, or version, or for a library the number of its passages.
    """

    kind: Literal["library", "encoder", "model", "program"]
    then: str
    now: str


def changes(then: Origin, now: Origin) -> tuple[Change, ...]:
    """Compare what made a session's groups with what would make them now.

    Returns
    -------
    tuple of Change
        Empty where the same search would give the same groups.
    """
    found = []
    if (then.library, then.library_revision) != (now.library, now.library_revision):
        found.append(Change("library", f"{then.n_passages:,}", f"{now.n_passages:,}"))
    if (then.encoder, then.encoder_revision) != (now.encoder, now.encoder_revision):
        readers = [_version(one.encoder, one.encoder_revision) for one in (then, now)]
        found.append(Change("encoder", *readers))
    if (then.method, then.model_revision) != (now.method, now.model_revision):
        found.append(Change("model", _model(then), _model(now)))
    if then.subclust != now.subclust:
        found.append(Change("program", then.subclust, now.subclust))
    return tuple(found)


def _model(origin: Origin) -> str:
    if origin.checkpoint is None:
        return origin.method
    return _version(f"{origin.method}/{origin.checkpoint}", origin.model_revision or "")


def _version(name: str, revision: str) -> str:
    return f"{name} ({revision[:8]})" if revision else name
