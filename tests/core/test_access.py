"""Who may change what, who somebody is, and what is noted of it."""

import json
import subprocess
import sys

import anyio
import pytest
from raising import raises

from subclust.core import access, audit
from subclust.core.access import (
    LOCAL,
    NEEDED,
    STRANGER,
    Person,
    Role,
    acting_as,
    check_may_change,
    may_change,
)
from subclust.core.accounts import read_accounts
from subclust.core.exceptions import NotAllowedError, ReadOnlyError, SettingsError

AUTH = """
[auth]
redirect_uri = "http://localhost:8501/oauth2callback"
cookie_secret = "0123456789abcdef0123456789abcdef"
client_id = "subclust"
client_secret = "secret"
server_metadata_url = "http://localhost/.well-known/openid-configuration"
"""
ROLES = """
[roles]
administrators = ["Ada@example.org"]
curators = ["cleo@example.org"]
claim = "groups"
"""


@pytest.fixture
def accounts(tmp_path):
    def read(content):
        file = tmp_path / "accounts.toml"
        file.write_text(content, encoding="utf-8")
        return read_accounts(file)

    return read


@pytest.fixture
def somebody(monkeypatch):
    """Have somebody of a role act."""

    def acts(role, name="somebody"):
        monkeypatch.setattr(access, "_identify", lambda: Person(name, role))

    return acts


@pytest.fixture
def audited(tmp_path):
    """Note in a file, and give its lines."""
    audit.begin(tmp_path / "audit" / "audit.jsonl")
    yield lambda: [
        json.loads(line) for line in (tmp_path / "audit" / "audit.jsonl").read_text().splitlines()
    ]
    audit.begin(None)


@pytest.mark.parametrize("role", Role)
def test_each_role_may_do_what_those_below_it_may(somebody, role):
    somebody(role)
    may = {thing for thing in NEEDED if may_change(thing)}
    readers = {"session", "corrections", "token"}
    curators = readers | {"library", "passages", "themes", "set", "job"}
    assert may == [set(), readers, curators, curators | {"model", "person"}][role]


def test_whoever_is_at_the_computer_may_do_all():
    assert access.acting() == LOCAL and all(map(may_change, NEEDED))


def test_a_process_that_is_read_only_refuses_administrators(somebody, monkeypatch):
    somebody(Role.ADMINISTRATOR)
    monkeypatch.setattr(access, "_forbidden", True)
    assert not any(map(may_change, NEEDED))
    for thing in (None, "session"):
        with pytest.raises(ReadOnlyError) as caught:
            check_may_change(thing)
        assert type(caught.value) is ReadOnlyError


def test_changes_and_refusals_are_noted_and_nothing_else(somebody, audited):
    somebody(Role.CURATOR, "cleo")
    check_may_change("library", "maps")
    with pytest.raises(NotAllowedError):
        check_may_change("model", "qs3m/ours")
    check_may_change()
    first, second = audited()
    assert first.pop("time") <= second.pop("time")
    assert first == {"person": "cleo", "did": "change", "thing": "library", "name": "maps"}
    assert second == {"person": "cleo", "did": "refused", "thing": "model", "name": "qs3m/ours"}


def test_the_audit_log_is_rotated(tmp_path, audited, monkeypatch):
    monkeypatch.setattr(audit, "MOST_BYTES", 300)
    for number in range(200):
        audit.note("ada", "change", "library", f"maps-{number}")
    files = sorted(path.name for path in (tmp_path / "audit").glob("audit*"))
    assert files == ["audit.jsonl", *(f"audit.jsonl.{number}" for number in range(1, 10))]
    assert audited()[-1]["name"] == "maps-199"


def test_no_line_of_several_processes_is_lost(tmp_path):
    file = tmp_path / "audit.jsonl"
    code = (
        "import sys, pathlib\nfrom subclust.core import audit\naudit.MOST_BYTES = 5000\n"
        "audit.begin(pathlib.Path(sys.argv[1]))\n"
        "for number in range(100): audit.note(sys.argv[2], 'change', 'library', str(number))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, file, name]) for name in ("ada", "cleo")
    ]
    assert [one.wait() for one in running] == [0, 0]
    found = audit.lines(file)
    for name in ("ada", "cleo"):
        assert [one["name"] for one in found if one["person"] == name] == [*map(str, range(100))]


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path, somebody, monkeypatch):
    monkeypatch.setattr(audit, "_file", tmp_path / "file" / "audit.jsonl")
    (tmp_path / "file").write_text("in the way")
    somebody(Role.CURATOR)
    check_may_change("library", "maps")


def test_a_role_comes_from_a_list_or_a_claim(accounts):
    known = accounts(AUTH + ROLES)
    assert known.person("ada@EXAMPLE.org") == Person("ada@EXAMPLE.org", Role.ADMINISTRATOR)
    assert known.person("cleo@example.org").role is Role.CURATOR
    assert known.person("rob@example.org").role is Role.READER
    assert known.person("rob@example.org", {"groups": ["curator", "x"]}).role is Role.CURATOR
    assert known.person("rob@example.org", {"groups": "administrator"}).role is Role.ADMINISTRATOR
    assert known.person("rob@example.org", {"groups": 7, "other": "curator"}).role is Role.READER
    assert known.person("") == STRANGER


def test_a_team_comes_from_a_list_or_a_claim(accounts):
    known = accounts(AUTH + ROLES + '[teams]\nhistory = ["Rob@example.org", "ada@example.org"]\n')
    assert known.person("rob@example.org").teams == ("history",)
    claims = {"groups": ["curator", "law", "history", 3, ""]}
    assert known.person("rob@example.org", claims).teams == ("history", "law")
    assert known.person("cleo@example.org").teams == ()


@pytest.mark.parametrize(
    ("claims", "name", "role"),
    [
        ({"email": "ada@example.org", "sub": "1"}, "ada@example.org", Role.ADMINISTRATOR),
        (
            {"email": "ada@example.org", "email_verified": True, "sub": "1"},
            "ada@example.org",
            Role.ADMINISTRATOR,
        ),
        ({"email": "ada@example.org", "email_verified": False, "sub": "1"}, "1", Role.READER),
        ({"email": "", "sub": 7, "groups": "curator"}, "7", Role.CURATOR),
    ],
)
def test_a_verified_address_names_somebody_else_the_subject(accounts, claims, name, role):
    assert accounts(AUTH + ROLES).person_of(claims) == Person(name, role)


def test_claims_without_a_name_are_nobodys(accounts):
    known = accounts(AUTH + ROLES)
    assert known.person_of({"email": "ada@example.org", "email_verified": False}) == STRANGER
    assert known.person_of({"groups": ["administrator"]}) == STRANGER


def test_without_a_claim_that_counts_claims_say_nothing(accounts):
    known = accounts(AUTH)
    assert known.person("rob", {"": "curator", "role": "administrator"}).role is Role.READER


def test_a_proxy_may_say_who_asks(accounts):
    known = accounts('[header]\nname = "X-Remote-User"\nproxies = ["10.0.0.1", "::1"]')
    assert known.header is not None and known.header.proxies == ("10.0.0.1", "::1")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not toml",
        AUTH + '[header]\nname = "X"\nproxies = []',
        AUTH.replace("client_id", "client"),
        AUTH.replace("0123456789abcdef", "x"),
        AUTH + "[roles]\nadministrators = 3",
        "auth = 3",
        "header = 3",
        '[header]\nname = "X"',
        '[header]\nname = "X"\nproxies = ["proxy.example.org"]',
        AUTH + "[roles]\nadministrators = [3]",
        "roles = 3" + AUTH,
        "teams = 3" + AUTH,
        AUTH + "[teams]\nhistory = 'ada'",
    ],
)
def test_what_cannot_be_used_is_refused_with_the_file(accounts, content, tmp_path):
    with raises(SettingsError, file=str(tmp_path / "accounts.toml")):
        accounts(content)


@pytest.mark.parametrize(
    ("content", "unknown"),
    [
        ("[role]\nadministrators = []", "role"),
        ("[roles]\nadmins = []", "roles.admins"),
        ("[retention]\nsession = 365", "retention.session"),
        ("[quotas.reader]\nhit = 5", "quotas.reader.hit"),
        ("[header]\nname = 'X'\nproxies = []\nproxy = []", "header.proxy"),
    ],
)
def test_a_misspelt_name_is_refused(accounts, content, unknown):
    with raises(SettingsError, unknown=unknown):
        accounts(content if "[header]" in content else AUTH + content)


def test_what_else_streamlit_takes_of_auth_is_left_to_it(accounts):
    accounts(AUTH + 'expose_tokens = "access"\n[auth.client_kwargs]\nprompt = "login"')


def test_a_missing_file_is_refused(tmp_path):
    with raises(SettingsError, file=str(tmp_path / "none.toml")):
        read_accounts(tmp_path / "none.toml")


def test_a_block_names_who_acts_and_threads_and_tasks_of_it_follow(somebody):
    somebody(Role.READER, "who looks at a page")
    ada = Person("ada", Role.CURATOR)

    async def asked():
        in_thread = await anyio.to_thread.run_sync(access.acting)
        return access.acting(), in_thread

    async def both():
        with acting_as(ada):
            first = await asked()
        return first, await asked()

    within, after = anyio.run(both)
    assert within == (ada, ada)
    assert {one.name for one in after} == {"who looks at a page"}
    with acting_as(ada), pytest.raises(ZeroDivisionError):
        with acting_as(STRANGER):
            assert not may_change("session")
            raise ZeroDivisionError
    assert access.acting().name == "who looks at a page"
