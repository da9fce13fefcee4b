"""The members of a zip file from outside: which there may be, and how large."""

import shutil
import stat
import zipfile
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from subclust.checkpoints.checkpoint import checked
from subclust.core.exceptions import CheckpointError

LARGEST_TEXT = 16 * 1024**2
"""Bytes of any file but the weights."""

_ENCRYPTED = 0x1
_KNOWN_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True)
class Members:
    """What an archive holds.

    Parameters
    ----------
    method, name : str
        Of its one checkpoint, safe as names of folders.
    files : mapping of str to ZipInfo
        By the name of the file.
    """

    method: str
    name: str
    files: Mapping[str, zipfile.ZipInfo]


def checked_members(
    archive: zipfile.ZipFile,
    shown: str,
    expected: Sequence[str],
    optional: Set[str],
    largest: int,
) -> Members:
    """Check that an archive holds exactly the files of one checkpoint, before any is unpacked.

    Parameters
    ----------
    archive : ZipFile
    shown : str
        Its name, in sentences.
    expected : sequence of str
        Names of the files, in any order in the archive.
    optional : set of str
        Those of them that may be missing.
    largest : int
        Bytes that all may have together.

    Raises
    ------
    CheckpointError
        If it holds anything else, a link or a folder, a file twice, or too much.
    """
    members = archive.infolist()
    if len(members) <= len(expected) and sum(one.file_size for one in members) > largest:
        raise CheckpointError(
            "{file} would unpack to over {size} and is refused.",
            file=shown,
            size=size_in_words(largest),
        )
    parts = [tuple(member.filename.split("/")) for member in members[: len(expected) + 1]]
    owners = {part[:2] for part in parts}
    files = sorted(part[2] for part in parts if len(part) == 3)
    allowed = (sorted(expected), sorted(set(expected) - optional))
    if len(owners) != 1 or len(files) != len(parts) or files not in allowed:
        needed = [file for file in expected if file not in optional]
        raise CheckpointError(
            "{file} is not an exported checkpoint: it must hold exactly {names} of one "
            "checkpoint (and may hold {others}).",
            file=shown,
            names=", ".join(needed),
            others=", ".join(sorted(optional)),
        )
    method, name = next(iter(owners))
    for member, part in zip(members, parts, strict=True):
        _check_member(member, part[2], shown)
    return Members(
        checked(method),
        checked(name),
        {part[2]: member for member, part in zip(members, parts, strict=True)},
    )


def _check_member(member: zipfile.ZipInfo, file: str, shown: str) -> None:
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise CheckpointError(
            "{file} in {shown} is no plain file but a link or the like; refused.",
            file=file,
            shown=shown,
        )
    # `orig_filename` is what the archive says, before what follows a zero byte is cut off.
    if "\0" in member.orig_filename:
        raise CheckpointError(
            "{file} in {shown} has a name that no file can have; refused.", file=file, shown=shown
        )
    if member.compress_type not in _KNOWN_WAYS or member.flag_bits & _ENCRYPTED:
        raise CheckpointError(
            "{shown} is not an exported checkpoint: {file} is encrypted or packed in an unusual "
            "way; export it again.",
            shown=shown,
            file=file,
        )
    if member.file_size > LARGEST_TEXT and not file.endswith(".safetensors"):
        raise CheckpointError(
            "{file} in {shown} would unpack to over {size} and is refused.",
            file=file,
            shown=shown,
            size=size_in_words(LARGEST_TEXT),
        )


def unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    """Unpack one member piece by piece, and no more of it than the archive has declared.

    Raises
    ------
    BadZipFile
        If it is not what was packed.
    """
    with archive.open(member) as packed, target.open("wb") as stream:
        shutil.copyfileobj(packed, stream, 1024**2)


def size_in_words(size: int) -> str:
    """Write a limit: "2 GB", "200 MB"."""
    return f"{size / 1024**3:.0f} GB" if size >= 1024**3 else f"{size / 1024**2:.0f} MB"
