"""How far a harvest has come: one small file, replaced by renaming."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from subclust.core.exceptions import LiveSourceError
from subclust.core.messages import Message
from subclust.core.storage.damaged import Damaged, sorted_out, typed
from subclust.core.storage.disk import refusals_told, write_whole
from subclust.text.ingest.report import MOST_REFUSALS, IngestReport
from subclust.text.sources.base import Refusal
from subclust.text.sources.live.base import LiveRequest, Page

_VERSION = 1


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
    n_read, n_imported, n_unchanged, n_refused, n_mended : int
        As in `IngestReport`, of all pages.
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
        room = MOST_REFUSALS - len(self.refusals)
        return replace(
            counted,
            n_read=self.n_read + report.n_read,
            n_imported=self.n_imported + report.n_imported,
            n_unchanged=self.n_unchanged + report.n_unchanged,
            n_refused=self.n_refused + report.n_refused,
            n_mended=self.n_mended + report.n_mended,
            refusals=self.refusals + report.refusals[:room],
        )

    def restarted(self) -> "HarvestState":
        """Return the state with which it begins anew."""
        fresh = HarvestState(self.source, self.request, self.library, self.collection)
        return replace(fresh, n_begun_again=self.n_begun_again + 1, seconds=self.seconds)

    def is_last_page(self, page: Page) -> bool:
        """Return whether a page is the one that came before, record by record."""
        return bool(page.items) and _digest(page) == self.last_page

    def __str__(self) -> str:
        """Say it in one line."""
        parts = [f"{self.n_read:,} read", f"{self.n_imported:,} imported"]
        if self.n_unchanged:
            parts.append(f"{self.n_unchanged:,} there already")
        parts.append(f"{self.n_refused:,} refused")
        if self.n_mended:
            parts.append(f"{self.n_mended:,} mended")
        of = "" if self.finished else ", not at its end yet"
        pages = f"{self.n_pages:,} page{'s' * (self.n_pages != 1)}"
        return f"{self.library}: {', '.join(parts)}, {pages} in {self.seconds:.0f} s{of}"

    def save(self, folder: Path) -> None:
        """Write the state beside its place and rename it."""
        content = json.dumps({"version": _VERSION, **asdict(self)}, ensure_ascii=False)
        with refusals_told(Message("How far the harvest is cannot be noted"), folder):
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
            return cls._made(json.loads(file.read_bytes()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise LiveSourceError(
                "What is known of the harvest {name} is damaged; harvest the same again, which "
                "then begins anew: nothing comes into the library twice.",
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

    @classmethod
    def _made(cls, record: Mapping[str, Any]) -> "HarvestState":
        fields = dict(record)
        if fields.pop("version") != _VERSION:
            raise ValueError("another version")
        return typed(cls, fields)


def _names(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.json"))


def _digest(page: Page) -> str:
    names = [item.place if isinstance(item, Refusal) else item.id for item in page.items]
    return hashlib.sha256("\x00".join(names).encode("utf-8", "replace")).hexdigest()[:16]
