"""All that a live source has of something into a library, page by page, across kills."""

import hashlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from filelock import FileLock, Timeout

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.storage.cache_file import set_aside
from subclust.core.storage.damaged import Damaged, sorted_out, typed
from subclust.core.storage.disk import check_reached, refusals_told, write_whole
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.local import ingest
from subclust.text.ingest.report import MOST_REFUSALS, IngestReport, counts_in_words
from subclust.text.sources.base import Refusal
from subclust.text.sources.live.base import LiveRequest, LiveSource, Page, PlaceLostError
from subclust.text.sources.live.transport import RefusedError

_VERSION = 1
_COUNTS = (
    "n_read", "n_imported", "n_unchanged", "n_refused", "n_mended", "n_merged", "n_passages",
    "n_passages_imported",
)  # fmt: skip
MOST_RESTARTS = 2
"""Times in one run that a harvest begins again because the service has forgotten its place."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HarvestState:
    """What is harvested, where the next page begins, and what became of those before.

    Parameters
    ----------
    source : str
        Name of the live source.
    request : LiveRequest
    library, collection : str
        Where the passages go, and the name they carry.
    place : str or None
        What the next page is asked with; None before the first one.
    finished : bool
        Whether the last page is there.
    n_pages, n_records : int
        That came.
    total : int or None
        Records in all, where the service says.
    n_read, n_imported, n_unchanged, n_merged, n_refused, n_mended : int
        As in `IngestReport`, of all pages.
    n_passages, n_passages_imported : int
        As there.
    refusals : tuple of Refusal
        The first `MOST_REFUSALS` of them.
    n_begun_again : int
        Times that it began anew because the service had forgotten the place.
    seconds : float
        Spent on all pages.
    changed_at : float
        In seconds since 1970.
    last_page : str
        Stands for the ids of the last page.
    """

    source: str
    request: LiveRequest
    library: str
    collection: str
    place: str | None = None
    finished: bool = False
    n_pages: int = 0
    n_records: int = 0
    total: int | None = None
    n_read: int = 0
    n_imported: int = 0
    n_unchanged: int = 0
    n_refused: int = 0
    n_mended: int = 0
    refusals: tuple[Refusal, ...] = ()
    n_begun_again: int = 0
    seconds: float = 0.0
    changed_at: float = field(default_factory=time.time)
    last_page: str = ""
    n_merged: int = 0
    n_passages: int = 0
    n_passages_imported: int = 0

    @property
    def name(self) -> str:
        """Of its file: the same harvest into the same library has the same one."""
        asked = json.dumps([self.source, asdict(self.request), self.collection], sort_keys=True)
        digest = hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()[:12]
        return f"{self.library}-{self.source}-{digest}"

    def words(self, most: int) -> list[str]:
        """Return the words of the command that harvests at most so many records, for a job."""
        request = self.request
        options = {
            "library": self.library,
            "max": most,
            "url": request.url,
            "set": request.set,
            "from": request.since,
            "until": request.until,
            "language": request.language if self.source == "wikipedia" else "",
        }
        given = [f"--{name}={value}" for name, value in options.items() if value]
        return ["harvest", self.source, *([request.query] if request.query else []), *given]

    def after(self, page: Page, report: IngestReport | None, seconds: float) -> "HarvestState":
        """Return the state once a page is in the library; ``report`` is None for an empty one."""
        counted = replace(
            self,
            place=page.next,
            finished=page.next is None,
            n_pages=self.n_pages + 1,
            n_records=self.n_records + len(page.items),
            total=page.total if page.total is not None else self.total,
            seconds=self.seconds + seconds,
            changed_at=time.time(),
            last_page=_digest(page),
        )
        if report is None:
            return counted
        counts = {name: getattr(self, name) + getattr(report, name) for name in _COUNTS}
        room = MOST_REFUSALS - len(self.refusals)
        return replace(counted, **counts, refusals=self.refusals + report.refusals[:room])

    def restarted(self) -> "HarvestState":
        """Return the state with which it begins anew."""
        fresh = HarvestState(self.source, self.request, self.library, self.collection)
        return replace(fresh, n_begun_again=self.n_begun_again + 1, seconds=self.seconds)

    def is_last_page(self, page: Page) -> bool:
        """Return whether a page is the one that came before, record by record."""
        return bool(page.items) and _digest(page) == self.last_page

    def __str__(self) -> str:
        """Return the counts in one line."""
        pages = Message("1 page" if self.n_pages == 1 else "{n_pages:,} pages", **vars(self))
        return Message(
            "{library}: {counts}, {pages} in {seconds:.0f} s"
            if self.finished
            else "{library}: {counts}, {pages} in {seconds:.0f} s, not at its end yet",
            **vars(self),
            counts=counts_in_words(self),
            pages=pages,
        )

    def save(self, folder: Path) -> None:
        """Write the state beside its place and rename it."""
        content = json.dumps({"version": _VERSION, **asdict(self)}, ensure_ascii=False)
        with refusals_told(Message("The progress of the harvest cannot be recorded"), folder):
            write_whole(folder / f"{self.name}.json", content, durable=False)

    @classmethod
    def load(cls, folder: Path, name: str) -> "HarvestState | None":
        """Read a state; None where there is none.

        Raises
        ------
        LiveSourceError
            If it is damaged or of another version.
        """
        file = folder / f"{name}.json"
        try:
            fields = json.loads(file.read_bytes())
            if fields.pop("version") != _VERSION:
                raise ValueError("another version")
            return typed(cls, fields)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            check_reached(error, file)
            raise LiveSourceError(
                "The record of the harvest {name} is damaged; run the same harvest again, "
                "which then starts from the beginning: nothing enters the library twice.",
                name=name,
            ) from error

    @classmethod
    def all(cls, folder: Path) -> list["HarvestState"]:
        """List what is or was harvested, the latest first."""
        states, _ = sorted_out(_names(folder), lambda name: cls.load(folder, name))
        return sorted(states, key=lambda state: state.changed_at, reverse=True)

    @classmethod
    def damaged(cls, folder: Path) -> list[Damaged]:
        """List the harvests of which nothing can be read, by name."""
        return sorted_out(_names(folder), lambda name: cls.load(folder, name))[1]


def _names(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.json"))


def _digest(page: Page) -> str:
    names = [item.place if isinstance(item, Refusal) else item.id for item in page.items]
    return hashlib.sha256("\x00".join(names).encode("utf-8", "replace")).hexdigest()[:16]


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
            "This is being harvested into {name} already; wait until that is done.",
            name=state.library,
        ) from error
    try:
        before = _before(folder, state.name) if resume else None
        if before is not None and before.finished:
            return before
        state = before or state
        run = _Harvest(folder, state, open_source(state), encoder, library_dir, progress)
        return run.run(most_records)
    finally:
        lock.release()


def _before(folder: Path, name: str) -> HarvestState | None:
    """Read the state of a harvest; one whose state is damaged begins anew."""
    try:
        return HarvestState.load(folder, name)
    except LiveSourceError:
        file = folder / f"{name}.json"
        with refusals_told(Message("The harvest cannot begin"), folder):
            set_aside(file)
        _log.warning("The state %s was damaged and set aside; the harvest begins anew.", file)
        return None


@dataclass
class _Harvest:
    """One run of `harvest`."""

    folder: Path
    state: HarvestState
    source: LiveSource
    encoder: Encoder
    library_dir: Path
    progress: Progress | None
    n_restarts: int = 0

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
            # A service may answer an expired place with any error, so at the first page of a
            # resumed harvest a rejection counts as that.
            lost = isinstance(error, PlaceLostError) or resumed
            if not lost or self.state.place is None or self.n_restarts >= MOST_RESTARTS:
                raise
            self.n_restarts += 1
            self.state = self.state.restarted()
            self.state.save(self.folder)
            return None
        if page.next is not None and self.state.is_last_page(page):
            raise LiveSourceError(
                "{source} returns the same page of records again and again; what came before "
                "is kept. Try again later, or harvest in smaller parts.",
                source=self.source.card.label,
            )
        return page

    def _imported(self, page: Page) -> IngestReport | None:
        if not page.items:
            return None
        # Near-duplicates are found by reading the whole library, too much for each page.
        return ingest(
            page.items,
            self.encoder,
            self.library_dir,
            self.state.library,
            find_near_duplicates=False,
            has_begun=bool(self.state.n_imported or self.state.n_unchanged),
        )
