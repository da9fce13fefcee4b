"""A library embedded anew with another encoder, while it is searched and added to."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subclust.core.exceptions import LibraryError, LibraryNotFoundError
from subclust.core.records.progress import OpenProgress as Progress
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.synchronise import Synchronisation
from subclust.text.library import PassageLibrary
from subclust.text.library.folder import has_table
from subclust.text.library.pointer import Pointer
from subclust.text.library.schema import read_encoder
from subclust.text.library.versions import begin_version, building, open_version, sweep, switch

_MOST_ROUNDS = 20
_FEW = 512
"""So many passages, at most, are embedded while writers wait."""


@dataclass(frozen=True)
class ReembedReport:
    """What came of embedding a library anew, or of going back.

    Parameters
    ----------
    library : str
    version : int
        The one in use now.
    encoder_name, encoder_revision : str
        Of its vectors.
    n_passages : int
        In the library.
    n_encoded : int
        Passages that were embedded now.
    n_reused : int
        Passages whose vectors were there, from an earlier version or a run that was broken off.
    seconds : float
    switched : bool
        Whether another version is in use than before.
    """

    library: str
    version: int
    encoder_name: str
    encoder_revision: str
    n_passages: int
    n_encoded: int
    n_reused: int
    seconds: float
    switched: bool


def reembed(
    folder: Path, name: str, encoder: Encoder, *, progress: Progress | None = None
) -> ReembedReport:
    """Embed a library anew by another encoder.

    A new version is built beside the one in use, which is searched and written to meanwhile. What
    came in, was changed or was removed there is caught up with, at last while writers wait, and
    then the new version is put in use by renaming one file. Killed at any moment the library is as
    it was, and the next run goes on with what is embedded already. The version before is kept for
    `roll_back`; what was kept of earlier ones is taken away.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    encoder : Encoder
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in passages.

    Returns
    -------
    ReembedReport
        ``switched`` is False where the library had the vectors of this encoder already.

    Raises
    ------
    LibraryError
        If the library is missing, damaged, or just being embedded anew.
    """
    started = time.monotonic()
    with _alone_with(folder, name):
        library = PassageLibrary.open(folder, name)
        wanted = (encoder.name, encoder.revision)
        pointer = Pointer.load(folder, name)
        if (library.encoder_name, library.encoder_revision) == wanted:
            n = library.count()
            seconds = time.monotonic() - started
            return ReembedReport(name, pointer.current, *wanted, n, 0, n, seconds, False)
        previous = pointer.previous
        if previous is not None and _encoder_of(folder, name, previous) == wanted:
            number, target = previous, open_version(folder, name, previous)
        else:
            number, target = begin_version(
                folder,
                name,
                embedding_dim=encoder.embedding_dim,
                encoder_name=encoder.name,
                encoder_revision=encoder.revision,
            )
        return _caught_up(library, number, target, lambda: encoder, progress, started)


def roll_back(
    folder: Path,
    name: str,
    load: Callable[[str], Encoder],
    *,
    progress: Progress | None = None,
) -> ReembedReport:
    """Put the version before in use again, with all passages that the library has now.

    Parameters
    ----------
    folder : Path
        Of the libraries.
    name : str
    load : callable
        Gives the encoder of a name; called only where passages came in since the switch, which
        have to be embedded as the version before was.
    progress : callable, optional

    Raises
    ------
    LibraryError
        If there is no version before, or its encoder is another one by now.
    EncoderError
        If the encoder is needed and cannot be had.
    """
    started = time.monotonic()
    with _alone_with(folder, name):
        library = PassageLibrary.open(folder, name)
        previous = Pointer.load(folder, name).previous
        if previous is None:
            raise LibraryError(
                "The library {name!r} has no version before the one in use, so there is none to "
                "go back to.",
                name=name,
            )
        target = open_version(folder, name, previous)
        wanted = read_encoder(target.schema, name)

        def loaded() -> Encoder:
            encoder = load(wanted[0])
            if (encoder.name, encoder.revision) != wanted:
                raise LibraryError(
                    "Passages came into {name!r} since it was embedded anew, and the version "
                    "before needs the encoder {encoder} (revision {wanted}) for them, but that is "
                    "now at revision {revision}; embed the library anew with an encoder that is "
                    "there.",
                    name=name,
                    encoder=wanted[0],
                    wanted=wanted[1],
                    revision=encoder.revision,
                )
            return encoder

        return _caught_up(library, previous, target, loaded, progress, started)


def _caught_up(
    library: PassageLibrary,
    number: int,
    target: Any,
    load: Callable[[], Encoder],
    progress: Progress | None,
    started: float,
) -> ReembedReport:
    """Bring a version up to date, put it in use, and take away what nobody needs any more."""
    run = Synchronisation(library, target, load, progress)
    for _ in range(_MOST_ROUNDS):
        if run.catch_up() <= _FEW:
            break
    run.finish_indexes()
    with library.writing():
        run.catch_up()
        run.drop_surplus()
        run.check()
        switch(library.folder, library.name, number)
    sweep(library.folder, library.name)
    n_passages = int(target.count_rows())
    return ReembedReport(
        library.name,
        number,
        *read_encoder(target.schema, library.name),
        n_passages,
        run.n_encoded,
        max(0, n_passages - run.n_encoded),
        time.monotonic() - started,
        True,
    )


def _encoder_of(folder: Path, name: str, number: int) -> tuple[str, str]:
    return read_encoder(open_version(folder, name, number).schema, name)


@contextmanager
def _alone_with(folder: Path, name: str) -> Iterator[None]:
    PassageLibrary.open(folder, name)  # refuses a name that cannot be, or a library that is missing
    try:
        with building(folder, name):
            yield
    except (RuntimeError, OSError, ValueError) as error:
        if not has_table(folder, name):
            raise LibraryNotFoundError(
                "The library {name!r} was removed while it was being embedded anew.", name=name
            ) from error
        raise
