"""From a file of records to the first named themes, beside BERTopic: in turn, on one machine.

Both read the same texts with the weights of the same encoder, cut at the same length: Subclust as
its commands do, BERTopic with sentence-transformers in single precision, as its manual has it.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from benchmarks.ended import exit_on_sigterm
from benchmarks.results import RESULTS_DIR, add_output, circumstances, output
from subclust.core.exceptions import BenchmarkError, InputError
from subclust.core.settings import Settings
from subclust.text.encoders.sentence import embedded_folder
from subclust.themes.offers import OFFERS

FILE = "documents/arxiv_cs_dl.jsonl.gz"
"""Below the folder of benchmark data."""

LIBRARY = "measured"

ALLOWED = 0.5
"""Of BERTopic's time, for import and first themes together."""

_BERTOPIC = """
import gzip, json, sys, time
began = time.monotonic()
def told(what, **more):
    took = {"seconds": time.monotonic() - began, "processor": time.process_time()}
    print(json.dumps({"at": what, **took, **more}), flush=True)
from importlib.metadata import version
from bertopic import BERTopic
from sentence_transformers import SentenceTransformer
file, model, longest = sys.argv[1:]
told("imported", versions={one: version(one) for one in (
    "bertopic", "sentence-transformers", "torch", "umap-learn", "hdbscan", "numba")})
with (gzip.open if file.endswith(".gz") else open)(file, "rt", encoding="utf-8") as lines:
    texts = [json.loads(line)["text"] for line in lines]
encoder = SentenceTransformer(model, device="cpu", local_files_only=True)
encoder.max_seq_length = int(longest)
vectors = encoder.encode(texts)
told("encoded", n_texts=len(texts), dtype=str(vectors.dtype))
topics, _ = BERTopic().fit_transform(texts, vectors)
told("named", n_themes=len(set(topics) - {-1}), n_left_out=topics.count(-1))
"""

_HOW = (
    "BERTopic is no part of this project. Make a virtual environment for it, 'python3 -m venv "
    "FOLDER' and 'FOLDER/bin/pip install bertopic', and give its Python: --bertopic "
    "FOLDER/bin/python."
)


def add_themes_beside(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``themes-beside``."""
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help=f"JSON lines; by default {FILE} below SUBCLUST_BENCHMARK_DATA_DIR",
    )
    parser.add_argument(
        "--bertopic", type=Path, metavar="PYTHON", help="that of an environment with BERTopic"
    )
    parser.add_argument("--method", default="kmeans", choices=list(OFFERS))
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="the median counts")
    add_output(parser)


def run_themes_beside(arguments: argparse.Namespace, settings: Settings) -> None:
    """Time both, and say how they compare.

    Raises
    ------
    InputError
        If nothing says where BERTopic is.
    """
    if arguments.bertopic is None or not arguments.bertopic.is_file():
        raise InputError(_HOW)
    file = arguments.file or (settings.benchmark_data_dir or Path()) / FILE
    with exit_on_sigterm():
        result = compare_themes(
            file, settings, arguments.bertopic, method=arguments.method, n_rounds=arguments.rounds
        )
    told = circumstances(settings.resolve_device())
    if not output(arguments, RESULTS_DIR / "themes" / "beside-bertopic.json", result, told):
        print(in_words(result))


def compare_themes(
    file: Path, settings: Settings, bertopic: Path, *, method: str = "kmeans", n_rounds: int = 3
) -> dict[str, Any]:
    """Time both in turn.

    Parameters
    ----------
    file : Path
        JSON lines with a ``text`` each.
    settings : Settings
        Of which the length counts at which texts are cut.
    bertopic : Path
        Python of an environment that has it.

    Returns
    -------
    dict
        ``subclust`` and ``bertopic``, each with the median seconds since the start of the round by
        what was reached (``named`` last), those of the ``processor`` until themes had names, and
        of each round; ``ratio`` and ``processor_ratio`` of the two until then; ``n_texts``;
        ``load`` before each round; ``allowed``.

    Raises
    ------
    BenchmarkError
        If one of them fails.
    """
    rounds: dict[str, list[dict[str, Any]]] = {"subclust": [], "bertopic": []}
    load = []
    for _ in range(n_rounds):
        load.append(round(os.getloadavg()[0], 1))
        rounds["subclust"].append(_ours(file, method))
        rounds["bertopic"].append(_theirs(file, bertopic, settings.max_seq_length))
    medians = {name: _medians(found) for name, found in rounds.items()}
    last = rounds["bertopic"][-1]
    return {
        "file": file.name,
        "method": method,
        "n_texts": last["n_texts"],
        **{
            name: {
                **medians[name],
                "rounds": [_seconds(one) for one in rounds[name]],
                **{key: value for key, value in rounds[name][-1].items() if key in _FACTS},
            }
            for name in rounds
        },
        "ratio": _ratio(medians, "named"),
        "processor_ratio": _ratio(medians, "processor"),
        "cores": os.cpu_count(),
        "load": load,
        "allowed": ALLOWED,
    }


_FACTS = ("n_themes", "n_left_out", "versions")
_REACHED = ("imported", "encoded", "searchable", "named", "mapped", "processor")


def _ratio(medians: Mapping[str, Mapping[str, float]], name: str) -> float:
    return round(medians["subclust"][name] / medians["bertopic"][name], 3)


def _seconds(found: Mapping[str, Any]) -> dict[str, float]:
    return {name: round(found[name], 1) for name in _REACHED if name in found}


def _medians(rounds: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    names = _seconds(rounds[0])
    return {name: round(statistics.median(one[name] for one in rounds), 1) for name in names}


def _ours(file: Path, method: str) -> dict[str, Any]:
    """Import a file, and find its themes as soon as the library can be searched."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SUBCLUST_DATA_DIR": folder}
        began = time.monotonic()
        words = ["import", str(file), "--library", LIBRARY]
        importing = _started(words, environment)
        try:
            # Its first line tells what was imported; then it goes on preparing the first search.
            _line(importing)
            searchable, processor = time.monotonic() - began, _processor(importing)
            words = ["themes", "--library", LIBRARY, "--method", method]
            finding = _started(words, environment)
            try:
                head = _line(finding)
                named = time.monotonic() - began
                processor += _processor(finding)
                lines = _end(finding)
                mapped = time.monotonic() - began
            finally:
                _stop(finding)
        finally:
            _stop(importing)
    assert head
    return {
        "searchable": searchable,
        "named": named,
        "mapped": mapped,
        "processor": processor,
        "n_themes": len(lines),
    }


def _started(words: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "subclust", *words],
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _processor(process: "subprocess.Popen[str]") -> float:
    used = psutil.Process(process.pid).cpu_times()
    return float(used.user + used.system)


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    if line := process.stdout.readline():
        return line
    raise BenchmarkError("{command} failed.", command=str(process.args))


def _end(process: "subprocess.Popen[str]") -> list[str]:
    assert process.stdout is not None
    lines = list(process.stdout)
    if process.wait():
        raise BenchmarkError("{command} failed.", command=str(process.args))
    return lines


def _stop(process: "subprocess.Popen[str]") -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    process.communicate()


def _theirs(file: Path, bertopic: Path, longest: int) -> dict[str, Any]:
    """Have BERTopic read the texts, encode and group them."""
    command = [str(bertopic), "-W", "ignore", "-c", _BERTOPIC]
    command += [str(file), str(embedded_folder()), str(longest)]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    began = time.monotonic()
    done = subprocess.run(command, env=alone, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(
            "BERTopic failed: {said}", said="".join(done.stderr.splitlines(keepends=True)[-5:])
        )
    ended = time.monotonic() - began
    steps = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found: dict[str, Any] = {}
    before_python = ended - steps[-1]["seconds"]
    for step in steps:
        found |= step | {step["at"]: step["seconds"] + before_python}
    return found


def in_words(result: Mapping[str, Any]) -> str:
    """Write what `compare_themes` measured as lines."""
    ours, theirs, ratio = result["subclust"], result["bertopic"], result["ratio"]
    past = "" if ratio <= result["allowed"] else f"; {result['allowed']:g} are allowed"
    return "\n".join(
        [
            f"{result['n_texts']:,} texts on {result['cores']} cores, before each round "
            f"{', '.join(map(str, result['load']))} processes of others wanted one",
            f"Subclust  searchable after {ours['searchable']:.1f} s, {ours['n_themes']} "
            f"themes named after {ours['named']:.1f} s, their map after {ours['mapped']:.1f} s",
            f"BERTopic  imported after {theirs['imported']:.1f} s, encoded after "
            f"{theirs['encoded']:.1f} s, {theirs['n_themes']} named themes after "
            f"{theirs['named']:.1f} s, {theirs['n_left_out']:,} texts in none",
            f"Subclust takes {ratio:.2f} of the time, of the processor's "
            f"{result['processor_ratio']:.2f} ({ours['processor']:.1f} and "
            f"{theirs['processor']:.1f} s){past}",
        ]
    )
