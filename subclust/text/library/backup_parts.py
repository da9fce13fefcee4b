"""The parts of a backup, and what is believed of one that somebody hands in: nothing unchecked."""

import hashlib
import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from pydantic import NonNegativeInt

from subclust.core.exceptions import LibraryError
from subclust.core.messages import Message
from subclust.core.records import FloatArray, Passage
from subclust.core.storage.damaged import read_typed
from subclust.text.library.schema import STORED

MANIFEST = "manifest.json"
_FORMAT = "subclust-library"
_FORMAT_VERSION = 1
_LARGEST_PART = 1024**3
_LARGEST_MANIFEST = 64 * 1024**2
_MOST_DIMENSIONS = 65_536

_MOST_SHRUNK = 200
"""Texts become 3 to 6 times smaller; what becomes so many times larger is no backup of ours."""

_NAME = re.compile(r"(passages-\d{6}\.jsonl|embeddings-\d{6}\.f32)")


@dataclass(frozen=True)
class Part:
    """A file in a backup.

    Parameters
    ----------
    name : str
        ``passages-000000.jsonl`` or ``embeddings-000000.f32``.
    n_bytes : int
    sha256 : str
    n_passages : int
    """

    name: str
    n_bytes: NonNegativeInt
    sha256: str
    n_passages: NonNegativeInt

    @property
    def is_vectors(self) -> bool:
        """Whether it holds vectors, and not passages."""
        return self.name.endswith(".f32")


@dataclass(frozen=True)
class BackupManifest:
    """What a backup says of itself.

    Parameters
    ----------
    name : str
        Of the library.
    n_passages : int
    encoder_name, encoder_revision : str
    embedding_dim : int
    created : str
        Date and time, UTC.
    parts : tuple of Part
        Passages and their vectors in turn.
    """

    name: str
    n_passages: NonNegativeInt
    encoder_name: str
    encoder_revision: str
    embedding_dim: NonNegativeInt
    created: str
    parts: tuple[Part, ...]

    @property
    def n_bytes(self) -> int:
        """Of all parts, unpacked."""
        return sum(part.n_bytes for part in self.parts)

    def to_json(self) -> str:
        """Write it as it stands in the file."""
        return json.dumps({"format": _FORMAT, "version": _FORMAT_VERSION, **asdict(self)}, indent=1)


def no_backup(shown: str, why: Message) -> LibraryError:
    """Make the error that a file is no backup, or damaged."""
    return LibraryError(
        "{file} is not a complete backup of a library ({why}), so nothing was restored; "
        "download or make it again.",
        file=shown,
        why=why,
    )


def written_part(
    passages: Sequence[Passage], vectors: FloatArray, number: int
) -> tuple[tuple[Part, bytes], tuple[Part, bytes]]:
    """Write passages and their vectors as two files.

    Parameters
    ----------
    passages : sequence of Passage
    vectors : ndarray of shape (n_passages * embedding_dim,)
        Little-endian float32.
    number : int
        Of the part, from 0.
    """
    lines = [
        json.dumps({key: getattr(passage, key) for key in STORED[:-2]}
                   | {"metadata": dict(passage.metadata)})
        for passage in passages
    ]  # fmt: skip
    texts = "".join(f"{line}\n" for line in lines).encode()

    def part(name: str, content: bytes) -> tuple[Part, bytes]:
        digest = hashlib.sha256(content).hexdigest()
        return Part(name, len(content), digest, len(passages)), content

    return (
        part(f"passages-{number:06}.jsonl", texts),
        part(f"embeddings-{number:06}.f32", vectors.tobytes()),
    )


def checked_manifest(archive: zipfile.ZipFile, shown: str) -> BackupManifest:
    """Read the manifest and hold it against the archive's list of files.

    Raises
    ------
    LibraryError
        Unless there are just the parts that it names, each of the size that it says.
    """
    members = {info.filename: info for info in archive.infolist()}
    if len(members) != len(archive.infolist()):
        raise no_backup(shown, Message("it holds two files of the same name"))
    if MANIFEST not in members:
        raise no_backup(shown, Message("it holds no {manifest}", manifest=MANIFEST))
    if members[MANIFEST].file_size > _LARGEST_MANIFEST:
        raise no_backup(shown, Message("its {manifest} is far too large", manifest=MANIFEST))
    manifest = _manifest(_content(archive, members[MANIFEST], _LARGEST_MANIFEST, shown), shown)
    for number, part in enumerate(manifest.parts):
        kind = "embeddings-{:06}.f32" if number % 2 else "passages-{:06}.jsonl"
        if part.name != kind.format(number // 2):
            raise no_backup(shown, Message("its parts have other names"))
        info = members.pop(part.name, None)
        if info is None:
            raise no_backup(shown, Message("{part} is missing", part=part.name))
        if info.file_size != part.n_bytes or part.n_bytes > _LARGEST_PART:
            raise no_backup(shown, Message("{part} has another size", part=part.name))
        if info.file_size > 1024**2 and info.file_size > _MOST_SHRUNK * info.compress_size:
            raise no_backup(
                shown, Message("{part} would become far larger than it is", part=part.name)
            )
        if part.is_vectors and part.n_bytes != 4 * part.n_passages * manifest.embedding_dim:
            raise no_backup(
                shown, Message("{part} does not hold a vector for each passage", part=part.name)
            )
    if set(members) != {MANIFEST}:
        raise no_backup(shown, Message("it holds files that belong to no backup"))
    return manifest


def read_part(
    archive: zipfile.ZipFile, texts: Part, vectors: Part, manifest: BackupManifest, shown: str
) -> tuple[list[Passage], FloatArray]:
    """Read some passages and their vectors.

    Returns
    -------
    list of Passage
        n_passages of them.
    ndarray of shape (n_passages, embedding_dim)

    Raises
    ------
    LibraryError
        If they are not what was written.
    """
    lines = _whole(archive, texts, shown).splitlines()
    if len(lines) != texts.n_passages or len({*lines}) != len(lines):
        raise no_backup(
            shown, Message("{texts} does not hold the passages that it should", texts=texts.name)
        )
    try:
        passages = [_passage(line) for line in lines]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise no_backup(
            shown, Message("a passage in {texts} cannot be read", texts=texts.name)
        ) from error
    flat = np.frombuffer(_whole(archive, vectors, shown), dtype="<f4").astype(np.float32)
    if not np.isfinite(flat).all():
        raise no_backup(
            shown,
            Message("{vectors} contains something that is not a number", vectors=vectors.name),
        )
    return passages, flat.reshape(len(passages), manifest.embedding_dim)


def _whole(archive: zipfile.ZipFile, part: Part, shown: str) -> bytes:
    content = _content(archive, archive.getinfo(part.name), part.n_bytes, shown)
    if len(content) != part.n_bytes or hashlib.sha256(content).hexdigest() != part.sha256:
        raise no_backup(shown, Message("{part} is not what was written", part=part.name))
    return content


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, shown: str) -> bytes:
    """Read a file, and never more than it may have, whatever the archive says."""
    with archive.open(info) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise no_backup(
            shown, Message("{filename} is larger than it should be", filename=info.filename)
        )
    return content


def _manifest(content: bytes, shown: str) -> BackupManifest:
    try:
        read = json.loads(content)
        if read["format"] != _FORMAT:
            raise no_backup(shown, Message("its manifest is of something else"))
        if read["version"] != _FORMAT_VERSION:
            raise LibraryError(
                "{file} was written by another version of Subclust (layout {layout!r}, "
                "expected {expected}); restore it with that version.",
                file=shown,
                layout=read["version"],
                expected=_FORMAT_VERSION,
            )
        manifest = read_typed(BackupManifest, content)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise no_backup(shown, Message("its manifest cannot be read")) from error
    parts = manifest.parts
    fits = (
        len(parts) % 2 == 0
        and 1 <= manifest.embedding_dim <= _MOST_DIMENSIONS
        and all(_NAME.fullmatch(part.name) for part in parts)
        and [part.n_passages for part in parts[::2]] == [part.n_passages for part in parts[1::2]]
        and sum(part.n_passages for part in parts[::2]) == manifest.n_passages
    )
    if not fits:
        raise no_backup(shown, Message("its manifest contradicts itself"))
    return manifest


def _passage(line: bytes) -> Passage:
    read = json.loads(line)
    if set(read) != set(STORED[:-1]) or not isinstance(metadata := read["metadata"], dict):
        raise ValueError("another kind of record")
    optional = [read[name] for name in ("label", "path") if read[name] is not None]
    texts = [*(read[name] for name in STORED[:4]), *optional, *metadata, *metadata.values()]
    if not all(isinstance(one, str) for one in texts):
        raise TypeError("no text")
    return Passage(**read)
