"""Which checkpoints the jobs that wait or run start from."""

from collections.abc import Sequence
from pathlib import Path

from subclust.jobs import JobStore, is_alive, job_state

_GOING_ON = ("queued", "running", "cancelling")
_COMMANDS = ("train", "tune")


def bases_of_jobs(folder: Path) -> dict[str, str]:
    """Tell which checkpoints are needed by jobs that wait or run.

    Parameters
    ----------
    folder : Path
        Of the jobs.

    Returns
    -------
    dict of str to str
        For each ``METHOD/NAME``, the job in words.
    """
    return {
        base: f"the job {job.id}"
        for job in JobStore(folder).jobs()
        if job_state(job, is_alive(job)) in _GOING_ON and (base := base_in(job.argv))
    }


def base_in(argv: Sequence[str]) -> str | None:
    """Find what a training starts from in the words of its command line, as ``METHOD/NAME``."""
    if len(argv) < 2 or argv[0] not in _COMMANDS:
        return None
    given = None
    for word, following in zip(argv, [*argv[1:], ""], strict=True):
        if word == "--base":
            given = following
        elif word.startswith("--base="):
            given = word.removeprefix("--base=")
    if not given:
        return None
    return given if "/" in given else f"{argv[1]}/{given}"
