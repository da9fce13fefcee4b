"""SIGKILL at random moments of whatever writes to the data folder; nothing reported may be lost."""

import argparse
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.killed_work import WORKS, Training, Work
from benchmarks.results import RESULTS_DIR, add_output, circumstances, output
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import Settings
from subclust.text.library.lance import lancedb

SHARES = {
    "import": 0.2,
    "training": 0.15,
    "promotion": 0.2,
    "saving a session": 0.2,
    "backup of everything": 0.1,
    "restoring everything": 0.05,
    "upgrade from 0.1.0": 0.1,
}
"""Of all kills."""

_NEEDED = (
    "subclust.cli.documents.transfer",
    "subclust.cli.training.train",
    "subclust.judging.judgement",
    "subclust.methods.qs3m.training",
)
_LONGEST_S = 60.0
_TRIES = 3
_ENOUGH = 20
"""Wrong things after which no more is killed."""


def add_kills(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``kills``."""
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="in all")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--kind", choices=WORKS, help="one alone, by default all")
    add_output(parser)


def run_kills(arguments: argparse.Namespace, settings: Settings) -> None:
    """Kill, and say what was lost.

    Raises
    ------
    BenchmarkError
        If something was.
    """
    shares = {arguments.kind: 1.0} if arguments.kind else SHARES
    counts = {kind: max(1, round(share * arguments.kills)) for kind, share in shares.items()}
    result = measure_kills(counts, arguments.seed)
    told = circumstances("cpu")
    if not output(arguments, RESULTS_DIR / "kills" / "kills.json", result, told):
        print(in_words(result))
    if wrong := [one for kind in result["kinds"].values() for one in kind["wrong"]]:
        raise BenchmarkError("Something was lost: {wrong}.", wrong="; ".join(wrong[:5]))


def measure_kills(counts: Mapping[str, int], seed: int = 0) -> dict[str, Any]:
    """Kill processes at work, and look each time at what is there then.

    Parameters
    ----------
    counts : mapping of str to int
        Number of kills of each kind of `WORKS`.
    seed : int
        Of the moments.

    Returns
    -------
    dict
        ``kinds``: of each kind its number of ``kills``, of things that were ``acknowledged`` before
        one, and what was ``wrong``, a sentence each; ``n_kills``; ``seconds``; ``seed``.
    """
    _imported()
    began = time.monotonic()
    kinds = {}
    for kind, n_kills in counts.items():
        chance = random.Random(f"{seed} {kind}")
        kinds[kind] = _killed(WORKS[kind], n_kills, chance)
        told = f"{kind}: {n_kills} kills, {len(kinds[kind]['wrong'])} wrong"
        print(f"{told}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return {
        "kinds": kinds,
        "n_kills": sum(counts.values()),
        "seconds": round(time.monotonic() - began, 1),
        "seed": seed,
    }


def _killed(kind: type[Work], n_kills: int, chance: random.Random) -> dict[str, Any]:
    wrong: list[str] = []
    acknowledged: list[str] = []
    n_acknowledged = n_done = 0
    with tempfile.TemporaryDirectory(prefix="subclust-kills-") as place:
        while n_done < n_kills and len(wrong) < _ENOUGH:
            if n_done % kind.rounds == 0:
                n_acknowledged += len(acknowledged)
                acknowledged = []
                for old in Path(place).iterdir():
                    shutil.rmtree(old)
                work = kind(Path(place) / str(n_done))
                work.folder.mkdir()
                wrong += _in_child(partial(_prepared, work))
            was_killed, said = _kill(work, chance)
            n_done += was_killed
            acknowledged += said
            wrong += _in_child(partial(work.check, acknowledged))
    n_acknowledged += len(acknowledged)
    return {"kills": n_done, "acknowledged": n_acknowledged, "wrong": wrong}


def _prepared(work: Work) -> list[str]:
    work.prepare()
    return []


def _kill(work: Work, chance: random.Random) -> tuple[bool, list[str]]:
    """Let it work, kill it somewhere; return whether that met it, and what it had acknowledged."""
    child, told = _forked(work.work)
    time.sleep(chance.uniform(0.0, work.patience))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    said = _read(told)
    os.close(told)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise BenchmarkError("The work that was to be killed failed by itself; see above.")
    return os.WIFSIGNALED(status), said.splitlines()


def _in_child(function: Callable[[], Sequence[str]]) -> list[str]:
    """Call a function in a process of its own; one that hangs is called again.

    What is called here must not start threads: forked processes would wait for them.
    """
    for _ in range(_TRIES):
        child, told = _forked(lambda say: say(json.dumps(list(function()))))
        until = time.monotonic() + _LONGEST_S
        said = ""
        while time.monotonic() < until:
            select.select([told], [], [], 0.01)
            said += _read(told)
            if os.waitpid(child, os.WNOHANG)[0]:
                said += _read(told)
                os.close(told)
                found: list[str] = json.loads(said) if said else ["what is there does not open"]
                return found
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(told)
    raise BenchmarkError("A check took too long.")


def _forked(function: Callable[[Callable[[str], None]], object]) -> tuple[int, int]:
    """Call a function in a child; return its id and where it writes the lines it says."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    child = os.fork()
    if child == 0:
        os.close(reading)
        status = 1
        try:
            function(partial(_say, writing))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    return child, reading


def _say(writing: int, line: str) -> None:
    os.write(writing, f"{line}\n".encode())


def _read(told: int) -> str:
    content = b""
    with suppress(BlockingIOError):
        while part := os.read(told, 1 << 16):
            content += part
    return content.decode()


def _imported() -> None:
    """Import what the children need, which they then have; nothing here may start a thread."""
    import torch

    for name in _NEEDED:
        import_module(name)
    lancedb()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as place:
        Training(Path(place)).once()
    warnings.filterwarnings("ignore", message="lancedb fork support")


def in_words(result: Mapping[str, Any]) -> str:
    """Write what `measure_kills` measured as lines."""
    lines = [
        f"{kind}: {one['kills']} kills, {one['acknowledged']:,} acknowledged, "
        f"{len(one['wrong'])} wrong"
        for kind, one in result["kinds"].items()
    ]
    return "\n".join([*lines, f"{result['n_kills']} kills in {result['seconds']:.0f} s"])
