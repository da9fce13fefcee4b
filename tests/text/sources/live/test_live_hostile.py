"""Answers in which anything may be anything: a page, or one sentence, and never a traceback."""

import copy
import importlib
import json
from dataclasses import dataclass

import live_shapes
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_catalogues import oai_pmh, sru
from live_server import Asked

from subclust.core.exceptions import LiveSourceError, SubclustError
from subclust.core.live import LiveAccess
from subclust.core.records import Passage
from subclust.core.web import TryAgain
from subclust.text.sources import Document
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import LiveRequest, LiveSource
from subclust.text.sources.live.opening import card_of
from subclust.text.sources.live.transport import Answered

FOUND = live_shapes.records(3)
JSON = {
    "openalex": live_shapes.openalex(FOUND, key=""),
    "crossref": live_shapes.crossref(FOUND),
    "europe-pmc": live_shapes.europe_pmc(FOUND),
    "wikipedia": live_shapes.wikipedia(FOUND),
}
XML = {"arxiv": live_shapes.arxiv(FOUND), "oai-pmh": oai_pmh(FOUND), "sru": sru(FOUND)}

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=True)
    | st.text(max_size=20)
    | st.sampled_from(["<i>", "\x00", "\ud800", "=1+1", "*", "-1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@dataclass
class Saying:
    """Stands for a `Transport` that is always given the same answer."""

    name: str
    content: bytes = b""

    @property
    def card(self):
        return LIVE[self.name]

    @property
    def access(self):
        return LiveAccess(self.name, "a@example.org", "", ("http://127.0.0.1/",))

    def ask(self, url, parameters, understand, **_):
        try:
            return Answered(understand(self.content), 0.0, False)
        except (ValueError, TryAgain) as error:
            raise LiveSourceError(str(error)) from error


def source_saying(name, content) -> LiveSource:
    module, _, attribute = card_of(name).loader.partition(":")
    reader = getattr(importlib.import_module(module), attribute)
    return reader(Saying(name, content), LiveRequest("maps"), "mine")


def real_answer(name, service):
    """Give the bytes of a whole answer of a service."""

    class Listening(Saying):
        def ask(self, url, parameters, understand, **options):
            query = {**parameters, **(options.get("secrets") or {})}
            self.content = service(Asked("/", query, {}, 0.0)).content
            return super().ask(url, parameters, understand)

    source = source_saying(name, b"")
    source.transport = Listening(name)
    assert len(source.page(None, 10).items) == len(FOUND)
    return source.transport.content


def read(name, content):
    try:
        page = source_saying(name, content).page(None, 10)
    except SubclustError as error:
        assert str(error)
        return
    for item in page.items:
        if isinstance(item, Document):
            assert item.passages
            assert all(isinstance(one, Passage) and one.text for one in item.passages)
        else:
            assert item.place and item.reason and item.advice


def places_in(value, path=()):
    """List the paths to everything in nested JSON."""
    yield path
    if isinstance(value, dict | list):
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_in(one, (*path, step))


@pytest.mark.parametrize("name", JSON)
@given(data=st.data())
def test_json_with_anything_anywhere(name, data):
    answer = json.loads(real_answer(name, JSON[name]))
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(sorted(places_in(answer), key=repr)))
        new = data.draw(junk)
        if not path:
            answer = copy.deepcopy(new)
            continue
        inner = answer
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = new
        if not isinstance(answer, dict | list):
            break
    read(name, json.dumps(answer).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", XML)
@given(data=st.data())
def test_xml_with_holes_and_additions(name, data):
    content = real_answer(name, XML[name])
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 400)))
        new = data.draw(
            st.binary(max_size=30) | st.sampled_from([b"<x>", b"&a;", b"</", b"<![CDATA["])
        )
        content = content[:start] + new + content[end:]
    read(name, content)


@pytest.mark.parametrize("name", [*JSON, *XML])
@given(content=st.binary(max_size=300))
def test_bytes_that_mean_nothing(name, content):
    read(name, content)
