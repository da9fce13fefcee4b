"""``token``: created once, listed without its text, revoked; noted where people sign in."""

import json
from dataclasses import replace

import pytest

from subclust.core import audit
from subclust.core.accounts import read_accounts
from subclust.core.tokens import TokenStore


@pytest.fixture
def accounts(tmp_path, monkeypatch):
    file = tmp_path / "accounts.toml"
    file.write_text(
        '[header]\nname = "X-User"\nproxies = []\n[roles]\ncurators = ["cleo"]\n', encoding="utf-8"
    )
    monkeypatch.setenv("SUBCLUST_ACCOUNTS", str(file))
    yield read_accounts(file)
    audit.begin(None)


def told(run, *words):
    status, out, err = run("token", *words, "--json")
    assert status == 0, err
    return json.loads(out)


def test_a_token_is_created_listed_and_revoked(run, settings, accounts):
    created = told(run, "create", "cleo", "--name", "notebook", "--scope", "curator")
    text = created.pop("token")
    store = TokenStore(settings.tokens_dir, accounts)
    assert store.person_of(text) == accounts.person("cleo")
    assert "sha256" not in created and created["until"] - created["made"] == 90 * 86400
    assert told(run)["tokens"] == [created]
    assert text not in run("token", "list")[1]
    assert told(run, "revoke", created["id"]) == {"revoked": created}
    noted = audit.lines(settings.audit_dir / "audit.jsonl")
    assert [(one["did"], one["name"]) for one in noted] == [
        ("created", "notebook"),
        ("revoked", "notebook"),
    ]
    assert text not in (settings.audit_dir / "audit.jsonl").read_text()
    assert store.person_of(text) is None


def test_nobody_gets_more_than_the_lists_give(run, settings, accounts):
    assert run("token", "create", "rob", "--name", "x", "--scope", "curator")[0] == 1
    assert run("token", "revoke", "12345678")[0] == 1
    assert TokenStore(settings.tokens_dir, accounts).all() == []


def test_where_roles_come_by_claim_whoever_is_at_the_computer_vouches(run, settings, accounts):
    file = accounts.file
    file.write_text(f'{file.read_text()}claim = "groups"\n')
    text = told(run, "create", "rob", "--name", "x", "--scope", "curator")["token"]
    store = TokenStore(settings.tokens_dir, replace(accounts, claim="groups"))
    assert store.person_of(text).role.name == "CURATOR"
