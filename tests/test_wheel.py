"""The wheel alone, in an empty folder: no checkout, no benchmarks."""

import json
import os
import socket
import subprocess
import sys
import sysconfig
import time
import zipfile
from urllib.request import urlopen

import pytest

from subclust.core.settings import PROJECT_ROOT

pytestmark = pytest.mark.app

MOST_BYTES = 30_000_000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Give the folder that the wheel was unpacked into."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=PROJECT_ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def start(site, tmp_path):
    """Start a Python of its own that sees the wheel and what it needs, in an empty folder."""
    path = os.pathsep.join([str(site), sysconfig.get_path("purelib")])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SUBCLUST_")}
    environment = kept | {"PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path / "share")}
    empty = tmp_path / "empty"
    empty.mkdir()

    def popen(*words):
        # Without -S, the site's own .pth files would bring the checkout back.
        return subprocess.Popen(
            [sys.executable, "-S", *words],
            cwd=empty,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return popen


def out(process):
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return said


def test_it_is_not_the_checkout_and_keeps_its_data_with_the_users(start, site, tmp_path):
    program = "from subclust.core.settings import *; print(SHIPPED); print(Settings().data_dir)"
    shipped, data = out(start("-c", program)).split()
    assert shipped == str(site / "subclust" / "shipped")
    assert data == str(tmp_path / "share" / "subclust")


def test_it_has_the_default_model(start):
    said = out(start("-m", "subclust", "models", "list", "--json"))
    models = json.loads(said.splitlines()[-1])["models"]
    assert "centred-qs3m/wikipedia" in {f"{one['method']}/{one['name']}" for one in models}


def test_the_app_starts(start):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    process = start("-m", "subclust", "serve", "--port", str(port))
    try:
        assert answered(f"http://localhost:{port}/_stcore/health", process) == b"ok"
        assert b"<html" in answered(f"http://localhost:{port}/", process)
    finally:
        process.terminate()
        process.communicate(timeout=30)


def answered(url, process, seconds=90):
    """Ask until there is an answer."""
    for _ in range(seconds * 5):
        assert process.poll() is None, process.stdout.read()
        try:
            with urlopen(url, timeout=10) as response:
                return response.read()
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(url)
