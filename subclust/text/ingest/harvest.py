"""All that a live source has of something into a library, page by page, across kills."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.storage.cache_file import set_aside
from subclust.core.storage.disk import refusals_told
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.harvest_state import HarvestState
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import IngestReport
from subclust.text.sources.live.base import LiveSource, Page, PlaceLostError
from subclust.text.sources.live.transport import RefusedError

MOST_RESTARTS = 2
"""Times in one run that a harvest begins again because the service has forgotten its place."""

_log = logging.getLogger(__name__)

OpenSource = Callable[[HarvestState], LiveSource]
"""Makes the source that a harvest asks; refuses where it is switched off."""


def harvest(
    folder: Path,
    state: HarvestState,
    open_source: OpenSource,
    encoder: Encoder,
    library_dir: Path,
    *,
    resume: bool = False,
    most_records: int | None = None,
    progress: Progress | None = None,
) -> HarvestState:
    """Fetch page after page and import each before the next is asked for.

    A page is first in the library and then in the harvest's state, which is replaced by renaming:
    killed at any moment, a harvest that is resumed asks again for one page at most, and what of it
    is in the library counts as there already. Where the service has forgotten the place, as
    resumption tokens expire, it begins again; nothing comes into the library twice.

    Parameters
    ----------
    folder : Path
        Of the harvests, ``Settings.harvests_dir``.
    state : HarvestState
        A new one; with ``resume`` what is on disk of the same harvest counts instead.
    open_source : callable
    encoder : Encoder
    library_dir : Path
        Of the libraries.
    resume : bool
        Whether to go on where the same harvest was broken off; one that had ended is not asked for
        again.
    most_records : int, optional
        Stop, so that it can be resumed, when so many have been read in all.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in records after each page.

    Returns
    -------
    HarvestState
        As it is on disk.

    Raises
    ------
    LiveSourceError
        If the source is off or gives no answer in the end; what came before is kept.
    LibraryError
        If the library was made with another encoder, is held by another writer, or was deleted
        meanwhile.
    """
    try:
        with refusals_told(Message("The harvest cannot begin"), folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / f"{state.name}.lock")
            lock.acquire(timeout=0)
    except Timeout as error:
        raise LiveSourceError(
            "This is being harvested into {name} already; wait until that has ended.",
            name=state.library,
        ) from error
    try:
        before = _before(folder, state.name) if resume else None
        if before is not None and before.finished:
            return before
        run = _Harvest(folder, before or state, open_source, encoder, library_dir, progress)
        return run.run(most_records)
    finally:
        lock.release()


def _before(folder: Path, name: str) -> HarvestState | None:
    """Read how far a harvest is; one of which that cannot be read begins anew."""
    try:
        return HarvestState.load(folder, name)
    except LiveSourceError:
        file = folder / f"{name}.json"
        with refusals_told(Message("The harvest cannot begin"), folder):
            set_aside(file)
        _log.warning("The state %s was damaged and set aside; the harvest begins anew.", file)
        return None


class _Harvest:
    """One run of `harvest`."""

    def __init__(
        self,
        folder: Path,
        state: HarvestState,
        open_source: OpenSource,
        encoder: Encoder,
        library_dir: Path,
        progress: Progress | None,
    ) -> None:
        self.folder = folder
        self.state = state
        self.source = open_source(state)
        self.encoder = encoder
        self.library_dir = library_dir
        self.progress = progress
        self.n_restarts = 0

    def run(self, most_records: int | None) -> HarvestState:
        resumed = self.state.place is not None
        self.state.save(self.folder)
        while not self.state.finished:
            if most_records is not None and self.state.n_read >= most_records:
                break
            started = time.monotonic()
            page = self._next_page(resumed)
            resumed = False
            if page is None:
                continue
            report = self._imported(page)
            self.state = self.state.after(page, report, time.monotonic() - started)
            self.state.save(self.folder)
            if self.progress is not None:
                self.progress(self.state.n_records, self.state.total)
        return self.state

    def _next_page(self, resumed: bool) -> Page | None:
        """Ask for a page; None where the service forgot the place and the harvest begins anew."""
        try:
            page = self.source.page(self.state.place, self.source.card.page_size)
        except (PlaceLostError, RefusedError) as error:
            lost = isinstance(error, PlaceLostError) or resumed
            if not lost or self.state.place is None or self.n_restarts >= MOST_RESTARTS:
                raise
            self.n_restarts += 1
            self.state = self.state.restarted()
            self.state.save(self.folder)
            return None
        if page.next is not None and self.state.is_last_page(page):
            raise LiveSourceError(
                "{source} gives the same page of records again and again; what came before is "
                "kept. Try again later, or harvest in smaller parts.",
                source=self.source.card.label,
            )
        return page

    def _imported(self, page: Page) -> IngestReport | None:
        if not page.items:
            return None
        # To look for near-duplicates is to read the whole library, which each page would do.
        return ingest(
            page.items,
            self.encoder,
            self.library_dir,
            self.state.library,
            find_near_duplicates=False,
            has_begun=bool(self.state.n_imported or self.state.n_unchanged),
        )
