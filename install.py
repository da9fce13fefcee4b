"""Install into this Python what ``make`` asks for, with one line of progress: ``install.py WORDS``.

The words are those of ``pip install``. It needs nothing but Python.
"""

import shutil
import subprocess
import sys
import time
import tomllib
from collections import deque
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where PyTorch's own builds without CUDA are."""

PAUSES = (5, 20)
"""Seconds after a failed attempt."""

_CARD = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg")
_QUICK = ("--timeout", "15", "--retries", "1")
_TOLD = 20
_EVERY = 15.0


class Progress:
    """One line: what pip is doing, on a terminal in place of what it did before."""

    def __init__(self) -> None:
        self.n_packages = 0
        self._is_terminal = sys.stdout.isatty()
        self._began = self._drawn = time.monotonic()

    def read(self, line: str) -> None:
        """Take a line of pip's."""
        words = line.split()
        if len(words) > 1 and words[0] == "Collecting":
            self.n_packages += 1
            self._draw(f"{self.n_packages} packages found; reading {words[1]}")
        elif len(words) > 1 and words[0] == "Downloading":
            self._draw(f"{self.n_packages} packages found; downloading {' '.join(words[1:])}")
        elif line.startswith("Installing collected packages"):
            self._draw(f"Writing {line.count(',') + 1} packages to disk", at_once=True)

    def end(self) -> None:
        """Clear the line."""
        if self._is_terminal:
            print("\r\x1b[K", end="", flush=True)

    def _draw(self, told: str, *, at_once: bool = False) -> None:
        now = time.monotonic()
        told = f"  {now - self._began:.0f} s  {told}"
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{told[:width]}", end="", flush=True)
        elif at_once or now - self._drawn > _EVERY:
            print(told, flush=True)
            self._drawn = now


def main(words: Sequence[str]) -> int:
    """Install; return the exit status."""
    print("Installing what Subclust needs (minutes the first time)", flush=True)
    began = time.monotonic()
    if lacks_card() and not is_installed("torch"):
        wanted = f"torch=={torch_version()}+cpu"
        if pip([*_QUICK, "--extra-index-url", CPU_INDEX, wanted])[0]:
            print("  PyTorch without CUDA is not to be had here; the usual build is taken.")
    for pause in (*PAUSES, None):
        status, told = pip(words)
        if status == 0:
            print(f"  Installed in {time.monotonic() - began:.0f} s", flush=True)
            return 0
        if pause is not None:
            time.sleep(pause)
    print("\n".join(told), file=sys.stderr)
    print(
        "The installation failed; see above, check the connection to the package index, and try "
        "again.",
        file=sys.stderr,
    )
    return 1


def pip(words: Sequence[str]) -> tuple[int, list[str]]:
    """Run ``pip install``; return its exit status and its last lines, warnings among them."""
    command = [sys.executable, "-m", "pip", "install", "--progress-bar", "off", *words]
    progress, last = Progress(), deque[str](maxlen=_TOLD)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            last.append(line.rstrip())
            progress.read(line.strip())
    progress.end()
    return process.returncode, list(last)


def lacks_card() -> bool:
    """Return whether this Linux has no graphics card that CUDA could use."""
    has_card = any(Path(place).exists() for place in _CARD) or shutil.which("nvidia-smi")
    return sys.platform == "linux" and not has_card


def is_installed(name: str) -> bool:
    """Return whether a distribution is installed, whatever its version."""
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def torch_version(project: Path = Path("pyproject.toml")) -> str:
    """Return the version of PyTorch that the project asks for."""
    dependencies = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"]
    (found,) = (one for one in dependencies if one.startswith("torch=="))
    return str(found.removeprefix("torch=="))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
