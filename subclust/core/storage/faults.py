"""What went wrong outside of the program, in a sentence: the disk, or memory."""

import errno

from subclust.core.exceptions import OutOfMemoryError, StorageError, SubclustError
from subclust.core.storage.disk import refusal
from subclust.core.storage.presence import check_there


def fault_of(error: BaseException) -> SubclustError | None:
    """Return what an error, or one that caused it, means to people.

    Returns
    -------
    SubclustError or None
        None where it is a fault of the program's own.
    """
    chain = chain_of(error)
    try:
        if any(isinstance(one, OSError) for one in chain):
            check_there()
    except StorageError as gone:
        return gone
    for one in chain:
        if isinstance(one, SubclustError):
            return one
        if is_out_of_memory(one):
            return OutOfMemoryError(
                "There is not enough memory for this now; try again in a moment, or ask for fewer "
                "passages."
            )
        if (told := refusal(one)) is not None:
            file = getattr(one, "filename", None)
            return StorageError(
                "Something could not be read or written: {reason}{place}; {advice}.",
                reason=told[0],
                place=f" ({file})" if file else "",
                advice=told[1],
            )
    return None


def chain_of(error: BaseException | None) -> list[BaseException]:
    """Return an error and what it came of, the last first."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether memory ran out, of the computer or of a graphics card."""
    # PyTorch's class is recognised by its name, so that PyTorch need not be imported.
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    # On processors and Apple's chips PyTorch raises a bare RuntimeError; only its words tell.
    told = str(error).lower()
    return isinstance(error, RuntimeError) and (
        "out of memory" in told or "can't allocate memory" in told or "not enough memory" in told
    )
