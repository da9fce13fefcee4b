"""Why a job failed, in one sentence, and the way out."""

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from subclust.core.exceptions import SubclustError
from subclust.core.messages import N_, Message
from subclust.core.storage.faults import chain_of, fault_of, is_out_of_memory
from subclust.jobs.record import Job

_FULL = N_(
    "Delete what is no longer needed, then resume the job; it continues from its last saved state."
)
RESUME = N_("Resume the job; it continues from its last saved state.")
_SMALLEST_BATCH = 4


@dataclass(frozen=True)
class Failure:
    """What went wrong and what to do.

    Parameters
    ----------
    changes : mapping of str to value
        Settings with which a clone may get through.
    is_fault : bool
        Whether it is the program's own, which should be seen whole.
    """

    sentence: str
    way_out: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    is_fault: bool = False

    @property
    def whole(self) -> str:
        """Reason and way out in one sentence."""
        return f"{self.sentence.rstrip('.')}; {self.way_out[:1].lower()}{self.way_out[1:]}"


def failure_of(error: BaseException, batch_passages: int | None = None) -> Failure:
    """Return what an error means to people."""
    for one in chain_of(error):
        # In the whole chain, because libraries, and we, wrap such errors in others.
        if is_out_of_memory(one):
            return _out_of_memory(batch_passages, on_device="OutOfMemory" in type(one).__name__)
        if _disk_full(one):
            return Failure(N_("The disk is full, so nothing more could be saved."), _FULL)
    if not isinstance(error, SubclustError):
        error = fault_of(error) or error
    if isinstance(error, SubclustError):
        # By convention our sentences read "REASON; ADVICE."
        _, semicolon, advice = error.sentence.rpartition("; ")
        way_out = f"{advice[0].upper()}{advice[1:]}" if semicolon and advice else ""
        return Failure(
            error.sentence,
            way_out or N_("Clone the job with other settings, or see its log for more."),
        )
    if isinstance(error, KeyboardInterrupt | SystemExit):
        return Failure(
            N_("The command ended before its work was done."), N_("See the log for the reason.")
        )
    return Failure(
        Message(
            "The program itself failed ({kind}: {error}).",
            kind=type(error).__name__,
            error=one_line(str(error)),
        ),
        N_("Resume the job once; if it fails again, report the end of its log."),
        is_fault=True,
    )


def _out_of_memory(batch_passages: int | None, *, on_device: bool = False) -> Failure:
    """Return that memory ran out, with half the batch as the way out."""
    sentence = (
        N_("The graphics card ran out of memory.")
        if on_device
        else N_("The computer ran out of memory.")
    )
    if batch_passages is None or batch_passages < 2 * _SMALLEST_BATCH:
        return Failure(
            sentence,
            N_("Close other programs and resume the job, or clone it with a smaller max_passages."),
        )
    half = batch_passages // 2
    return Failure(
        sentence,
        Message(
            "Train with smaller batches: {half} passages instead of {whole}.",
            half=half,
            whole=batch_passages,
        ),
        {"batch_passages": half},
    )


def ended_by_system(job: Job) -> Failure:
    """Return that the system ended a job for want of memory."""
    why = N_("The system ended the job, most likely because memory ran out.")
    return replace(_out_of_memory(job.batch_passages), sentence=why)


def _disk_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    told = str(error).lower()
    return "no space left on device" in told or "disk is full" in told


def one_line(text: str) -> str:
    """Return the beginning of a text on one line, for a sentence that quotes it."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]} …"
