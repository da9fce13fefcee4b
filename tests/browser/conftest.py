import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from subclust.cli.serve import LAUNCH
from subclust.settings import PROJECT_ROOT

sys.path.insert(0, str(Path(__file__).parent.parent / "pages"))

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def app_url(tmp_path_factory):
    """Serve the app over a small library."""
    import small_library

    folder = tmp_path_factory.mktemp("data")
    small_library.build(folder, "demo")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "SUBCLUST_DATA_DIR": str(folder),
        "SUBCLUST_MODELS_DIR": str(folder / "models"),
        "SUBCLUST_ENCODER": "hashing",
        "SUBCLUST_DEVICE": "cpu",
    }
    command = [sys.executable, "-c", LAUNCH, "run", "app.py"]
    options = ["--server.port", str(port), "--server.fileWatcherType", "none"]
    log_file = folder / "server.log"
    with log_file.open("w") as log:
        server = subprocess.Popen(
            command + options, cwd=PROJECT_ROOT, env=environment, stdout=log, stderr=log
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url, server, log_file)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """Open pages as different visitors; all requests of each are kept in `requests`."""
    contexts = []

    def open_page(**options):
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        context.set_default_timeout(45_000)
        contexts.append(context)
        page = context.new_page()
        page.requests = []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("websocket", lambda socket: page.requests.append(socket.url))
        return page

    yield open_page
    for context in contexts:
        context.close()


def _wait_until_healthy(url, server, log_file):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"The app ended at once:\n{log_file.read_text()}")
        with suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return
        time.sleep(0.3)
    pytest.fail(f"The app did not start:\n{log_file.read_text()}")
