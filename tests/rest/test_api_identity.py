"""Who may do what by the API: every address at the role below the one that it takes."""

import re
import time

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from subclust.core import quotas
from subclust.core.access import Person, Role
from subclust.core.accounts import Accounts, TrustedHeader
from subclust.core.exceptions import ClusterError
from subclust.core.tokens import TokenStore
from subclust.rest import identity
from subclust.rest.application import application

READS = Role.READER
TAKES = {
    ("POST", "/search"): READS,
    ("POST", "/regroup"): READS,
    ("POST", "/explain"): READS,
    ("POST", "/compare"): READS,
    ("POST", "/export"): READS,
    ("GET", "/methods"): READS,
    ("GET", "/libraries"): READS,
    ("GET", "/libraries/{library}"): READS,
    ("PATCH", "/libraries/{library}"): Role.CURATOR,
    ("DELETE", "/libraries/{library}"): Role.CURATOR,
    ("GET", "/libraries/{library}/passages"): READS,
    ("GET", "/libraries/{library}/imports"): READS,
    ("POST", "/libraries/{library}/imports"): Role.CURATOR,
    ("DELETE", "/libraries/{library}/imports/{import_id}"): Role.CURATOR,
    ("POST", "/libraries/{library}/themes"): Role.CURATOR,
    ("GET", "/themes"): READS,
    ("GET", "/themes/{key}"): READS,
    ("DELETE", "/themes/{key}"): Role.CURATOR,
    ("GET", "/jobs"): READS,
    ("GET", "/jobs/{id}"): READS,
    ("GET", "/jobs/{id}/log"): READS,
    ("POST", "/jobs/{id}/{action}"): Role.CURATOR,
    ("DELETE", "/jobs/{id}"): Role.CURATOR,
    ("POST", "/trainings"): Role.CURATOR,
    ("GET", "/models"): READS,
    ("GET", "/models/{method}/{name}"): READS,
    ("POST", "/models/{method}/{name}/promote"): Role.ADMINISTRATOR,
    ("DELETE", "/models/{method}/{name}"): Role.ADMINISTRATOR,
    ("GET", "/sessions"): READS,
    ("POST", "/sessions"): READS,
    ("GET", "/sessions/{id}"): READS,
    ("GET", "/sessions/{id}/export"): READS,
    ("PATCH", "/sessions/{id}"): READS,
    ("DELETE", "/sessions/{id}"): READS,
    ("GET", "/sets"): READS,
    ("POST", "/sets"): Role.CURATOR,
    ("GET", "/sets/{name}"): READS,
    ("DELETE", "/sets/{name}"): Role.CURATOR,
}
"""The role that each address takes."""

ACCOUNTS = Accounts(administrators=("ada",), curators=("cy",))


@pytest.fixture
def token(settings):
    def make(name, scope=Role.ADMINISTRATOR):
        person = ACCOUNTS.person(name)
        store = TokenStore(settings.tokens_dir, ACCOUNTS)
        return store.create(person, "test", min(scope, person.role), 1)[1]

    return make


@pytest.fixture
def acting(serve, token):
    def client(name, scope=Role.ADMINISTRATOR):
        return serve(ACCOUNTS, Authorization=f"Bearer {token(name, scope)}")

    return client


def test_the_table_has_every_address(settings):
    paths = application(settings).openapi()["paths"]
    assert {(method.upper(), path) for path in paths for method in paths[path]} == set(TAKES)


def asked(method, path, client):
    place = re.sub(r"\{library\}", "small", path).replace("{action}", "cancel")
    body = {"query": "tax", "library": "small", "method": "tfidf"}
    bodies = {
        "/regroup": {**body, "divide_by": "army"},
        "/explain": {**body, "passage_id": "tax1760"},
        "/export": {**body, "format": "csv"},
        "/compare": {"query": "tax", "library": "small", "columns": [{"method": "tfidf"}] * 2},
        "/sessions": {"name": "Tea", "search": body},
        "/trainings": {"method": "qs3m", "name": "x", "data": ["war"]},
        "/libraries/{library}": {"name": "Ours"},
        "/libraries/{library}/themes": {},
        "/models/{method}/{name}/promote": {},
        "/sessions/{id}": {"name": "Ours"},
    }
    place = re.sub(r"\{\w+\}", "none", place)[1:]
    if path in ("/sets", "/libraries/{library}/imports") and method == "POST":
        return client.post(place, params={"filename": "a.csv"}, content=b"title,text\nA,Salt\n")
    return client.request(method, place, json=bodies.get(path, body))


@pytest.mark.parametrize(("method", "path"), TAKES)
def test_an_address_refuses_the_role_below(method, path, acting, serve, library):
    needed = TAKES[method, path]
    below = {Role.READER: serve(ACCOUNTS), Role.CURATOR: acting("rob")}
    answer = asked(method, path, below.get(needed) or acting("cy"))
    status = 401 if needed is READS else 403
    assert answer.status_code == status, answer.text
    enough = asked(method, path, acting({1: "rob", 2: "cy", 3: "ada"}[needed]))
    assert enough.status_code not in (401, 403), enough.text


def test_a_token_allows_no_more_than_its_scope(acting, library):
    assert acting("ada", Role.READER).delete("libraries/small").status_code == 403
    assert acting("cy", Role.CURATOR).delete("libraries/small").status_code == 204


@pytest.mark.parametrize("value", ["Bearer subclust_wrong", "Bearer ", "Bearer x.y.z"])
def test_a_token_that_nobody_made_is_refused(serve, library, value):
    for accounts in (None, ACCOUNTS):
        answer = serve(accounts, Authorization=value).get("libraries")
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == "application/problem+json"


def test_what_is_over_a_quota_is_refused(acting, library, monkeypatch):
    monkeypatch.setattr(quotas, "_quotas", {Role.READER: quotas.Quota(hits=5)})
    search = {"query": "tax", "library": "small", "method": "tfidf"}
    for top_k, status in ((5, 200), (6, 403)):
        answer = acting("rob").post("search", json={**search, "top_k": top_k})
        assert answer.status_code == status


def test_the_description_is_open_and_nothing_else(serve):
    stranger = serve(ACCOUNTS)
    assert stranger.get("docs").status_code == stranger.get("openapi.json").status_code == 200
    assert stranger.get("methods").status_code == stranger.get("nothing").status_code == 401


def test_sessions_are_those_of_who_asks(acting, library):
    search = {"query": "tax", "library": "small", "method": "tfidf"}
    ada, rob = acting("ada"), acting("rob")
    id_ = ada.post("sessions", json={"name": "Tea", "search": search}).json()["id"]
    assert rob.get("sessions").json()["sessions"] == []
    assert rob.get(f"sessions/{id_}").status_code == rob.delete(f"sessions/{id_}").status_code
    assert ada.get(f"sessions/{id_}").status_code == 200


def test_a_proxy_says_who_asks(serve, library):
    accounts = Accounts(curators=("cy",), header=TrustedHeader("X-Remote-User", ("127.0.0.1",)))
    assert serve(accounts).get("libraries").status_code == 401
    assert serve(accounts, **{"X-Remote-User": "rob"}).delete("libraries/small").status_code == 403
    assert serve(accounts, **{"X-Remote-User": "cy"}).delete("libraries/small").status_code == 204


class Provider:
    """Gives its configuration and keys, and counts how often."""

    def __init__(self, key):
        self.key, self.asked = key, 0

    def get(self, url, **options):
        self.asked += 1
        keys = {"keys": [self.key.as_dict(private=False)]}
        told = keys if url.endswith("/keys") else {"issuer": "https://id", "jwks_uri": "h/keys"}
        return Response(told)


class Response:
    def __init__(self, value):
        self.json = lambda: value

    def raise_for_status(self):
        return self


@pytest.fixture
def provider(monkeypatch):
    key = RSAKey.generate_key(2048, {"kid": "one", "alg": "RS256"})
    there = Provider(key)
    monkeypatch.setattr("httpx2.get", there.get)
    accounts = Accounts(curators=("cy@library.example",), claim="groups")
    return there, identity.Provider(accounts, "https://id/configuration", "subclust")


def signed(key, **claims):
    now = int(time.time())
    told = {"iss": "https://id", "aud": "subclust", "sub": "1", "exp": now + 60, **claims}
    return jwt.encode({"alg": "RS256", "kid": key.kid}, told, key)


def test_a_token_of_the_provider_says_who_asks(provider):
    there, checked = provider
    told = signed(there.key, email="cy@library.example", email_verified=True)
    assert checked.person_of(told) == Person("cy@library.example", Role.CURATOR)
    told = signed(there.key, email="cy@library.example", email_verified=False)
    assert checked.person_of(told) == Person("1", Role.READER)
    told = signed(there.key, groups=["administrator"])
    assert checked.person_of(told).role is Role.ADMINISTRATOR
    assert there.asked == 2


@pytest.mark.parametrize(
    "claims", [{"aud": "other"}, {"iss": "https://evil"}, {"exp": 1}, {"aud": None}]
)
def test_a_token_for_others_or_of_others_is_worth_nothing(provider, claims):
    there, checked = provider
    assert checked.person_of(signed(there.key, **claims)) is None


def test_tokens_that_are_forged_have_the_keys_asked_for_at_most_now_and_then(provider):
    there, checked = provider
    other = RSAKey.generate_key(2048, {"kid": "one", "alg": "RS256"})
    none = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."
    for told in [signed(other), none, "x", "x.y.z"] * 5:
        assert checked.person_of(told) is None
    assert there.asked == 2


def test_new_keys_of_the_provider_are_fetched(provider, monkeypatch):
    there, checked = provider
    assert checked.person_of(signed(there.key)) is not None
    there.key = RSAKey.generate_key(2048, {"kid": "two", "alg": "RS256"})
    monkeypatch.setattr(identity, "_AT_LEAST", -1.0)
    assert checked.person_of(signed(there.key)) is not None


def test_a_provider_that_does_not_answer_is_said_to(provider, monkeypatch):
    there, checked = provider
    there.get = None
    monkeypatch.setattr("httpx2.get", lambda url, **options: Response({}))
    with pytest.raises(ClusterError):
        checked.person_of(signed(there.key))
