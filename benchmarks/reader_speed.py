"""The readers of two checkouts, timed in turn on the same files: before and after a change.

Each format is read in processes of its own, once to load everything and once to be timed; of
several rounds the quickest counts, in seconds of the processor, so that other work on the machine
tells little.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.imports import COLLECTION, FORMATS, OTHERS, read_records
from benchmarks.results import RESULTS_DIR, circumstances, write
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.exports.collection import write_collection
from subclust.labelled.reading.instances import file_digest

_HERE = Path(__file__).parent.parent

_PROGRAM = """
import json, sys, tempfile, time
from pathlib import Path
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.sources.opening import open_source

def timed(work):
    work()
    began = time.process_time()
    n = work()
    return n, time.process_time() - began

def imported():
    with tempfile.TemporaryDirectory() as folder:
        return ingest(open_source(file), HashingEncoder(16), Path(folder), "mine").n_imported

file = Path(sys.argv[1])
n_read, read = timed(lambda: len(list(open_source(file))))
n_imported, whole = timed(imported)
print(json.dumps({"n_read": n_read, "read": read, "n_imported": n_imported, "import": whole}))
"""


def compare_readers(path: Path, checkouts: Mapping[str, Path], n_rounds: int = 3) -> dict[str, Any]:
    """Time the readers of checkouts on files that this one writes.

    Parameters
    ----------
    path : Path
        See `benchmarks.imports.read_records`.
    checkouts : mapping of str to Path
        Their folders, by what they are called.
    n_rounds : int

    Returns
    -------
    dict
        ``n_records``, ``checkouts`` with their commits, and for each of ``formats`` and each
        checkout, ``n_read``, ``n_imported`` and the seconds of ``read`` and ``import``: with the
        hashing encoder of 16 numbers, which costs next to nothing.

    Raises
    ------
    BenchmarkError
        If a checkout cannot read a file.
    """
    passages = read_records(path)
    formats: dict[str, dict[str, dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as name:
        for one, ending in {**FORMATS, **OTHERS}.items():
            file = Path(name) / f"{COLLECTION}{ending}"
            write_collection(passages, file)
            rounds = [
                {called: _timed(folder, file) for called, folder in checkouts.items()}
                for _ in range(n_rounds)
            ]
            formats[one] = {
                called: {
                    key: min(told[called][key] for told in rounds) for key in rounds[0][called]
                }
                for called in checkouts
            }
    return {
        "file": path.name,
        "sha256": file_digest(path),
        "n_records": len(passages),
        "n_rounds": n_rounds,
        "checkouts": {called: _commit(folder) for called, folder in checkouts.items()},
        "formats": formats,
    }


def _timed(folder: Path, file: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(file)],
        env={**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BenchmarkError(
            "{folder} could not read {file}: {error}",
            folder=folder,
            file=file.name,
            error=done.stderr[-500:],
        )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _commit(folder: Path) -> str:
    told = ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--dirty"]
    return subprocess.run(told, capture_output=True, text=True).stdout.strip()


def add_readers(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``readers``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="documents as JSON Lines")
    parser.add_argument(
        "--against", type=Path, required=True, metavar="CHECKOUT", help="an earlier checkout"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of which the quickest counts")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")


def run_readers(arguments: argparse.Namespace, settings: Settings) -> None:
    """Time the readers of an earlier checkout and of this one."""
    checkouts = {"before": arguments.against.resolve(), "after": _HERE}
    result = compare_readers(arguments.file, checkouts, arguments.rounds)
    if arguments.save:
        write(RESULTS_DIR / "imports" / "readers.json", {"story": circumstances("cpu"), **result})
    for name, row in result["formats"].items():
        told = (
            f"{what} {row['before'][what]:.2f} to {row['after'][what]:.2f} s"
            for what in ("read", "import")
        )
        print(f"{name:10} {', '.join(told)}")
