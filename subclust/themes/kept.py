"""Themes on disk: found once for the same texts, method and parameters."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from subclust.core.access import check_may_change
from subclust.core.exceptions import InputError, NotFoundError
from subclust.core.limits import may_use
from subclust.core.messages import Message
from subclust.core.records import (
    FloatArray,
    Hit,
    IntArray,
    Passage,
    Query,
    SubtopicMap,
)
from subclust.core.storage.damaged import ZIP_DAMAGES, Damaged, typed
from subclust.core.storage.disk import flush_files, flush_names, new_folder, refusals_told
from subclust.core.translation import spoken
from subclust.exports import Report
from subclust.pipeline.placing import collect
from subclust.themes.offers import OFFERS
from subclust.themes.recipes import TRIED, settings_of
from subclust.themes.request import ThemesRequest

FILE = "themes.json"
_ARRAYS = "arrays.npz"
_KEY = re.compile(r"[0-9a-f]{16}")

_LAYOUT = 2
"""Goes into the key: themes of another layout are found anew, and so are those that would come out
otherwise though no setting has another value."""


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What of themes is kept beside their arrays; see `KeptThemes`."""

    request: ThemesRequest
    n_themes_source: str
    names: Mapping[int, str]
    ids: tuple[str, ...]
    projection: str
    seconds: float
    told: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class KeptThemes(_Told):
    """The themes of some texts.

    Parameters
    ----------
    key : str
    request : ThemesRequest
    n_themes_source : str
        ``"user"``, or what chose the number: `SOURCE`, `LABELS` or `PAIRS` of
        `subclust.themes.recipes`.
    names : dict of int to str
    ids : tuple of str
        Of the texts, in the order of their ids.
    labels : ndarray of shape (n_texts,)
        Theme of each text, from 0, largest first.
    strengths : ndarray of shape (n_texts,)
    coordinates : ndarray of shape (n_texts, 2)
    projection : str
        That of the request, or of the map that is shown until that one is made.
    seconds : float
        That it took until they had names.
    told : mapping
        What made them: encoder, version, settings of the training; and what named them.
    """

    key: str
    labels: IntArray = field(repr=False)
    strengths: FloatArray = field(repr=False)
    coordinates: FloatArray = field(repr=False)

    @property
    def n_themes(self) -> int:
        """Number of themes."""
        return len(self.names)

    @property
    def has_map(self) -> bool:
        """Whether the map that was asked for is made; they are saved before it is."""
        return self.projection == self.request.projection

    def sizes(self) -> dict[int, int]:
        """Count the texts of each theme."""
        numbers, counts = np.unique(self.labels, return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def ids_of(self, theme: int) -> tuple[str, ...]:
        """Return the ids of a theme's texts, most central first."""
        rows = np.flatnonzero(self.labels == theme)
        order = np.lexsort((rows, -self.strengths[rows]))
        return tuple(self.ids[row] for row in rows[order])

    def to_dict(self, titles: Mapping[str, str]) -> dict[str, Any]:
        """Return the object that ``python -m subclust themes --json`` prints.

        Parameters
        ----------
        titles : mapping of str to str
            Of the texts, by id.
        """
        rows = {id_: row for row, id_ in enumerate(self.ids)}

        def shown(id_: str) -> dict[str, Any]:
            row = rows[id_]
            x, y = self.coordinates[row]
            return {
                "id": id_,
                "strength": round(float(self.strengths[row]), 6),
                "x": round(float(x), 6),
                "y": round(float(y), 6),
                "title": titles[id_],
            }

        return {
            "key": self.key,
            "library": self.request.library,
            "method": self.request.method,
            "filters": list(self.request.filters),
            "n_texts": len(self.ids),
            "n_themes": self.n_themes,
            "n_themes_source": self.n_themes_source,
            "projection": self.projection,
            "seed": self.request.seed,
            "seconds": self.seconds,
            "themes": [
                {
                    "id": number,
                    "name": self.names[number],
                    "size": size,
                    "quality": round(float(self.strengths[self.labels == number].mean()), 6),
                    "texts": [shown(id_) for id_ in self.ids_of(number)],
                }
                for number, size in sorted(self.sizes().items())
            ],
        }

    def summary(self) -> dict[str, Any]:
        """Return the row that ``python -m subclust themes --list --json`` prints of them."""
        return {
            "key": self.key,
            **self.request.to_dict(),
            "n_texts": len(self.ids),
            "found": self.n_themes,
        }

    def as_map(self, passages: Sequence[Passage]) -> SubtopicMap:
        """Return them as groups with their texts.

        Parameters
        ----------
        passages : sequence of Passage
            Those of `ids`, in the same order.
        """
        hits = [Hit(passage, rank, 0.0) for rank, passage in enumerate(passages, start=1)]
        return SubtopicMap(
            query=Query(""),
            library=self.request.library,
            method=self.request.method,
            checkpoint=None,
            seed=self.request.seed,
            n_clusters=self.n_themes,
            n_clusters_source=self.n_themes_source,
            subtopics=collect(hits, self.names, self.labels, self.strengths, self.coordinates),
            projection=self.projection,
        )


def themes_report(
    themes: KeptThemes, groups: SubtopicMap, language: str = "en", address: str = ""
) -> Report:
    """Return themes as files are written of them.

    Parameters
    ----------
    themes : KeptThemes
    groups : SubtopicMap
        Of `KeptThemes.as_map`.
    language, address : str
        As for `Report`.
    """
    offer, (_, _n) = OFFERS[themes.request.method], spoken(language)
    made_by = f"{offer.label}: {_(offer.says)}"
    if themes.request.filters:
        filters = "; ".join(themes.request.filters)
        made_by += " " + _("Only passages with {filters}.").format(filters=filters)
    day = date.today().isoformat()
    return Report(groups, made_by=made_by, address=address, day=day, language=language)


def themes_key(
    request: ThemesRequest, passages: Sequence[Passage], encoder_revision: str, pairs: bytes
) -> str:
    """Name themes by what they are made of: texts, method with all its settings, and encoder.

    Returns
    -------
    str
        Sixteen hexadecimal digits; the same texts under another library's name have another key,
        since their ids lead into that library.
    """
    digest = hashlib.sha256()
    # Not the filters and the path, but what they lead to: the texts, below, and the pairs.
    asked = {**request.to_dict(), "filters": [], "pairs": hashlib.sha256(pairs).hexdigest()}
    settings = settings_of(request.method, [passage.text for passage in passages])
    head = {
        "layout": _LAYOUT,
        "request": asked,
        "encoder": encoder_revision,
        "settings": settings,
        "numbers": TRIED if request.n_themes == "auto" else None,
    }
    digest.update(json.dumps(head, sort_keys=True).encode())
    for passage in passages:
        digest.update(json.dumps([passage.id, passage.text, passage.label]).encode())
    return digest.hexdigest()[:16]


class ThemeStore:
    """All themes that were found, a folder each; a new one is written beside and renamed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, key: str, *, named_by: str | None = None) -> KeptThemes | None:
        """Read some; None where there are none of that key, or they are damaged.

        Parameters
        ----------
        key : str
        named_by : str, optional
            Value of ``Settings.names``; those that another one has named, or whose map is not made
            yet, are not given.
        """
        if not _KEY.fullmatch(key):
            return None
        place = self.folder / key
        try:
            told = typed(_Told, json.loads((place / FILE).read_text(encoding="utf-8")))
            # Opened here, since numpy leaves a damaged file open.
            with (
                (place / _ARRAYS).open("rb") as stream,
                np.load(stream, allow_pickle=False) as arrays,
            ):
                found = {name: arrays[name] for name in ("labels", "strengths", "coordinates")}
            n_texts = len(told.ids)
            if [one.shape for one in found.values()] != [(n_texts,), (n_texts,), (n_texts, 2)]:
                raise ValueError("not every text has its theme and its place")
            if not set(found["labels"].tolist()) <= set(told.names):
                raise ValueError("a theme has no name")
            themes = KeptThemes(key=key, **vars(told), **found)
            namer = themes.told.get("names")
        except (OSError, KeyError, *ZIP_DAMAGES):
            return None
        if not may_use(themes.request.library):
            return None
        is_wanted = named_by is None or (named_by == namer and themes.has_map)
        return themes if is_wanted else None

    def load(self, key: str) -> KeptThemes:
        """Read some.

        Raises
        ------
        NotFoundError
            If there are none of that key.
        """
        found = self.find(key)
        if found is None:
            raise NotFoundError(
                "There are no saved themes {key!r}; find them again, for the passages or the "
                "program may have changed.",
                key=key,
            )
        return found

    def save(self, themes: KeptThemes) -> None:
        """Write some, in the place of those that are there; they are on the disk when it returns.

        Raises
        ------
        InputError
            If the disk takes no more.
        """
        check_may_change("themes", themes.key)
        told = {one.name: getattr(themes, one.name) for one in fields(_Told)}
        told |= {"request": themes.request.to_dict(), "told": dict(themes.told)}
        work = None
        try:
            with refusals_told(Message("The themes cannot be saved"), self.folder, InputError):
                self.folder.mkdir(parents=True, exist_ok=True)
                work = new_folder(self.folder, f".{themes.key}-")
                (work / FILE).write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
                with (work / _ARRAYS).open("wb") as stream:
                    np.savez_compressed(
                        stream,
                        labels=themes.labels,
                        strengths=themes.strengths,
                        coordinates=themes.coordinates,
                    )
                flush_files(work)
                # Renaming cannot replace a folder that is not empty.
                self._put_aside(themes.key)
                work.rename(self.folder / themes.key)
                flush_names(self.folder)
        finally:
            if work is not None:
                shutil.rmtree(work, ignore_errors=True)

    def remove(self, key: str) -> None:
        """Forget some; the texts stay.

        Raises
        ------
        InputError
            If there are none of that key.
        """
        check_may_change("themes", key)
        if not (_KEY.fullmatch(key) and (self.folder / key).is_dir()):
            self.load(key)  # which says that there are none
        with refusals_told(Message("The themes {key} cannot be removed", key=key), self.folder):
            self._put_aside(key)
        flush_names(self.folder)

    def _put_aside(self, key: str) -> None:
        gone = self.folder / f".{key}.{os.getpid()}.old.partial"
        with suppress(FileNotFoundError):
            (self.folder / key).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def all(self) -> list[KeptThemes]:
        """Read all, the newest first."""
        places = sorted(
            self.folder.glob(f"[0-9a-f]*/{FILE}"),
            key=lambda path: (-path.stat().st_mtime, path.parent.name),
        )
        found = [self.find(path.parent.name) for path in places]
        return [themes for themes in found if themes is not None]

    def damaged(self) -> list[Damaged]:
        """List those that cannot be read, by key."""
        keys = sorted(path.name for path in self.folder.glob("[0-9a-f]*") if path.is_dir())
        return [
            Damaged(
                key,
                Message("The themes {key} are damaged; find them again, or remove them.", key=key),
            )
            for key in keys
            if _KEY.fullmatch(key) and self.find(key) is None
        ]
