import pytest
from raising import raises

from subclust.core.exceptions import SettingsError
from subclust.core.live import LiveAccess, is_address
from subclust.core.settings import Settings


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
    ("variables", "values"),
    [
        ({"LIVE": "arxiv,google"}, {"name": "google"}),
        ({"LIVE": "arxiv", "CONTACT": "me"}, {}),
        ({"LIVE": "arxiv", "CONTACT": "a@b.org\r\nX: y"}, {}),
        ({"LIVE": "openalex", "KEY_OPENALEX": "k 1"}, {"ending": "OPENALEX"}),
        ({"LIVE": "sru", "URL_SRU": "ftp://x"}, {"ending": "SRU", "url": "ftp://x"}),
        (
            {"LIVE": "sru", "URL_SRU": "https://me:pw@x.org"},
            {"ending": "SRU", "url": "https://me:pw@x.org"},
        ),
        ({"LIVE_CACHE_HOURS": "-1"}, {"name": "SUBCLUST_LIVE_CACHE_HOURS"}),
        ({"LIVE_CACHE_HOURS": "nan"}, {"name": "SUBCLUST_LIVE_CACHE_HOURS"}),
    ],
)
def test_what_cannot_be_used_is_told(monkeypatch, variables, values):
    with raises(SettingsError, **values):
        read(monkeypatch, **variables)


@pytest.mark.parametrize("address", ["", "example.org", "https://", "http://a b", "https://x#y"])
def test_what_is_no_address(address):
    assert not is_address(address)
