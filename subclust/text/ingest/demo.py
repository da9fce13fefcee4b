"""The demo library: the Wikipedia articles that are installed with the requirements."""

import shutil
import time

from filelock import FileLock, Timeout

from subclust.core.exceptions import LibraryError
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import describe
from subclust.text.sources.wikidump import DEMO_PASSAGES, demo_dump

DEMO_LIBRARY = "demo"

_LONGEST_BUILD = 1800.0
_BATCH_SIZE = 256


def build_demo(
    settings: Settings, encoder: Encoder, progress: Progress | None = None
) -> IngestReport:
    """Build the demo library, unless it is there.

    It is built beside the libraries and moved among them when it is whole, so a library named
    ``demo`` is always complete. Killed, it goes on from its last batch when started again. One
    made with another encoder is replaced.

    Parameters
    ----------
    settings : Settings
    encoder : Encoder
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in passages.

    Returns
    -------
    IngestReport
        Everything unchanged where the demo was there.

    Raises
    ------
    SubclustError
        If the articles are not installed or not the right ones, or another process builds the demo
        for longer than half an hour.
    """
    if (there := _there(settings, encoder)) is not None:
        return there  # without a lock, which a disk that is full or read-only does not grant
    folder, building = settings.library_dir, settings.library_dir / ".building"
    building.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(building / ".demo-build.lock", timeout=_LONGEST_BUILD):
            # Another process may have built it while this one waited.
            if (there := _there(settings, encoder)) is not None:
                return there
            if DEMO_LIBRARY in PassageLibrary.names(building):
                half = PassageLibrary.open(building, DEMO_LIBRARY)
                if not _fits(half, encoder):
                    PassageLibrary.remove(building, DEMO_LIBRARY)
            if progress is not None:
                progress(0, DEMO_PASSAGES)  # the first batch takes seconds of imports
            report = ingest(
                demo_dump(),
                encoder,
                building,
                DEMO_LIBRARY,
                progress=progress,
                n_passages=DEMO_PASSAGES,
                batch_size=_BATCH_SIZE,
            )
            if DEMO_LIBRARY in PassageLibrary.names(folder):
                PassageLibrary.remove(folder, DEMO_LIBRARY)
            shutil.move(building / f"{DEMO_LIBRARY}.lance", folder / f"{DEMO_LIBRARY}.lance")
            return report
    except Timeout as error:
        raise LibraryError(
            "Another process has been building the demo library for half an hour; "
            "stop it and try again."
        ) from error


def _fits(library: PassageLibrary, encoder: Encoder) -> bool:
    mine = (encoder.name, encoder.revision)
    return (library.encoder_name, library.encoder_revision) == mine


def _there(settings: Settings, encoder: Encoder) -> IngestReport | None:
    """Return a report on the demo as it is; None if it is to be built."""
    started = time.monotonic()
    if DEMO_LIBRARY not in PassageLibrary.names(settings.library_dir):
        return None
    library = PassageLibrary.open(settings.library_dir, DEMO_LIBRARY)
    if not _fits(library, encoder):
        return None
    n_documents = describe(settings.library_dir, DEMO_LIBRARY).n_documents
    seconds = time.monotonic() - started
    return IngestReport(
        DEMO_LIBRARY, n_documents, 0, n_documents, 0, (), n_documents, seconds,
        n_passages=library.count(),
    )  # fmt: skip
