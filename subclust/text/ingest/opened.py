"""The library that an import goes into."""

from pathlib import Path

from subclust.core.exceptions import LibraryNotFoundError
from subclust.text.encoders.base import Encoder
from subclust.text.library import PassageLibrary


def opened_library(folder: Path, name: str, encoder: Encoder) -> tuple[PassageLibrary, bool]:
    """Open a library for vectors of an encoder, or make it where there is none of that name.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    encoder : Encoder
        Its dimension is asked for a new library only.

    Returns
    -------
    tuple of PassageLibrary and bool
        The library, and whether it was there.

    Raises
    ------
    InputError
        If the name cannot be used.
    LibraryError
        If the library was made with another encoder.
    """
    if name in PassageLibrary.names(folder):
        library = PassageLibrary.open(folder, name)
        library.check_encoder(encoder.name, encoder.revision)
        return library, True
    made = PassageLibrary.create(
        folder,
        name,
        embedding_dim=encoder.embedding_dim,
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
    return made, False


def refuse_deleted(folder: Path, name: str, error: Exception | None = None) -> None:
    """Refuse to go on with an import into a library that was deleted after it had begun.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    error : Exception, optional
        What came of it.

    Raises
    ------
    LibraryNotFoundError
        If there is no library of that name any more.
    """
    if name not in PassageLibrary.names(folder):
        raise LibraryNotFoundError(
            "The library {name!r} was deleted while documents came into it; put it back and let "
            "this go on, or import them again from the beginning.",
            name=name,
        ) from error
