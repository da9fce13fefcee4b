"""People sign in, and each finds on the pages what their role allows."""

import json

import pytest
import small_library
from openid import CLIENT, SECRET, provided
from served_app import add_models, served

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


@pytest.fixture(scope="module")
def url(data):
    """Serve the app to people who sign in, by the command."""
    with provided(PEOPLE) as provider:
        accounts = data / "accounts.toml"
        accounts.write_text(
            f"""
            [auth]
            redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
            cookie_secret = "{"0123456789abcdef" * 4}"
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
    """Sign somebody in, and give the page."""

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


def noted(data):
    lines = (data / "audit" / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.main_way
def test_each_finds_what_their_role_allows(data, url, signed_in):
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
