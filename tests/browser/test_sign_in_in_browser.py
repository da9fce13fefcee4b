"""People sign in, and each finds on pages and by the API what their role allows."""

import json
import socket
import zipfile
from pathlib import Path

import httpx2
import pytest
import small_library
from openid import CLIENT, SECRET, provided
from served_app import add_models, served

from subclust.backups import back_up_everything
from subclust.core.access import Role
from subclust.core.accounts import read_accounts
from subclust.core.settings import Settings
from subclust.core.tokens import TokenStore

PEOPLE = {
    "reader": {"email": "rob@example.org", "email_verified": True},
    "curator": {"email": "cleo@example.org", "email_verified": True},
    "administrator": {"email": "ada@example.org", "groups": ["staff", "administrator"]},
    "impostor": {"email": "cleo@example.org", "email_verified": False},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory, random_checkpoint):
    folder = tmp_path_factory.mktemp("data")
    small_library.build(folder, "demo")
    add_models(folder, random_checkpoint, "shipped", "ours")
    return folder


COOKIE_SECRET = "0123456789abcdef" * 4
LLM_KEY, LIVE_KEY = "the-key-of-the-language-model", "the-key-of-a-live-source"


@pytest.fixture(scope="module")
def provider():
    with provided(PEOPLE) as provider:
        yield provider


@pytest.fixture(scope="module")
def metrics_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture(scope="module")
def url(data, provider, metrics_port):
    """Serve pages and API to people who sign in, by the command; it logs all that it can."""
    accounts = data.parent / f"{data.name}-accounts.toml"
    with pytest.MonkeyPatch.context() as environment:
        for name, value in {
            "SUBCLUST_API": "1",
            "SUBCLUST_LOG": "json",
            "STREAMLIT_LOGGER_LEVEL": "debug",
            "SUBCLUST_METRICS_PORT": str(metrics_port),
            "SUBCLUST_NAMES": "language-model",
            "SUBCLUST_LLM_URL": "http://127.0.0.1:9/v1",  # where nobody answers
            "SUBCLUST_LLM_MODEL": "small",
            "SUBCLUST_LLM_KEY": LLM_KEY,
            "SUBCLUST_LIVE": "openalex",
            "SUBCLUST_CONTACT": "ada@example.org",
            "SUBCLUST_KEY_OPENALEX": LIVE_KEY,
        }.items():
            environment.setenv(name, value)
        accounts.write_text(
            f"""
            [auth]
            redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
            cookie_secret = "{COOKIE_SECRET}"
            client_id = "{CLIENT}"
            client_secret = "{SECRET}"
            server_metadata_url = "{provider.url}/.well-known/openid-configuration"
            [roles]
            curators = ["cleo@example.org"]
            claim = "groups"
            """,
            encoding="utf-8",
        )
        with served(data, accounts=accounts) as url:
            yield url


@pytest.fixture
def signed_in(url, new_page):
    """Sign somebody in, and return the page."""

    def enter(person):
        page = new_page()
        page.goto(url)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name=person, exact=True).click()
        page.locator(".st-key-account button").first.wait_for()
        return page

    return enter


def offers(page, path, button, drawn):
    """Return whether a page has a button, once another one is drawn."""
    page.goto(path)
    page.get_by_role("button", name=drawn).wait_for()
    page.locator("[data-testid=stStatusWidget]").wait_for(state="detached")
    return page.get_by_role("button", name=button).count() > 0


def asks(url, access, method, path):
    """Ask the API with an access token, and return the status of the answer."""
    headers = {"Authorization": f"Bearer {access}"} if access else {}
    return httpx2.request(method, f"{url}/api/v1/{path}", headers=headers).status_code


def noted(data):
    lines = (data / "audit" / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.main_way
def test_each_finds_what_their_role_allows(data, url, provider, signed_in):
    expected = {
        "reader": (False, False),
        "impostor": (False, False),
        "curator": (True, False),
        "administrator": (True, True),
    }
    for person, allowed in expected.items():
        page = signed_in(person)
        found = (
            offers(page, f"{url}/library", "Add documents", "Download as CSV"),
            offers(page, f"{url}/models", "Roll back to", "Download"),
        )
        assert found == allowed, person
        access = provider.access[person]
        by_api = (
            asks(url, access, "DELETE", "libraries/none") == 404,
            asks(url, access, "DELETE", "models/qs3m/none") == 404,
        )
        assert by_api == allowed and asks(url, access, "GET", "libraries") == 200, person
    assert asks(url, "", "GET", "libraries") == 401
    people = [one["person"] for one in noted(data) if one["did"] == "signed in"]
    assert {"rob@example.org", "cleo@example.org", "ada@example.org", "impostor"} <= set(people)


def test_whoever_has_not_signed_in_sees_nothing_and_comes_back_to_what_was_asked_for(url, new_page):
    page = new_page()
    page.goto(f"{url}/compare?q=river")
    page.get_by_role("button", name="Sign in").wait_for()
    for hidden in (".st-key-explore-question", "text=Library", "text=river"):
        assert page.locator(hidden).count() == 0
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="reader", exact=True).click()
    page.wait_for_url(f"{url}/compare?q=river*")
    page.locator(".st-key-account button").first.click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()


def written(folder):
    """Return all that lies in a folder, by place, what is packed in archives too."""
    found = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for path in folder.rglob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            found |= {f"{path}/{name}": archive.read(name) for name in archive.namelist()}
    return found


def commands():
    """Return the words of all commands that run, as `ps` shows them to everybody."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:  # it has ended
            continue
    return b" ".join(found)


def test_no_secret_is_written_anywhere(data, url, provider, metrics_port, signed_in):
    page = signed_in("administrator")
    cookies = [one["value"] for one in page.context.cookies() if "user" in one["name"]]
    assert cookies
    accounts = read_accounts(data.parent / f"{data.name}-accounts.toml")
    ada = accounts.person("ada@example.org", PEOPLE["administrator"])
    token = TokenStore(data / "tokens", accounts).create(ada, "notebook", Role.ADMINISTRATOR, 1)[1]
    wrong = "subclust_" + "wrong" * 8
    answers = [page.content(), httpx2.get(f"http://127.0.0.1:{metrics_port}/metrics").text]
    asked = {"query": "war", "library": "demo", "method": "tfidf", "n_clusters": 3}
    rows = b"title,text\n" + b"Salt,Salt was taxed in the harbour of the town.\n" * 3
    for secret in (token, wrong, provider.access["administrator"], f"{token}\n2001 info forged"):
        with httpx2.Client(
            base_url=f"{url}/api/v1/",
            headers={"Authorization": f"Bearer {secret}".encode().replace(b"\n", b" ")},
            cookies={"_streamlit_user": cookies[0]},
        ) as client:
            answers += [
                client.post("search", json=asked).text,
                client.post("search", content=b"{").text,
                client.get("libraries/none").text,
                client.post(
                    "libraries/new/imports", params={"filename": "a.csv"}, content=rows
                ).text,
                client.get("jobs").text,
            ]
            running = commands()
    back_up_everything(Settings(data_dir=data, models_dir=data / "models"), data.parent / "b.zip")
    with zipfile.ZipFile(data.parent / "b.zip") as archive:
        backup = b"".join(archive.read(name) for name in archive.namelist())
    everything = {
        **written(data),
        "answers": "\n".join(answers).encode(),
        "commands": running,
        "backup": backup,
    }
    for secret in (
        token, wrong, SECRET, COOKIE_SECRET, LLM_KEY, LIVE_KEY, *cookies, *provider.told
    ):  # fmt: skip
        assert [place for place, content in everything.items() if secret.encode() in content] == []
    lines = (data / "server.log").read_text(encoding="utf-8").splitlines()
    noted = [json.loads(line) for line in lines if line.startswith("{")]
    assert {"debug", "info"} <= {one["level"] for one in noted}
    assert "/api/v1/search" in {one.get("path") for one in noted}
    assert any(place.startswith(str(data / "jobs")) for place in everything)
