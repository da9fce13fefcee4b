import pytest

from subclust.core.exceptions import SettingsError
from subclust.core.settings import LiveAccess, Settings, is_address


def read(monkeypatch, **variables):
    for name, value in variables.items():
        monkeypatch.setenv(f"SUBCLUST_{name}", value)
    return Settings.from_environment()


def test_nothing_is_on_by_itself(monkeypatch):
    assert read(monkeypatch).live == ()
    assert read(monkeypatch, CONTACT="a@b.org", KEY_OPENALEX="k").live == ()
    assert Settings().offline


def test_what_is_switched_on(monkeypatch):
    settings = read(
        monkeypatch,
        LIVE="arxiv, openalex sru",
        CONTACT="library@example.org",
        CONTACT_SRU="https://example.org/contact",
        KEY_OPENALEX="k-123",
        URL_SRU="https://one.example.org/sru http://two.example.org:8080/x?db=1",
        LIVE_CACHE_HOURS="1.5",
        OFFLINE="0",
    )
    assert settings.live == (
        LiveAccess("arxiv", "library@example.org"),
        LiveAccess("openalex", "library@example.org", "k-123"),
        LiveAccess(
            "sru",
            "https://example.org/contact",
            "",
            ("https://one.example.org/sru", "http://two.example.org:8080/x?db=1"),
        ),
    )
    assert settings.live_access("arxiv") is settings.live[0]
    assert settings.live_access("crossref") is None
    assert settings.live_cache_hours == 1.5
    assert "k-123" not in repr(settings)
    assert "k-123" not in " ".join(settings.variables().values())
    assert settings.to_environment()["SUBCLUST_KEY_OPENALEX"] == "k-123"


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"LIVE": "arxiv,google"}, "SUBCLUST_LIVE must name .* but names 'google'"),
        ({"LIVE": "arxiv", "CONTACT": "me"}, "SUBCLUST_CONTACT must be an e-mail"),
        ({"LIVE": "arxiv", "CONTACT": "a@b.org\r\nX: y"}, "SUBCLUST_CONTACT must be an e-mail"),
        ({"LIVE": "openalex", "KEY_OPENALEX": "k 1"}, "SUBCLUST_KEY_OPENALEX must be a key"),
        ({"LIVE": "sru", "URL_SRU": "ftp://x"}, "SUBCLUST_URL_SRU must be an address"),
        ({"LIVE": "sru", "URL_SRU": "https://me:pw@x.org"}, "SUBCLUST_URL_SRU must be"),
        ({"LIVE_CACHE_HOURS": "-1"}, "SUBCLUST_LIVE_CACHE_HOURS must be a number of hours"),
        ({"LIVE_CACHE_HOURS": "nan"}, "SUBCLUST_LIVE_CACHE_HOURS must be a number of hours"),
    ],
)
def test_what_cannot_be_used_is_told(monkeypatch, variables, words):
    with pytest.raises(SettingsError, match=words):
        read(monkeypatch, **variables)


@pytest.mark.parametrize("address", ["", "example.org", "https://", "http://a b", "https://x#y"])
def test_what_is_no_address(address):
    assert not is_address(address)
