"""The readers of two checkouts, timed in turn on the same files: before and after a change.

Each format is read in processes of their own, first of a few records to load everything; of several
rounds the quickest counts, in seconds of the processor, so that other work on the machine tells
little.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.imports import COLLECTION, FORMATS, OTHERS, read_records
from benchmarks.results import RESULTS_DIR, circumstances, write
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.exports.collection import write_collection
from subclust.labelled.reading.instances import file_digest

_FEW = 20
_HERE = Path(__file__).parent.parent

_PROGRAM = """
import json, sys, tempfile, time
from pathlib import Path
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest.local import ingest
from subclust.text.sources.opening import open_source

def timed(work, file):
    began = time.process_time()
    return work(file), time.process_time() - began

def read(file):
    return len(list(open_source(file)))

def imported(file):
    with tempfile.TemporaryDirectory() as folder:
        return ingest(open_source(file), HashingEncoder(16), Path(folder), "mine").n_imported

few, file = map(Path, sys.argv[1:])
read(few), imported(few)
n_read, read = timed(read, file)
n_imported, whole = timed(imported, file)
print(json.dumps({"n_read": n_read, "read": read, "n_imported": n_imported, "import": whole}))
"""


def compare_readers(
    path: Path,
    checkouts: Mapping[str, Path],
    n_rounds: int = 3,
    formats: Sequence[str] = (*FORMATS, *OTHERS),
) -> dict[str, Any]:
    """Time the readers of checkouts on files that this one writes.

    Parameters
    ----------
    path : Path
        See `benchmarks.imports.read_records`.
    checkouts : mapping of str to Path
        Their folders, by what they are called.

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
    told: dict[str, dict[str, dict[str, Any]]] = {}
    endings = {**FORMATS, **OTHERS}
    with tempfile.TemporaryDirectory() as name:
        for one in formats:
            ending = endings[one]
            file = Path(name) / f"{COLLECTION}{ending}"
            few = Path(name) / f"few{ending}"
            write_collection(passages, file)
            write_collection(passages[:_FEW], few)
            rounds = [
                {called: _timed(folder, few, file) for called, folder in checkouts.items()}
                for _ in range(n_rounds)
            ]
            told[one] = {
                called: {
                    key: min(times[called][key] for times in rounds) for key in rounds[0][called]
                }
                for called in checkouts
            }
    return {
        "file": path.name,
        "sha256": file_digest(path),
        "n_records": len(passages),
        "n_rounds": n_rounds,
        "checkouts": {called: _commit(folder) for called, folder in checkouts.items()},
        "formats": told,
    }


def _timed(folder: Path, few: Path, file: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(few), str(file)],
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
