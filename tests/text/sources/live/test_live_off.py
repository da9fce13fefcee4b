"""No request leaves this machine unless the librarian has switched the source on."""

import ast
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from live_machine import switched_on
from raising import raises

import subclust
from subclust.core.exceptions import InputError, LiveSourceOffError
from subclust.core.live import LIVE_SOURCES, LiveAccess
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import LiveRequest, search_live
from subclust.text.sources.live.opening import open_live, why_off

NETWORKED = {"httpx2", "httpx", "requests", "urllib3", "http.client", "aiohttp", "socket"}
ASK = LiveRequest("maps", url="https://example.org/oai")


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Fail on any connection or look-up of a name."""

    class Tried(BaseException):
        """No `Exception`, so that nothing on the way takes it for a host that is not there."""

    def refuse(*where, **_):
        raise Tried(f"a connection to {where} was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return Tried


def on_and_online(settings, name):
    access = LiveAccess(name, "librarian@example.org", "key", ("https://example.org/oai",))
    return replace(settings, offline=False, live=(access,))


def refused(settings, name):
    with pytest.raises(LiveSourceOffError) as told:
        search_live(open_live(settings, name, ASK, "mine"), 5)
    return str(told.value)


def test_settings_know_the_sources_by_their_names():
    assert tuple(LIVE) == LIVE_SOURCES
    assert all(card.name == name for name, card in LIVE.items())


@pytest.mark.parametrize("name", LIVE)
def test_a_source_is_off_until_it_is_switched_on(settings, name):
    assert f"put {name} into SUBCLUST_LIVE" in refused(replace(settings, offline=False), name)
    other = next(one for one in LIVE if one != name)
    assert name in refused(on_and_online(settings, other), name)


@pytest.mark.parametrize("name", LIVE)
def test_offline_nothing_is_asked_although_it_is_on(settings, name):
    on = replace(on_and_online(settings, name), offline=True)
    assert "set SUBCLUST_OFFLINE to 0" in refused(on, name)


@pytest.mark.parametrize("name", LIVE)
def test_nobody_is_asked_by_nobody(settings, name):
    on = on_and_online(settings, name)
    nameless = replace(on, live=(replace(on.live[0], contact=""),))
    assert "set SUBCLUST_CONTACT" in refused(nameless, name)


def test_a_key_is_missed_before_anything_is_asked(settings):
    on = on_and_online(settings, "openalex")
    without = replace(on, live=(replace(on.live[0], key=""),))
    assert "put it into SUBCLUST_KEY_OPENALEX" in refused(without, "openalex")


@pytest.mark.parametrize("name", ["oai-pmh", "sru"])
def test_a_repository_must_be_named(settings, name):
    on = on_and_online(settings, name)
    without = replace(on, live=(replace(on.live[0], urls=()),))
    assert f"SUBCLUST_URL_{LIVE[name].variable}" in refused(without, name)


@pytest.mark.parametrize("name", LIVE)
def test_the_guard_would_see_a_request(settings, no_network, name):
    on = on_and_online(settings, name)
    assert why_off(on, LIVE[name]) == ""
    source = open_live(on, name, ASK, "mine")
    with pytest.raises(no_network, match="was tried"):
        source.page(None, 5)


def test_the_guard_would_see_one_to_this_machine(settings, no_network):
    on = switched_on(settings, "http://127.0.0.1:9", "arxiv")
    with pytest.raises((no_network, BaseExceptionGroup)) as told:
        open_live(on, "arxiv", ASK, "mine").page(None, 5)
    tried = told.value.exceptions[0] if isinstance(told.value, BaseExceptionGroup) else told.value
    assert isinstance(tried, no_network)


def test_an_unknown_source(settings):
    with raises(InputError, name="google"):
        open_live(settings, "google", ASK, "mine")


def test_one_module_of_the_live_sources_touches_the_network():
    folder = Path(subclust.__file__).parent / "text" / "sources"
    asking = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in getattr(node, "names", [])]
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import | ast.ImportFrom) and NETWORKED & set(names):
                asking.add(file.relative_to(folder).as_posix())
    assert asking == {"live/fetching.py"}
