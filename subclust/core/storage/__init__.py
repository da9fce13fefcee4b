"""What lies on disks and in object storage: written whole, made again, or refused in a sentence."""

import re
from pathlib import Path, PosixPath

from subclust.core.exceptions import LibraryError, SettingsError

__all__ = ["StoragePath", "storage_path"]


_ADDRESS = re.compile(r"s3://[^/\s]+(/[^\s]*)?")


class StoragePath(PosixPath):
    """A place in S3-compatible object storage, which has no files that could be locked or renamed.

    It takes the place of the folder of the libraries, so that these are named and opened as those
    of a disk are. Whatever would touch a file of it is refused, since it asks for the file's name.
    """

    @property
    def url(self) -> str:
        """Its address, such as ``s3://bucket/prefix``."""
        return "s3://" + "/".join(self.parts[1:])

    def __str__(self) -> str:
        """Return its address."""
        return self.url

    def __fspath__(self) -> str:
        """Refuse to be a file.

        Raises
        ------
        LibraryError
        """
        raise LibraryError(
            "The libraries in {folder} lie in object storage, where they can be searched, "
            "browsed, exported and backed up, and added to with 'python -m subclust import FILE "
            "--library NAME --engine ray'; for anything else keep the library on a disk.",
            folder=self.url,
        )

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        """Do nothing: object storage has no folders."""


def storage_path(address: str) -> Path:
    """Read where libraries lie.

    Parameters
    ----------
    address : str
        ``s3://BUCKET`` or ``s3://BUCKET/PREFIX``, else a folder.

    Raises
    ------
    SettingsError
        If it is an address of another kind.
    """
    if "://" not in address:
        return Path(address)
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(
            "SUBCLUST_LIBRARIES must be a folder or an address such as s3://BUCKET/PREFIX, but is "
            "{address!r}.",
            address=address,
        )
    return StoragePath("s3:", *filter(None, address.removeprefix("s3://").split("/")))
