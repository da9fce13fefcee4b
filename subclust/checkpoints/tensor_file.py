"""Whether a file from outside is what a safetensors file should be, before it is loaded."""

import json
from pathlib import Path
from typing import Any

from subclust.core.exceptions import CheckpointError
from subclust.core.messages import Message

LARGEST_HEADER = 10 * 1024**2
"""Bytes of the description of the tensors."""

MOST_TENSORS = 20_000

WIDTHS = {
    "BOOL": 1, "U8": 1, "I8": 1, "U16": 2, "I16": 2, "F16": 2,
    "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8,
}  # fmt: skip
"""Bytes of a number, by the name of its kind; other kinds are not used here."""


def check_tensor_file(path: Path) -> None:
    """Check the header of a safetensors file against the file.

    Raises
    ------
    CheckpointError
        If a tensor is of an unknown kind, does not lie in the file, overlaps another, or has
        another length than its shape asks for; or if there is anything in the file but tensors.
    """
    try:
        problem = _problem(path)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        problem = "its header cannot be read"
    if problem:
        raise CheckpointError(
            "The weights are no safetensors file: {problem}; export the model again, and take no "
            "other files than exported ones.",
            problem=problem,
        )


def _problem(path: Path) -> str | None:
    size = path.stat().st_size
    with path.open("rb") as stream:
        header_size = int.from_bytes(stream.read(8), "little")
        if size < 10 or header_size > min(size - 8, LARGEST_HEADER):
            return "its header is longer than it may be"
        header: Any = json.loads(stream.read(header_size).decode("utf-8"), object_pairs_hook=_once)
    if not isinstance(header, dict):
        return "its header is no list of tensors"
    tensors = {name: header[name] for name in header if name != "__metadata__"}
    if len(tensors) > MOST_TENSORS:
        return Message("it has more than {most_tensors:,} tensors", most_tensors=MOST_TENSORS)
    place = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = tensor["data_offsets"]
        expected = WIDTHS.get(tensor["dtype"])
        if expected is None:
            return Message(
                "{name!r} is of the unknown kind {tensor!r}", name=name, tensor=tensor["dtype"]
            )
        for length in tensor["shape"]:
            if type(length) is not int or length < 0:
                return Message("{name!r} has a length that is no whole number", name=name)
            expected *= length
        if type(begin) is not int or begin != place or end - begin != expected:
            return Message("{name!r} does not lie where it should", name=name)
        place = end
    return None if place == size - 8 - header_size else "it holds something else than tensors"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found
