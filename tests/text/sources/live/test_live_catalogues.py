from unittest.mock import ANY

import live_shapes
import pytest
from live_catalogues import (
    SRU_ONE_LOST,
    SRU_REFUSAL,
    dublin_core,
    oai_error,
    oai_pmh,
    sru,
)
from live_machine import Sleeper, switched_on
from live_server import Reply, served
from raising import raises

from subclust.core.exceptions import InputError, LiveSourceError
from subclust.text.sources import Document, Refusal
from subclust.text.sources.live.base import LiveRequest, PlaceLostError
from subclust.text.sources.live.opening import open_live
from subclust.text.sources.live.sru import _cql

FOUND = live_shapes.records(25)


@pytest.fixture
def opened(settings):
    servers = []

    def make(name, service, **request):
        context = served(service)
        live = context.__enter__()
        servers.append(context)
        on = switched_on(settings, live.url, name, path="/at")
        source = open_live(on, name, LiveRequest(**request), "mine", deep=True, sleep=Sleeper())
        source.server = live
        return source

    yield make
    for context in servers:
        context.__exit__(None, None, None)


def test_what_is_asked_of_a_repository(opened):
    source = opened("oai-pmh", oai_pmh(FOUND), set="theses", since="2024-05-31", until="2024-06-01")
    first = source.page(None, 100)
    assert source.server.queries[0] == {
        "verb": "ListRecords",
        "metadataPrefix": "oai_dc",
        "set": "theses",
        "from": "2024-05-31",
        "until": "2024-06-01",
    }
    assert (first.next, first.total) == ("page/10", 25)
    source.page(first.next, 100)
    assert source.server.queries[1] == {"verb": "ListRecords", "resumptionToken": "page/10"}


def test_records_of_a_repository_in_both_formats(opened):
    core = opened("oai-pmh", oai_pmh(FOUND)).page(None, 100).items[0]
    assert core.id == "control:oai:example.org:0"
    assert core.metadata["authors"] == "Lovelace, Ada; Dewey, Melvil"
    assert core.metadata["year"] == "2000"
    marc = opened("oai-pmh", oai_pmh(FOUND), format="marcxml").page(None, 100).items[0]
    assert marc.id == "control:oai:example.org:0"
    assert marc.title == core.title
    assert core.passages[0].text.startswith("We study the retrieval")


@pytest.mark.parametrize(
    ("service", "error", "values"),
    [
        (
            oai_error("noSetHierarchy", "No sets"),
            LiveSourceError,
            {"reason": "noSetHierarchy: No sets"},
        ),
        (
            oai_error("cannotDisseminateFormat", "x"),
            LiveSourceError,
            {"reason": "cannotDisseminateFormat: x"},
        ),
        (
            oai_error("badResumptionToken", "expired"),
            PlaceLostError,
            {"why": "badResumptionToken: expired"},
        ),
        (oai_error("", ""), LiveSourceError, {}),
        (
            Reply(oai_error("badArgument", "No such day").content, 400),
            LiveSourceError,
            {"reason": "badArgument: No such day"},
        ),
        (Reply(b"<h1>Bad request</h1>", 400), LiveSourceError, {"status": 400}),
    ],
)
def test_a_repository_refuses(opened, service, error, values):
    source = opened("oai-pmh", lambda asked: service)
    with raises(error, **values):
        source.page(None, 100)
    assert len(source.server.asked) == 1


def test_an_empty_set_is_no_error(opened):
    page = opened("oai-pmh", oai_pmh(FOUND), set="empty").page(None, 100)
    assert (page.items, page.next) == ((), None)


def test_a_repository_that_turns_in_circles(opened):
    same = oai_pmh(FOUND)
    source = opened(
        "oai-pmh",
        lambda asked: same(type(asked)("", {"verb": "", "metadataPrefix": "oai_dc"}, {}, 0)),
    )
    with raises(LiveSourceError, source=ANY):
        source.page("page/10", 100)


@pytest.mark.parametrize("day", ["yesterday", "2024-5-1", "2024-05-31T00:00", "2024-05-31&set=x"])
def test_a_wrong_date_is_told_before_anything_is_asked(opened, day):
    source = opened("oai-pmh", oai_pmh(FOUND), since=day)
    with raises(InputError, name="first"):
        source.page(None, 100)
    assert not source.server.asked


def test_a_damaged_record_costs_no_other(opened):
    def damaged(asked):
        reply = oai_pmh(FOUND)(asked)
        return Reply(reply.content.replace(b"part 3", b"part \x0b 3 & more"), 200, reply.headers)

    items = opened("oai-pmh", damaged).page(None, 100).items
    refused = [item for item in items if isinstance(item, Refusal)]
    assert len(items) == 10
    assert len(refused) <= 1
    assert sum(isinstance(item, Document) for item in items) >= 9


def test_entities_are_not_opened(opened):
    bomb = b"""<?xml version="1.0"?><!DOCTYPE OAI-PMH [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>
    <OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><header>
    <identifier>&b;</identifier></header></record></ListRecords></OAI-PMH>"""
    source = opened("oai-pmh", lambda asked: Reply(bomb))
    with raises(LiveSourceError, label="OAI-PMH repository", n_retries=7):
        source.page(None, 100)


@pytest.mark.parametrize("version", ["1.1", "2.0"])
@pytest.mark.parametrize("packing", ["xml", "string"])
@pytest.mark.parametrize("format", ["", "marcxml"])
def test_records_of_a_catalogue(opened, version, packing, format):
    source = opened(
        "sru", sru(FOUND, version, most=10, packing=packing), query="passages", format=format
    )
    page = source.page(None, 50)
    assert (page.next, page.total) == ("11", 25)
    first = page.items[0]
    assert first.title.startswith("On the retrieval of passages")
    assert first.passages[0].text.startswith("We study")
    assert first.metadata["year"] == "2000"
    assert source.server.queries[0]["recordSchema"] == format or "dc"
    last = source.page("21", 50)
    assert (len(last.items), last.next) == (5, None)


def test_a_catalogue_refuses(opened):
    source = opened("sru", lambda asked: SRU_REFUSAL, query="x")
    with raises(LiveSourceError):
        source.page(None, 50)


def test_a_catalogue_that_lost_a_record_gives_the_others(opened):
    answer = Reply((SRU_ONE_LOST % dublin_core(FOUND[0])).encode())
    items = opened("sru", lambda asked: answer, query="x").page(None, 50).items
    assert "Record temporarily unavailable" in items[0].reason
    assert isinstance(items[1], Document)


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("climate change", "climate and change"),
        ("dc.title=klima", "dc.title=klima"),
        ('"climate change"', '"climate change"'),
        ("cats or dogs", "cats or dogs"),
        ("C++ Bücher", '"C++" and Bücher'),
    ],
)
def test_a_query_in_cql(words, written):
    assert _cql(words) == written


def test_which_catalogue(settings):
    with served(sru(FOUND)) as one, served(sru(FOUND)) as two:
        on = switched_on(settings, one.url, "sru")
        asked = LiveRequest("x", url=f"{two.url}/other")
        open_live(on, "sru", asked, "mine", sleep=Sleeper()).page(None, 5)
        assert (len(one.asked), len(two.asked)) == (0, 1)
        with raises(InputError, url="file:///etc/passwd"):
            open_live(on, "sru", LiveRequest("x", url="file:///etc/passwd"), "mine")
