"""An import by one process and by the workers of a Ray cluster: how soon, and whether equal."""

import argparse
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.cli.options import at_least_one
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.labelled.reading.instances import file_digest
from subclust.labelled.reading.opening import must_exist
from subclust.text.encoders import load_encoder, uncached
from subclust.text.ingest import ray
from subclust.text.ingest.local import ingest
from subclust.text.ingest.shares import ImportedFile
from subclust.text.library import PassageLibrary
from subclust.text.sources.opening import open_source
from subclust.text.sources.unpacking import opened

_COLLECTION = "measured"


@dataclass(frozen=True)
class _Timed:
    seconds: float
    library: PassageLibrary


def compare_workers(
    path: Path,
    n_documents: int,
    counts: Sequence[int],
    settings: Settings,
    *,
    told: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Import the first documents of a file by one process, and by so many workers.

    Every text is encoded anew each time. The time is that of the whole import, from its call to
    the library that is ready to be searched: of Ray, the start of a cluster of this machine and of
    its workers are part of it.

    Parameters
    ----------
    path : Path
        JSON Lines, plain or gzip.
    n_documents : int
        At least 1.
    counts : sequence of int
        Of workers, each at least 1.
    settings : Settings
        Its libraries and its cache are not touched.
    told : callable
        Hears what is begun.

    Returns
    -------
    dict
        ``n_passages, n_bytes_text, n_bytes_library``, of ``local`` and of each of ``workers``
        ``seconds, passages_per_second``, for workers also ``ratio_to_local`` (above 1 is faster)
        and whether the libraries are ``equal``, with the ``largest_difference`` of two vectors,
        None where they are not of the same passages.

    Raises
    ------
    BenchmarkError
        If the file has fewer documents, cannot be read, or no passage comes of it.
    FileFormatError
        If there is no such file.
    SettingsError
        If Ray is not installed; nothing is imported then.
    """
    must_exist(path)
    ray.imported_ray()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, n_bytes = _subset(path, n_documents, folder)
        place = replace(settings, data_dir=folder, libraries=None)
        told("local")
        alone = _local(file, place)
        n_passages = alone.library.count()
        rows = {}
        for count in counts:
            told(f"{count} workers")
            shared = _by_ray(file, place, count)
            rows[str(count)] = _row(shared, n_passages) | {
                "ratio_to_local": round(alone.seconds / shared.seconds, 3),
                "equal": shared.library.revision() == alone.library.revision(),
                "largest_difference": _difference(alone.library, shared.library),
            }
        size = sum(one.stat().st_size for one in _files(alone.library))
    return {
        "file": path.name,
        "sha256": file_digest(path),
        "n_documents": n_documents,
        "n_passages": n_passages,
        "n_bytes_text": n_bytes,
        "n_bytes_library": size,
        "local": _row(alone, n_passages),
        "workers": rows,
    }


def _subset(path: Path, n_documents: int, folder: Path) -> tuple[Path, int]:
    file = folder / f"{_COLLECTION}.jsonl"
    try:
        with opened(path) as stream:
            lines = list(islice(stream, n_documents))
    except (EOFError, OSError, zlib.error) as error:
        raise BenchmarkError(
            "{file} cannot be read, it is damaged or cut off ({error}); get it again.",
            file=path.name,
            error=error,
        ) from error
    if len(lines) < n_documents:
        raise BenchmarkError(
            "{file} has fewer than {n_documents} documents; ask for fewer.",
            file=path.name,
            n_documents=n_documents,
        )
    content = b"".join(lines)
    file.write_bytes(content)
    return file, len(content)


def _local(file: Path, settings: Settings) -> _Timed:
    began = time.monotonic()
    encoder = uncached(load_encoder(settings))
    report = ingest(open_source(file), encoder, settings.library_dir, "local")
    if not report.n_imported:
        raise BenchmarkError(
            "Nothing of the documents could be imported ({report}); see what 'import' says of "
            "them.",
            report=report,
        )
    return _Timed(time.monotonic() - began, PassageLibrary.open(settings.library_dir, "local"))


def _by_ray(file: Path, settings: Settings, count: int) -> _Timed:
    began = time.monotonic()
    ray.ingest_on_ray((ImportedFile(file),), settings, f"by-{count}", ray.Workers(count=count))
    return _Timed(
        time.monotonic() - began, PassageLibrary.open(settings.library_dir, f"by-{count}")
    )


def _row(timed: _Timed, n_passages: int) -> dict[str, Any]:
    return {
        "seconds": round(timed.seconds, 2),
        "passages_per_second": round(n_passages / timed.seconds, 2),
    }


def _difference(one: PassageLibrary, other: PassageLibrary) -> float | None:
    ours, theirs = one.passages(), other.passages()
    if [passage.id for passage in ours.passages] != [passage.id for passage in theirs.passages]:
        return None
    return float(np.abs(ours.embeddings - theirs.embeddings).max(initial=0.0))


def _files(library: PassageLibrary) -> list[Path]:
    folder = library.folder / f"{library.table.name}.lance"
    return [path for path in folder.rglob("*") if path.is_file()]


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``workers``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="documents as JSON Lines")
    parser.add_argument(
        "--documents", type=at_least_one, default=2000, metavar="N", help="the first so many"
    )
    parser.add_argument(
        "--workers", type=at_least_one, nargs="+", default=[1, 2], metavar="N",
        help="numbers of Ray workers on this machine, by default 1 and 2",
    )  # fmt: skip
    add_output(parser)


def run_workers(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import the same documents by one process and by workers of Ray, and compare."""
    result = compare_workers(
        arguments.file,
        arguments.documents,
        arguments.workers,
        settings,
        told=lambda what: print(f"Importing: {what}", file=sys.stderr),
    )
    told = {"story": story(load_encoder(settings), settings.resolve_device()), **result}
    stem = arguments.file.name.split(".")[0]
    if output(arguments, RESULTS_DIR / "ingest" / f"{stem}-{arguments.documents}.json", told):
        return
    print(f"{result['n_passages']:,} passages, every one encoded anew each time")
    rows = {"local": result["local"]} | {
        f"Ray, {count} workers": row for count, row in result["workers"].items()
    }
    for name, row in rows.items():
        beside = ""
        if "equal" in row:
            same = "equal" if row["equal"] else "NOT equal"
            beside = f"  {row['ratio_to_local']:.2f} times local; {same}"
            if row["largest_difference"] is not None:
                beside += f", vectors differ by at most {row['largest_difference']:.1g}"
        print(f"{name:16} {row['seconds']:7.1f} s {row['passages_per_second']:7.1f} a s{beside}")
