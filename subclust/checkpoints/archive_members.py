"""What comes in an archive from outside: which members there may be, and sound weights."""

import json
import shutil
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subclust.checkpoints.checkpoint import checked
from subclust.core.exceptions import CheckpointError
from subclust.core.messages import Message

FILES = ("config.json", "weights.safetensors", "card.json", "README.md")
SUMS_FILE = "SHA256SUMS"
"""Lists the sha256 of each of `FILES`, as ``sha256sum --check`` reads it."""

_LARGEST_TEXT = 16 * 1024**2
"""Bytes of any file but the weights."""

# A bit of a member's flags in the ZIP format.
_ENCRYPTED = 0x1
_KNOWN_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


_LARGEST_HEADER = 10 * 1024**2
"""Bytes of the description of the tensors."""

MOST_TENSORS = 20_000

_WIDTHS = {
    "BOOL": 1, "U8": 1, "I8": 1, "U16": 2, "I16": 2, "F16": 2,
    "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8,
}  # fmt: skip
"""Bytes of a number, by the name of its kind; other kinds are not used here."""


@dataclass(frozen=True)
class _Members:
    """What an archive holds."""

    method: str
    name: str
    files: Mapping[str, zipfile.ZipInfo]


def checked_members(archive: zipfile.ZipFile, shown: str, largest: int) -> _Members:
    """Check that an archive holds exactly the files of one checkpoint, before any is unpacked.

    They may be in any order, and unpack to so many bytes together.

    Raises
    ------
    CheckpointError
        If it holds anything else, a link or a folder, a file twice, or too much.
    """
    members = archive.infolist()
    if len(members) <= len(FILES) + 1 and sum(one.file_size for one in members) > largest:
        raise CheckpointError(
            "{file} would unpack to over {size}, so it is rejected.",
            file=shown,
            size=size_in_words(largest),
        )
    # One more than allowed is enough to reject an archive, even one of a million members.
    parts = [tuple(member.filename.split("/")) for member in members[: len(FILES) + 2]]
    owners = {part[:2] for part in parts}
    files = sorted(part[2] for part in parts if len(part) == 3)
    allowed = (sorted(FILES), sorted((*FILES, SUMS_FILE)))
    if len(owners) != 1 or len(files) != len(parts) or files not in allowed:
        raise CheckpointError(
            "{file} is not an exported checkpoint: it must hold exactly {names} of one "
            "checkpoint (and may hold {others}).",
            file=shown,
            names=", ".join(FILES),
            others=SUMS_FILE,
        )
    method, name = next(iter(owners))
    for member, part in zip(members, parts, strict=True):
        _check_member(member, part[2], shown)
    return _Members(
        checked(method),
        checked(name),
        {part[2]: member for member, part in zip(members, parts, strict=True)},
    )


def _check_member(member: zipfile.ZipInfo, file: str, shown: str) -> None:
    # The upper half is the Unix mode; it is 0 in archives made on Windows.
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise CheckpointError(
            "{file} in {shown} is not a plain file but, for example, a link, so it is rejected.",
            file=file,
            shown=shown,
        )
    # `orig_filename` is what the archive says, before what follows a zero byte is cut off.
    if "\0" in member.orig_filename:
        raise CheckpointError(
            "{file} in {shown} has a name that no file can have, so it is rejected.",
            file=file,
            shown=shown,
        )
    if member.compress_type not in _KNOWN_WAYS or member.flag_bits & _ENCRYPTED:
        raise CheckpointError(
            "{shown} is not an exported checkpoint: {file} is encrypted or packed in an unusual "
            "way; export it again.",
            shown=shown,
            file=file,
        )
    if member.file_size > _LARGEST_TEXT and not file.endswith(".safetensors"):
        raise CheckpointError(
            "{file} in {shown} would unpack to over {size}, so it is rejected.",
            file=file,
            shown=shown,
            size=size_in_words(_LARGEST_TEXT),
        )


def unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    """Unpack one member piece by piece, and no more of it than the archive has declared.

    Raises
    ------
    BadZipFile
        If it is not what was packed.
    """
    # zipfile stops at the declared size, which has been checked, whatever the data unpack to.
    with archive.open(member) as packed, target.open("wb") as stream:
        shutil.copyfileobj(packed, stream, 1024**2)


def size_in_words(size: int) -> str:
    """Write a limit: "2 GB", "200 MB"."""
    return f"{size / 1024**3:.0f} GB" if size >= 1024**3 else f"{size / 1024**2:.0f} MB"


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
        problem = Message("its header cannot be read")
    if problem:
        raise CheckpointError(
            "The weights are not a safetensors file: {problem}; export the model again, and "
            "use only exported files.",
            problem=problem,
        )


def _problem(path: Path) -> Message | None:
    size = path.stat().st_size
    with path.open("rb") as stream:
        header_size = int.from_bytes(stream.read(8), "little")
        if size < 10 or header_size > min(size - 8, _LARGEST_HEADER):
            return Message("its header is longer than it may be")
        header: Any = json.loads(stream.read(header_size).decode("utf-8"), object_pairs_hook=_once)
    if not isinstance(header, dict):
        return Message("its header is no list of tensors")
    tensors = {name: header[name] for name in header if name != "__metadata__"}
    if len(tensors) > MOST_TENSORS:
        return Message("it has more than {most_tensors:,} tensors", most_tensors=MOST_TENSORS)
    place = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = tensor["data_offsets"]
        expected = _WIDTHS.get(tensor["dtype"])
        if expected is None:
            return Message(
                "{name!r} is of the unknown kind {tensor!r}", name=name, tensor=tensor["dtype"]
            )
        for length in tensor["shape"]:
            if type(length) is not int or length < 0:
                return Message("{name!r} has a length that is not a whole number", name=name)
            expected *= length
        # `type`, because True is an instance of int. Each tensor must begin where the last one
        # ends, so that nothing can hide between them.
        if type(begin) is not int or begin != place or end - begin != expected:
            return Message("{name!r} does not lie where it should", name=name)
        place = end
    if place != size - 8 - header_size:
        return Message("it holds something else than tensors")
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found
