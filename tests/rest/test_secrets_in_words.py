"""A server behind a proxy that logs in words writes neither secrets nor who asked what."""

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from waiting import wait_until

from subclust.core.access import Role
from subclust.core.accounts import read_accounts
from subclust.core.settings import Settings
from subclust.core.tokens import TokenStore

pytestmark = pytest.mark.app  # waits for processes

LLM_KEY, LIVE_KEY = "the-key-of-the-language-model", "the-key-of-a-live-source"
WHO = "ada@example.org"


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Serve the API to whom a proxy's header names; give its client, a token and its folder."""
    accounts = tmp_path / "accounts.toml"
    accounts.write_text(
        '[header]\nname = "X-Remote-User"\nproxies = ["127.0.0.1"]\n'
        f'[roles]\nadministrators = ["{WHO}"]\n',
        encoding="utf-8",
    )
    settings = Settings(
        data_dir=tmp_path / "data",
        models_dir=tmp_path / "models",
        encoder="hashing",
        accounts=accounts,
        log="text",
    )
    settings.data_dir.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    known = read_accounts(accounts)
    ada = known.person(WHO)
    token = TokenStore(settings.data_dir / "tokens", known).create(ada, "a", Role.READER, 1)[1]
    words = [sys.executable, "-m", "subclust", "serve-api", "--port", str(port)]
    environment = settings.to_environment() | {
        "SUBCLUST_LLM_URL": "http://127.0.0.1:9/v1",  # where nobody answers
        "SUBCLUST_LLM_MODEL": "small",
        "SUBCLUST_LLM_KEY": LLM_KEY,
        "SUBCLUST_LIVE": "openalex",
        "SUBCLUST_KEY_OPENALEX": LIVE_KEY,
    }
    log = tmp_path / "server.log"
    with (
        log.open("w") as written,
        subprocess.Popen(words, env=environment, stdout=written, stderr=written) as process,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}") as client,
    ):
        try:
            wait_until(lambda: is_up(client), seconds=60)
            yield client, token, settings.data_dir, log
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


def is_up(client):
    try:
        return client.get("/readyz").status_code == 200
    except httpx2.TransportError:
        return False


def test_no_secret_and_no_asker_is_written(served):
    client, token, data, log = served
    proxied = {"X-Remote-User": WHO, "Cookie": "subclust=a-cookie-of-the-proxy"}
    rows = b"title,text\nSalt,Salt was taxed in the harbour of the town.\n"
    path = "/api/v1/libraries/new/imports?filename=a.csv"
    assert client.post(path, content=rows, headers=proxied).status_code == 202
    wrong = "subclust_" + "wrong" * 8
    told = []
    for secret in (token, wrong, f"{token} 2001-01-01 info forged"):
        bearer = {"Authorization": f"Bearer {secret}"}
        told += [
            client.get("/api/v1/libraries/none", headers=bearer).text,
            client.post("/api/v1/search", content=b"{", headers=bearer).text,
            client.get("/api/v1/jobs", headers=proxied).text,
        ]
    running = [one.read_bytes() for one in Path("/proc").glob("[0-9]*/cmdline") if one.is_file()]
    files = {str(one): one.read_bytes() for one in data.rglob("*") if one.is_file()}
    everything = {
        **files, "log": log.read_bytes(), "answers": json.dumps(told).encode(),
        "commands": b" ".join(running),
    }  # fmt: skip
    for secret in (token, wrong, LLM_KEY, LIVE_KEY, "a-cookie-of-the-proxy"):
        assert [at for at, content in everything.items() if secret.encode() in content] == []
    lines = log.read_text(encoding="utf-8").splitlines()
    assert any("path=/api/v1/search" in line for line in lines)
    assert WHO not in "\n".join(lines)  # the audit log alone says who
    assert any(WHO.encode() in content for at, content in files.items() if "audit" in at)
