"""A ZIP archive of exports."""

import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from subclust.core.exceptions import FileFormatError, SubclustError
from subclust.core.messages import Message, joined
from subclust.text.sources import KNOWN_BY_NAME
from subclust.text.sources.base import Document, Refusal, Source, absent, name_on_disk
from subclust.text.sources.workbook_safety import DAMAGES, archive_fault

_IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini", "~$")
_UNPACK = Message("Unpack the archive and import the file by itself.")
_AGAIN = Message("Then import it by itself, or the archive again.")
_UTF8 = 0x800


class Archive(Source):
    """The files in a ZIP archive, each read as if it were imported by itself."""

    label = Message("ZIP archive of exports")

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the files in the order of the archive; what cannot be read is refused, and why.

        Raises
        ------
        FileFormatError
            If the archive cannot be unpacked, or nothing in it is read.
        """
        if not self.path.is_file():
            raise absent(self.path)
        if fault := archive_fault(self.path):
            raise FileFormatError(
                "{file} {fault}; unpack it, and import the files in it.",
                file=self.path.name,
                fault=fault,
            )
        found = False
        refusals: list[Refusal] = []
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(self.path) as archive:
            members = [
                one for one in archive.infolist()
                if not one.is_dir() and not any(part in one.filename for part in _IGNORED)
            ]  # fmt: skip
            called = [_called(one) for one in members]
            unpacked = [
                (given, self._unpacked(archive, one, Path(folder) / str(number) / name))
                for number, (one, given, name) in enumerate(
                    zip(members, called, _names(called), strict=True)
                )
            ]
            formats = [self._format(path) for _, path in unpacked]
            has_records = any(one and one not in KNOWN_BY_NAME for one in formats)
            for (name, path), format_ in zip(unpacked, formats, strict=True):
                # Beside exports, a text is a read-me rather than a document.
                if path is None or (has_records and format_ == "text"):
                    shown = PurePosixPath(name).name
                    nothing = Message("{file} has no readable records.", file=shown)
                    refusals.append(_refused(name, nothing, _UNPACK))
                    continue
                try:
                    for item in self._member(path):
                        found = True
                        yield _within(item, name)
                except SubclustError as error:
                    refusals.append(_refused(name, error.sentence, _AGAIN))
            if not found:
                why = joined((one.reason for one in refusals[:3]), " ")
                raise FileFormatError(
                    "{file} is an archive without a file that can be read; unpack it and see "
                    "what is in it. {why}",
                    why=why,
                    file=self.path.name,
                )
        yield from refusals

    def _unpacked(
        self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path
    ) -> Path | None:
        path.parent.mkdir()
        try:
            with archive.open(member) as stream, path.open("wb") as target:
                shutil.copyfileobj(stream, target)
        except DAMAGES:
            return None
        return path

    def _format(self, path: Path | None) -> str | None:
        from subclust.text.sources.opening import format_of

        return format_of(path) if path is not None else None

    def _member(self, path: Path) -> Source:
        from subclust.text.sources.opening import open_source

        source = open_source(path, collection=self.collection, encoding=self.encoding)
        if isinstance(source, Archive):
            raise FileFormatError("It is an archive within an archive, which is not read.")
        return source


def _called(member: zipfile.ZipInfo) -> str:
    """Return a file's name; a Mac writes it in UTF-8 without saying so."""
    if not member.flag_bits & _UTF8:
        with suppress(UnicodeError):
            return member.filename.encode("cp437").decode()
    return member.filename


def _names(members: Sequence[str]) -> list[str]:
    """Return what each file is called on disk, which is what a text or PDF is known by.

    It begins with the folders where several files have one name.
    """
    paths = [PurePosixPath(one) for one in members]
    n_called = Counter(name_on_disk(path.name).casefold() for path in paths)
    return [
        name_on_disk(
            path.name
            if n_called[name_on_disk(path.name).casefold()] == 1
            else " - ".join(part for part in path.parts if part not in ("/", ".."))
        )
        for path in paths
    ]


def _refused(name: str, reason: str, advice: str) -> Refusal:
    return Refusal(PurePosixPath(name).name, reason, advice)


def _within(item: Document | Refusal, name: str) -> Document | Refusal:
    from dataclasses import replace

    place = Message("{file}, {place}", file=PurePosixPath(name).name, place=item.place)
    return replace(item, place=place)
