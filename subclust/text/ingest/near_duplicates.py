"""Passages that say nearly the same in nearly the same words: found and told, never dropped.

Words are compared and not embeddings: two reports of one series, or two editions with other years,
lie next to each other for an encoder and yet are two documents, while a record that two databases
both have shares almost all of its words. What was found can be checked by eye, it does not depend
on the encoder, and a library's vectors need not be read for it.
"""

import logging
import re
import zlib
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from subclust.core.storage.cache_file import tell_once
from subclust.core.storage.disk import written_whole
from subclust.text.library import PassageLibrary
from subclust.text.library.schema import fingerprint_keys

THRESHOLD = 0.8
"""Share of runs of three words, of all that either has, from which on two are near-duplicates."""

MOST_GROUPS = 1000
"""More are counted but not listed."""

N_HASHES = 128
_N_BANDS, _ROWS = 21, 6
"""Of 1,000 pairs that share 80% of their runs at least 2 are missed, of those with 90% none."""

_RUN = 3
_WORD = re.compile(r"\w+")
_ALL_PAIRS = 40
_AT_ONCE = 1000
_ROW = np.dtype([("key", "<u8"), ("signature", "<u2", (N_HASHES,))])
_MIX = np.array([0x9E3779B97F4A7C15 * (2 * n + 1) % 2**64 | 1 for n in range(_ROWS)], np.uint64)

Signatures = npt.NDArray[np.uint16]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class NearDuplicates:
    """Groups of passages that say nearly the same.

    Parameters
    ----------
    n_groups : int
    n_passages : int
        In all of the groups.
    groups : tuple of tuple of str
        The first `MOST_GROUPS`, each the ids of its passages in order; of a chain in which each is
        like the next, all are in one group.
    """

    n_groups: int = 0
    n_passages: int = 0
    groups: tuple[tuple[str, ...], ...] = ()


def signatures(texts: Iterable[str]) -> Signatures:
    """Compute what passages are compared by.

    Parameters
    ----------
    texts : iterable of str
        n_texts of them.

    Returns
    -------
    ndarray of shape (n_texts, N_HASHES)
        The share of equal numbers in two rows estimates the share of common runs (MinHash; Broder
        1997), with a standard error of at most 0.045.
    """
    from datasketch import MinHash

    runs = (_runs(text) for text in texts)
    # MinHash yields numbers of 32 bits; the lower 16 are enough to tell minima apart.
    rows = [
        one.hashvalues.astype(np.uint64).astype(np.uint16)
        for one in MinHash.generator(runs, num_perm=N_HASHES, seed=1, hashfunc=zlib.crc32)
    ]
    return np.stack(rows) if rows else np.zeros((0, N_HASHES), np.uint16)


def _alike(rows: Signatures) -> list[list[int]]:
    """Group what is alike.

    Returns
    -------
    list of list of int
        Groups of at least two rows, in order of their first one.
    """
    parents = np.arange(len(rows))

    def root(one: int) -> int:
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = int(parents[one])
        return one

    for band in range(_N_BANDS):
        part = rows[:, band * _ROWS : (band + 1) * _ROWS].astype(np.uint64) + np.uint64(1)
        keys = (part * _MIX).sum(axis=1, dtype=np.uint64)  # equal bands, and by chance a few more
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        borders = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        sizes = np.diff(np.append(borders, len(order)))
        for start, size in zip(borders[sizes > 1], sizes[sizes > 1], strict=True):
            members = order[start : start + size]
            for number, one in enumerate(members[:-1]):
                others = members[number + 1 :]
                near = others[(rows[others] == rows[one]).mean(axis=1) >= THRESHOLD]
                for other in near:
                    first, second = sorted((root(int(one)), root(int(other))))
                    parents[second] = first
                if size > _ALL_PAIRS:  # so many are alike as a rule; compare with the first only
                    break
    groups: dict[int, list[int]] = {}
    for one in np.flatnonzero(np.bincount([root(i) for i in range(len(rows))], minlength=1) > 1):
        groups[int(one)] = []
    for one in range(len(rows)):
        if (first := root(one)) in groups:
            groups[first].append(one)
    return list(groups.values())


class KnownSignatures:
    """The signatures of a library's passages, kept beside it so that each is computed once.

    They are written beside their place and renamed; what a killed import did not write is computed
    from the library's texts the next time.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.file = folder / f".{name}.alike.npy"
        self.new: list[tuple[list[str], Signatures]] = []

    def add(self, fingerprints: Sequence[str], texts: Sequence[str]) -> None:
        """Compute those of passages that are being imported."""
        self.add_signed(fingerprints, signatures(texts))

    def add_signed(self, fingerprints: Sequence[str], signed: Signatures) -> None:
        """Take those of passages that are being imported, where somebody has computed them."""
        self.new.append((list(fingerprints), signed))

    def bring_up_to_date(self, library: PassageLibrary) -> tuple[list[str], Signatures]:
        """Return the ids of a library's passages and their signatures, and keep these."""
        there = sorted(library.fingerprints().items())
        rows = np.zeros(len(there), _ROW)
        rows["key"] = fingerprint_keys(mark for _, mark in there)
        found = np.zeros(len(there), bool)
        kept = self._kept()
        for keys, signed in [
            (kept["key"], kept["signature"]),
            *((fingerprint_keys(marks), signed) for marks, signed in self.new),
        ]:
            _fill(rows, found, keys, signed)
        missing = np.flatnonzero(~found)
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            passages = library.get([there[one][0] for one in part]).passages
            rows["signature"][part] = signatures(passage.text for passage in passages)
        self._keep(rows)
        return [id_ for id_, _ in there], rows["signature"]

    def _kept(self) -> npt.NDArray[Any]:
        try:
            kept = np.load(self.file, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError, SyntaxError, BadZipFile):  # none, or a damaged one
            return np.zeros(0, _ROW)
        fits = isinstance(kept, np.ndarray) and kept.dtype == _ROW and kept.ndim == 1
        return kept if fits else np.zeros(0, _ROW)

    def _keep(self, rows: npt.NDArray[Any]) -> None:
        try:
            with written_whole(self.file, durable=False) as stream:
                np.save(stream, rows, allow_pickle=False)
        except OSError as error:
            tell_once(_log, "Signatures of passages cannot be kept in %s (%s).", self.file, error)


def near_duplicates(
    library: PassageLibrary,
    known: KnownSignatures,
    touched: Sequence[Container[str]] | None = None,
) -> NearDuplicates:
    """Find the near-duplicates of a library.

    Parameters
    ----------
    library : PassageLibrary
    known : KnownSignatures
        Of that library.
    touched : sequence of containers of str, optional
        Only groups with one of the ids in any of these.
    """
    ids, rows = known.bring_up_to_date(library)
    groups = [tuple(ids[one] for one in group) for group in _alike(rows)]
    if touched is not None:
        groups = [group for group in groups if any(one in ids for one in group for ids in touched)]
    return NearDuplicates(len(groups), sum(map(len, groups)), tuple(groups[:MOST_GROUPS]))


def _runs(text: str) -> list[bytes]:
    words = _WORD.findall(text.casefold())
    if len(words) < _RUN:
        return [" ".join(words).encode()]
    return [
        " ".join(words[at : at + _RUN]).encode("utf-8", "replace")
        for at in range(len(words) - _RUN + 1)
    ]


def _fill(
    rows: npt.NDArray[Any],
    found: npt.NDArray[np.bool_],
    keys: npt.NDArray[np.uint64],
    signed: Signatures,
) -> None:
    """Put known signatures where their keys are."""
    if not len(keys):
        return
    order = np.argsort(keys, kind="stable")
    at = order[np.searchsorted(keys, rows["key"], sorter=order).clip(max=len(keys) - 1)]
    same = keys[at] == rows["key"]
    rows["signature"][same] = signed[at[same]]
    found |= same
