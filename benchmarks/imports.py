"""The same records as files of several formats: whether equal libraries come of them, how soon."""

import argparse
import gzip
import json
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.exports.collection import WRITERS, write_collection
from subclust.labelled.reading.instances import file_digest
from subclust.text.encoders import load_encoder
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.local import ingest
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source

FORMATS = {"csv": ".csv", "ris": ".ris", "bibtex": ".bib", "marcxml": ".xml"}
"""What is compared unless others are named, with the endings of their files."""

OTHERS = {"jsonl": ".jsonl", "xlsx": ".xlsx", "csl-json": ".json"}

COLLECTION = "records"


def read_records(path: Path) -> list[Passage]:
    """Read documents as JSON Lines, as what a catalogue would know of them.

    Parameters
    ----------
    path : Path
        An object a line: ``id, title, text``, and perhaps ``authors`` ("Given Family, Given
        Family"), ``date``, ``doi`` and ``categories``; plain or gzip.

    Raises
    ------
    BenchmarkError
        If it cannot be read so.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as lines:
            return [_passage(json.loads(line)) for line in lines]
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise BenchmarkError(
            "{path} cannot be read as documents, one JSON object a line ({error}); check the file.",
            path=path,
            error=error,
        ) from error


def compare_imports(
    path: Path,
    formats: Sequence[str],
    settings: Settings,
    *,
    cold: bool = False,
    progress: Callable[[str], Callable[[int, int | None], None]] | None = None,
) -> dict[str, Any]:
    """Write records in each format, import each file into a library of its own, compare these.

    Parameters
    ----------
    path : Path
        See `read_records`.
    formats : sequence of str
        Keys of `FORMATS` and `OTHERS`.
    settings : Settings
        Its library folder is not touched.
    cold : bool
        Whether every import encodes every text, instead of taking from the cache what is there.
    progress : callable, optional
        Makes the function that is told how far an import is.

    Returns
    -------
    dict
        ``n_records``, ``equal`` (every field of every passage, and its id), the
        ``largest_difference`` of two vectors of one passage, and for each of ``formats`` seconds
        and counts.
    """
    endings = {**FORMATS, **OTHERS}
    passages = read_records(path)
    rows: dict[str, dict[str, Any]] = {}
    libraries: list[PassageLibrary] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert all(endings[one] in WRITERS for one in formats)
        for one in formats:
            file = folder / f"{COLLECTION}{endings[one]}"
            write_collection(passages, file)
            encoder = _encoder(settings, folder / f"cache-{one}" if cold else None)
            encoder.encode(["warm"])
            began = time.monotonic()
            report = ingest(
                open_source(file, "auto", COLLECTION),
                encoder,
                folder / "libraries",
                one,
                progress=progress(f"Importing {file.name}") if progress else None,
            )
            library = PassageLibrary.open(folder / "libraries", one)
            libraries.append(library)
            rows[one] = {
                "seconds": round(time.monotonic() - began, 1),
                "bytes": file.stat().st_size,
                "n_read": report.n_read,
                "n_imported": report.n_imported,
                "n_refused": report.n_refused,
                "n_mended": report.n_mended,
                "n_near_duplicate_groups": report.near_duplicates.n_groups,
                "library_revision": library.revision(),
            }
        difference = _largest_difference(libraries)
    return {
        "file": path.name,
        "sha256": file_digest(path),
        "n_records": len(passages),
        "cold": cold,
        "equal": len({row["library_revision"] for row in rows.values()}) == 1,
        "largest_difference": difference,
        "formats": rows,
    }


def _passage(record: dict[str, Any]) -> Passage:
    metadata = {
        "type": "manuscript",
        "authors": "; ".join(map(_inverted, _names(record.get("authors") or ""))),
        "year": (record.get("date") or "")[:4],
        "date": record.get("date") or "",
        "doi": (record.get("doi") or "").split()[0] if record.get("doi") else "",
        "keywords": "; ".join(record.get("categories") or ()),
    }
    return Passage(
        id=f"{COLLECTION}:{record['id']}",
        text=" ".join(record["text"].split()),
        title=" ".join(record["title"].split()),
        collection=COLLECTION,
        metadata={name: value for name, value in metadata.items() if value},
    )


def _names(authors: str) -> list[str]:
    return [name for part in re.split(r",\s*|\s+and\s+", authors) if (name := part.strip(" ;"))]


def _inverted(name: str) -> str:
    given, _, family = name.rpartition(" ")
    return f"{family}, {given}" if given else family


def _encoder(settings: Settings, cache: Path | None) -> Encoder:
    return load_encoder(settings if cache is None else replace(settings, data_dir=cache))


def _largest_difference(libraries: Sequence[PassageLibrary]) -> float:
    first = libraries[0].passages()
    largest = 0.0
    for library in libraries[1:]:
        other = library.passages()
        if [p.id for p in other.passages] != [p.id for p in first.passages]:
            return float("inf")
        largest = max(largest, float(np.abs(other.embeddings - first.embeddings).max(initial=0)))
    return largest


def add_formats(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``formats``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="documents as JSON Lines")
    parser.add_argument(
        "--format", action="append", choices=[*FORMATS, *OTHERS],
        help=f"may be given several times; by default {', '.join(FORMATS)}",
    )  # fmt: skip
    parser.add_argument(
        "--cold", action="store_true", help="encode every text for every format, and time that too"
    )
    add_output(parser)


def run_formats(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import the same records in several formats and compare the libraries."""
    result = compare_imports(
        arguments.file,
        arguments.format or list(FORMATS),
        settings,
        cold=arguments.cold,
        progress=progress_bar,
    )
    told = {"story": story(load_encoder(settings), settings.resolve_device()), **result}
    kind = "cold" if arguments.cold else "warm"
    stem = arguments.file.name.split(".")[0]
    if output(arguments, RESULTS_DIR / "imports" / f"{stem}-{kind}.json", told):
        return
    for name, row in result["formats"].items():
        print(
            f"{name:10} {row['seconds']:7.1f} s  {row['n_read']:,} read, {row['n_imported']:,} "
            f"imported, {row['n_refused']:,} refused, library {row['library_revision']}"
        )
    print(
        f"The libraries are {'equal' if result['equal'] else 'NOT equal'}; two vectors of one "
        f"passage differ by at most {result['largest_difference']:.1g}."
    )
