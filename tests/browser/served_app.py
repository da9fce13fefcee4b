"""The app on a port of its own, over folders that the tests may fill."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from subclust.checkpoints import CheckpointStore
from subclust.cli.serve import LAUNCH
from subclust.core.settings import PROJECT_ROOT
from subclust.text.encoders import HashingEncoder


def environment_of(folder: Path) -> dict[str, str]:
    """Give the environment in which the app uses a folder and the tests' encoder."""
    return os.environ | {
        "SUBCLUST_DATA_DIR": str(folder),
        "SUBCLUST_MODELS_DIR": str(folder / "models"),
        "SUBCLUST_ENCODER": "hashing",
        "SUBCLUST_DEVICE": "cpu",
    }


@contextmanager
def served(
    folder: Path, *, first: str = "", paths: Sequence[Path] = (), accounts: Path | None = None
):
    """Serve the app over a data folder, and give its address; it ends with the block.

    Parameters
    ----------
    folder : Path
    first : str
        Python that the server's process runs before it starts.
    paths : sequence of Path
        Where that finds its modules.
    accounts : Path, optional
        Who may sign in; the app is then served by the command.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", f"{first}\n{LAUNCH}", "run", "subclust/ui/asgi.py"]
    known = [*map(str, paths), os.environ.get("PYTHONPATH", "")]
    environment = environment_of(folder) | {"PYTHONPATH": os.pathsep.join(filter(None, known))}
    options = ["--server.port", str(port), "--server.fileWatcherType", "none"]
    if accounts is not None:
        environment["SUBCLUST_ACCOUNTS"] = str(accounts)
        command = [sys.executable, "-m", "subclust", "serve", "--host", "127.0.0.1"]
        options = ["--port", str(port)]
    log_file = folder / "server.log"
    with log_file.open("w") as log:
        server = subprocess.Popen(
            command + options,
            cwd=PROJECT_ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url, server, log_file)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


def add_models(folder: Path, random_checkpoint, *names: str) -> CheckpointStore:
    """Put QS3M models with random weights beside the data; the last one is in use."""
    encoder = HashingEncoder()
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    store = CheckpointStore(folder / "models")
    for seed, name in enumerate(names):
        store.save(random_checkpoint("qs3m", name, seed=seed, **config))
        store.promote("qs3m", name, as_default=seed == 0)
    return store


def _wait_until_healthy(url, server, log_file):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"The app ended at once:\n{log_file.read_text()}")
        with suppress(OSError):  # refused, or too busy for an answer
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return
        time.sleep(0.3)
    pytest.fail(f"The app did not start:\n{log_file.read_text()}")
