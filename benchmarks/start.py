"""The first minute in a fresh clone: what ``make run`` does after installing, and commands."""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.app.chromium import SETTLED, chromium
from benchmarks.ended import exit_on_sigterm
from benchmarks.results import RESULTS_DIR, add_output, circumstances, output
from benchmarks.speed import QUERIES
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import PROJECT_ROOT, Settings

ALLOWED = {"demo_s": 15.0, "page_s": 25.0, "frame_s": 3.0, "search_in_torch": 3.0, "list_s": 0.5}
"""Seconds, and for a search how many times ``import torch``."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "import torch": ("-c", "import torch"),
    "--help": ("-m", "subclust", "--help"),
    "methods": ("-m", "subclust", "methods"),
    "library list": ("-m", "subclust", "library", "list"),
    "search --json": ("-m", "subclust", "search", "--json", QUERIES[0]),
}
"""Words of Python, by what they stand for."""

AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "SUBCLUST_ENCODER_BACKEND": "torch",
}
"""Variables that have a newer processor compute as a plain PC's does."""

_FRAME = "document.querySelector('[data-testid=stTopNavLink]') !== null"
_SENTENCE = f"({_FRAME} && document.querySelector('[data-testid=stSpinner]') !== null)"
_ANSWER = f"({SETTLED} && (document.querySelector('.js-plotly-plot')?.data ?? []).length > 0)"
_NO_COMPILED = "PYTHONDONTWRITEBYTECODE"
_PATIENCE_S = 600.0
_LOOK_S = 0.02


def add_start(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``start``."""
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of each command")
    add_output(parser)


def run_start(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure the first minute, and say where a limit was passed."""
    with exit_on_sigterm():  # the server and the browser
        result = measure_start(arguments.rounds)
    told = circumstances(settings.resolve_device())
    if not output(arguments, RESULTS_DIR / "speed" / "start.json", result, told):
        print(in_words(result))


def measure_start(rounds: int = 3) -> dict[str, Any]:
    """Clone the project, build its demo library, serve it, visit it, and time commands.

    Parameters
    ----------
    rounds : int
        Of each command; the median counts.

    Returns
    -------
    dict
        ``clone`` and ``demo``, each with seconds on the clock (``wall_s``), of the processor
        (``cpu_s``) and ``megabytes`` on disk, and ``silent_s``, the longest time in which ``demo``
        said nothing; ``page``, seconds from the start of the server until the frame, a sentence on
        what is being loaded, and the example question's answer are there; ``commands``, seconds by
        name; ``instructions`` that the processor was held to; ``load``, how many processes of
        others wanted a processor before; ``allowed``.
    """
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        clone, data = Path(place) / "clone", Path(place) / "data"
        cloned = timed(["git", "clone", "--quiet", str(PROJECT_ROOT), str(clone)])
        environment = {
            **{name: value for name, value in os.environ.items() if name != _NO_COMPILED},
            "PYTHONPATH": str(clone),
            "SUBCLUST_DATA_DIR": str(data),
            **AVX2,
        }
        demo = timed([sys.executable, "-m", "subclust", "demo"], clone, environment)
        page = _visited(clone, environment)
        commands = {
            name: _median(
                [timed([sys.executable, *words], clone, environment) for _ in range(rounds)]
            )
            for name, words in COMMANDS.items()
        }
        return {
            "clone": {**cloned, "megabytes": _megabytes(clone, leaving_out=".git")},
            "demo": {**demo, "megabytes": _megabytes(data)},
            "page": page,
            "commands": commands,
            "instructions": "AVX2",
            "load": round(load, 1),
            "allowed": ALLOWED,
        }


def timed(
    command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> dict[str, float]:
    """Run a command and return its seconds, and the longest time in which it said nothing.

    Raises
    ------
    BenchmarkError
        If it fails.
    """
    began = last = time.monotonic()
    silent = 0.0
    said = []
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            now = time.monotonic()
            silent, last = max(silent, now - last), now
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    ended = time.monotonic()
    if process.returncode:
        raise BenchmarkError(
            "{command} failed: {said}", command=" ".join(command), said="".join(said[-5:])
        )
    return {
        "wall_s": round(ended - began, 2),
        "cpu_s": round(used.ru_utime + used.ru_stime, 2),
        "silent_s": round(max(silent, ended - last), 2),
    }


def _visited(clone: Path, environment: Mapping[str, str]) -> dict[str, float]:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    command = [sys.executable, "-m", "subclust", "serve", "--port", str(port)]
    with chromium() as browser:
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.set_default_timeout(_PATIENCE_S * 1000)
        began = time.monotonic()
        process = subprocess.Popen(
            command, cwd=clone, env=dict(environment), stdout=subprocess.DEVNULL
        )
        try:
            _wait_for(f"http://localhost:{port}/_stcore/health", process)
            found = {"health_s": time.monotonic() - began}
            page.goto(f"http://localhost:{port}/")
            # Where the browser is slower than the server, the sentence may have come and gone.
            said = f"({_SENTENCE} || {_ANSWER})"
            conditions = {"frame_s": _FRAME, "sentence_s": said, "answer_s": _ANSWER}
            for name, condition in conditions.items():
                page.wait_for_function(f"() => {condition}")
                found[name] = time.monotonic() - began
        finally:
            process.terminate()
            process.wait()
    return {name: round(seconds, 2) for name, seconds in found.items()}


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    began = time.monotonic()
    while time.monotonic() - began < _PATIENCE_S and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=_PATIENCE_S):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(_LOOK_S)
    raise BenchmarkError("The app did not start.")


def _median(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in runs) for name in ("wall_s", "cpu_s")}


def _megabytes(folder: Path, leaving_out: str = "") -> float:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    inside = (path for path in files if leaving_out not in path.relative_to(folder).parts)
    return round(sum(path.stat().st_size for path in inside) / 1e6, 1)


def in_words(result: Mapping[str, Any]) -> str:
    """Write what `measure_start` measured as lines, those past a limit marked."""
    allowed, page, commands = result["allowed"], result["page"], result["commands"]
    demo = result["demo"]["wall_s"]
    ratio = commands["search --json"]["wall_s"] / commands["import torch"]["wall_s"]
    lines = [
        f"before, {result['load']:.1f} processes of others wanted a processor",
        f"clone    {result['clone']['wall_s']:6.1f} s  {result['clone']['megabytes']:.0f} MB",
        f"demo     {demo:6.1f} s  {result['demo']['megabytes']:.0f} MB, of the processor "
        f"{result['demo']['cpu_s']:.1f} s, silent for at most {result['demo']['silent_s']:.1f} s"
        + _past(demo, allowed["demo_s"]),
        f"frame    {page['frame_s']:6.1f} s after the server started"
        + _past(page["frame_s"], allowed["frame_s"]),
        f"sentence {page['sentence_s']:6.1f} s",
        f"answer   {page['answer_s']:6.1f} s",
        f"page     {demo + page['frame_s']:6.1f} s after the installation"
        + _past(demo + page["frame_s"], allowed["page_s"]),
    ]
    for name, took in commands.items():
        limit = allowed["list_s"] if name in ("methods", "library list") else None
        lines.append(
            f"{name:16} {took['wall_s']:.2f} s, of the processor {took['cpu_s']:.2f} s"
            + _past(took["wall_s"], limit)
        )
    lines.append(
        f"search is {ratio:.1f} times import torch" + _past(ratio, allowed["search_in_torch"])
    )
    return "\n".join(lines)


def _past(found: float, limit: float | None) -> str:
    return "" if limit is None or found <= limit else f"; {limit:g} are allowed"
