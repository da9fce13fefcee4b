"""Access tokens: whose they are, what they allow, and what is kept of them."""

import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from raising import raises

from subclust.core import tokens
from subclust.core.access import LOCAL, Person, Role, acting_as
from subclust.core.accounts import Accounts
from subclust.core.exceptions import InputError, NotAllowedError, StorageError
from subclust.core.tokens import MAX_DAYS, MAX_TOKENS, PREFIX, TokenStore

CLEO = Person("cleo", Role.CURATOR)
ROB = Person("rob", Role.READER)
ADA = Person("ada", Role.ADMINISTRATOR)
ACCOUNTS = Accounts(administrators=("ada",), curators=("cleo",))


@pytest.fixture
def store(tmp_path):
    return TokenStore(tmp_path / "tokens", ACCOUNTS)


def create(store, owner=CLEO, name="notebook", scope=Role.READER, days=30):
    with acting_as(owner):
        return store.create(owner, name, scope, days)


def test_a_token_stands_for_its_owner_and_its_text_is_kept_nowhere(store):
    token, text = create(store, scope=Role.CURATOR)
    assert text.startswith(PREFIX) and len(text) > 40
    assert store.person_of(text) == CLEO
    (file,) = store.folder.glob("*.json")
    assert text not in file.read_text() and text.removeprefix(PREFIX) not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert token.sha256 not in repr(token)


def test_a_scope_is_the_most_that_it_allows(store):
    assert store.person_of(create(store, ADA, scope=Role.READER)[1]) == Person("ada", Role.READER)
    for scope in (Role.NOBODY, Role.CURATOR):
        with pytest.raises(InputError):
            create(store, ROB, scope=scope)


def test_whoever_loses_a_role_loses_it_by_their_tokens_too(store):
    _token, text = create(store, ADA, scope=Role.ADMINISTRATOR)
    later = TokenStore(store.folder, Accounts(curators=("ada",)))
    assert later.person_of(text) == Person("ada", Role.CURATOR)
    assert TokenStore(store.folder, Accounts()).person_of(text).role is Role.READER


def test_a_role_by_claim_counts_as_it_was_as_long_as_claims_count(tmp_path):
    by_claim = Accounts(claim="groups", curators=("cleo",))
    store = TokenStore(tmp_path, by_claim)
    _token, text = create(store, ADA, scope=Role.ADMINISTRATOR)
    assert store.person_of(text) == ADA
    assert TokenStore(tmp_path, Accounts()).person_of(text).role is Role.READER
    _token, listed = create(store, CLEO, scope=Role.CURATOR)
    assert TokenStore(tmp_path, Accounts(claim="groups")).person_of(listed).role is Role.READER


def test_without_accounts_the_scope_is_the_role_and_counts_no_more_when_there_are(tmp_path):
    store = TokenStore(tmp_path)
    _token, text = store.create(LOCAL, "notebook", Role.CURATOR, 30)
    assert store.person_of(text) == Person("", Role.CURATOR)
    assert TokenStore(tmp_path, Accounts(claim="groups")).person_of(text) is None


@pytest.mark.parametrize(
    "text", ["", "x", PREFIX, f"{PREFIX}ü", f"{PREFIX}\udcff", f"{PREFIX}{'a' * 43}", "a" * 10**6]
)
def test_what_is_no_token_stands_for_nobody(store, text):
    create(store)
    assert store.person_of(text) is None


def test_a_token_ends(store, monkeypatch):
    token, text = create(store, days=2)
    monkeypatch.setattr(tokens.time, "time", lambda: token.made + 2 * 86400 - 1)
    assert store.person_of(text) == Person("cleo", Role.READER)
    monkeypatch.setattr(tokens.time, "time", lambda: token.made + 2 * 86400)
    assert store.person_of(text) is None
    assert [one.is_over for one in store.all()] == [True]
    other, _text = create(store)
    assert store.all() == [other, token]
    monkeypatch.setattr(tokens.time, "time", lambda: token.made + 32 * 86400)
    another, _text = create(store)
    assert store.all() == [another, other]


def test_each_sees_and_revokes_their_own_and_administrators_all(store):
    cleos, text = create(store)
    robs, _text = create(store, ROB)
    with acting_as(ROB):
        assert store.all() == [robs]
        with raises(InputError, id=cleos.id):
            store.revoke(cleos.id)
        with raises(NotAllowedError, owner="cleo"):
            store.create(CLEO, "not mine", Role.CURATOR, 1)
    with acting_as(ADA):
        assert {one.owner for one in store.all()} == {"cleo", "rob"}
        store.revoke(cleos.id)
    assert store.person_of(text) is None
    assert store.revoke(robs.id) == robs and store.all() == []


@pytest.mark.parametrize(
    "given", [{"name": " "}, {"name": "a" * 81}, {"name": "a\x00"}, {"days": 0},
              {"days": MAX_DAYS + 1}],
)  # fmt: skip
def test_what_cannot_be_is_not_made(store, given):
    with pytest.raises(InputError):
        create(store, **given)
    assert store.all() == []


def test_nobody_has_too_many(store):
    for _number in range(MAX_TOKENS):
        create(store)
    with raises(InputError, most=MAX_TOKENS):
        create(store)
    create(store, ROB)


@pytest.mark.parametrize("content", ["{", "[3]", '[{"id": 3}]', "[" * 100_000, "3"])
def test_a_damaged_file_lets_nobody_in_and_is_not_overwritten(store, content):
    store.folder.mkdir()
    (store.folder / "tokens.json").write_text(content)
    for ask in (store.all, lambda: store.person_of(f"{PREFIX}{'a' * 43}"), lambda: create(store)):
        with pytest.raises(StorageError):
            ask()
    assert (store.folder / "tokens.json").read_text() == content


def test_several_processes_create_at_once_and_none_is_lost(store):
    code = (
        "import sys, pathlib\n"
        "from subclust.core.access import Person, Role\n"
        "from subclust.core.tokens import TokenStore\n"
        "store = TokenStore(pathlib.Path(sys.argv[1]))\n"
        "for n in range(5): store.create(Person(sys.argv[2], Role.READER), str(n), Role.READER, 1)"
    )

    def run(name):
        return subprocess.run([sys.executable, "-c", code, store.folder, name]).returncode

    with ThreadPoolExecutor() as pool:
        assert list(pool.map(run, ("ada", "rob", "cleo"))) == [0, 0, 0]
    assert len(store.all()) == 15
    assert all(one.until > time.time() for one in store.all())
