"""The API as a process of its own, walked through as its document does."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import httpx2
import pytest
from made_library import make_library
from waiting import wait_until

import subclust
from subclust.core.records import Passage
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.text.encoders import shared_encoder

pytestmark = pytest.mark.app  # waits for processes

TEXTS = {
    "tax": "The crown taxed sugar and stamps, and the merchants of {} refused to pay.",
    "army": "The army marched from {} with cannon and laid siege to the fort.",
    "fish": "Cod and herring were landed in {} and salted for the winter.",
}
PLACES = ("Boston", "Salem", "Nantucket", "Newport", "Halifax", "Plymouth", "Norfolk", "York")


def is_up(address):
    try:
        return httpx2.get(f"{address}/readyz").status_code == 200
    except httpx2.TransportError:
        return False


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    settings = Settings(
        data_dir=folder / "data",
        models_dir=folder / "models",
        shipped_models_dir=PROJECT_ROOT / "models",
        device="cpu",
    )
    passages = [
        Passage(f"{name}{place}", text.format(place), title=place)
        for name, text in TEXTS.items()
        for place in PLACES
    ]
    make_library(settings.library_dir, shared_encoder(settings), passages)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "subclust", "serve-api", "--port", str(port)]
    with subprocess.Popen(words, env=settings.to_environment()) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: is_up(address), seconds=60)
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


def test_the_walk_of_the_document(address, tmp_path):
    text = (PROJECT_ROOT / "docs/it/api.md").read_text(encoding="utf-8")
    [walk] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert walk.startswith("api=http://localhost:8502/")
    walk = walk.replace("http://localhost:8502", address)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", walk],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["n_passages"] == 1
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert answer["method"] == "centred-qs3m" and answer["n_clusters"] >= 1
    assert json.loads((tmp_path / "other.json").read_text())["what_changed"]
    assert "TY  - " in (tmp_path / "groups.ris").read_text()


def test_the_calls_of_a_notebook(address):
    library = subclust.connect(address).open_library("demo")
    answer = library.search("colonial taxes", n_clusters=2, strictness="all")
    assert len(answer) == len(library) == 24 and answer.n_clusters == 2
    assert answer.regroup("places").what_changed


def test_another_site_may_not_change_anything(address):
    evil = {"Origin": "https://evil.example"}
    answer = httpx2.delete(f"{address}/api/v1/libraries/demo", headers=evil)
    assert answer.status_code == 403
    assert (
        "access-control-allow-origin"
        not in httpx2.get(f"{address}/api/v1/methods", headers=evil).headers
    )
