from itertools import count as counting

import live_shapes
import pytest
from live_catalogues import oai_pmh, sru
from live_machine import Sleeper, switched_on
from live_server import HTML, Reply, served
from raising import raises

from subclust.core.exceptions import InputError, LiveSourceError
from subclust.text.sources import Document, Refusal
from subclust.text.sources.json_fields import abstract
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.answers import plain
from subclust.text.sources.live.arxiv import _arxiv_query
from subclust.text.sources.live.base import LiveRequest, collection_name, search_live
from subclust.text.sources.live.opening import open_live

FOUND = live_shapes.records(45)
SERVICES = {
    "arxiv": live_shapes.arxiv,
    "openalex": live_shapes.openalex,
    "crossref": live_shapes.crossref,
    "europe-pmc": live_shapes.europe_pmc,
    "wikipedia": live_shapes.wikipedia,
    "oai-pmh": oai_pmh,
    "sru": sru,
}
SEARCHED = [name for name in SERVICES if LIVE[name].searchable]


@pytest.fixture
def opened(settings):
    """Open a live source at a server that answers as it does, over `FOUND` or other records."""
    servers = []

    def make(name, found=FOUND, *, deep=False, query="sparse retrieval", **request):
        context = served(SERVICES[name](found))
        live = context.__enter__()
        servers.append(context)
        on = switched_on(settings, live.url, name)
        source = open_live(
            on, name, LiveRequest(query=query, **request), "mine", deep=deep, sleep=Sleeper()
        )
        source.server = live
        return source

    yield make
    for context in servers:
        context.__exit__(None, None, None)


def everything(source, size=20):
    place, pages = None, []
    for _ in counting():
        page = source.page(place, size)
        pages.append(page)
        place = page.next
        if place is None:
            return [item for page in pages for item in page.items], pages
        assert len(pages) < 50


@pytest.mark.parametrize("name", SERVICES)
def test_all_pages_hold_every_record_once(opened, name):
    source = opened(name, deep=True)
    items, pages = everything(source)
    documents = [item for item in items if isinstance(item, Document)]
    refused = [item for item in items if isinstance(item, Refusal)]
    n_left_out = {"wikipedia": 4, "oai-pmh": 2}.get(name, 0)
    assert len(documents) == len(FOUND) - n_left_out
    assert len({document.id for document in documents}) == len(documents)
    assert len(refused) == (2 if name == "oai-pmh" else 0)  # deleted ones are told
    assert len(pages) >= 3
    assert pages[0].total == (None if name == "wikipedia" else len(FOUND))
    for document in documents:
        assert document.passages
        for passage in document.passages:
            assert passage.collection == "mine"
            assert passage.text == " ".join(passage.text.split())
            assert "<" not in passage.text or name in ("arxiv", "oai-pmh", "sru")
    agent = source.server.asked[0].headers["user-agent"]
    assert "librarian@example.org" in agent


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_found_is_no_error(opened, name):
    items, pages = everything(opened(name, found=[]))
    assert items == []
    assert len(pages) == 1


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    "trouble",
    [HTML, Reply(b""), Reply(b"null"), Reply(b"[1, 2]"), Reply(b"{}"), Reply(b"<a>" * 300)],
    ids=["html", "empty", "null", "list", "object", "xml"],
)
def test_nonsense_is_told_in_a_sentence(opened, name, trouble):
    source = opened(name)
    source.server.service = lambda asked: trouble
    with raises(LiveSourceError, n_retries=4):
        source.page(None, 10)


@pytest.mark.parametrize("name", SERVICES)
def test_half_an_answer_is_asked_for_again(opened, name):
    source = opened(name)
    whole = source.server.service
    asked_before = []

    def half_at_first(asked):
        reply = whole(asked)
        if not asked_before:
            asked_before.append(asked)
            return Reply(reply.content[: 2 * len(reply.content) // 3], 200, reply.headers)
        return reply

    source.server.service = half_at_first
    page = source.page(None, 10)
    assert len(page.items) >= 9
    assert len(source.server.asked) == 2


@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_gives_the_best_hits_in_order(opened, name):
    source = opened(name)
    hits = search_live(source, 30)
    assert len(hits.documents) == 30
    numbers = [
        int(document.title.split("part ")[1].split(",")[0].rstrip("."))
        for document in hits.documents
    ]
    assert numbers == sorted(numbers)
    assert not hits.from_cache
    assert search_live(opened(name), 1).documents[0].title.startswith("On the retrieval")


def test_a_search_needs_words_and_a_number(opened):
    with raises(InputError, source="arXiv"):
        search_live(opened("arxiv", query="  "), 5)
    with raises(InputError, count=0, most=1000):
        search_live(opened("arxiv"), 0)
    with pytest.raises(InputError):
        search_live(opened("oai-pmh"), 5)


def test_a_record_of_arxiv(opened):
    first = opened("arxiv").page(None, 5).items[0]
    assert first.id == "2401.00000"
    assert first.title == "On the retrieval of passages, part 0, in two lines"
    assert first.metadata["authors"] == "Ada Lovelace; Melvil Dewey"
    assert first.metadata["year"] == "2000"
    assert first.metadata["doi"] == "10.5555/0"
    assert first.metadata["venue"] == "J. Tests 0 (2024)"
    assert first.metadata["url"] == "https://arxiv.org/abs/2401.00000"
    assert first.metadata["keywords"] == "cs.IR; cs.DL"


def test_arxiv_gives_an_empty_page_now_and_then(opened):
    source = opened("arxiv")
    whole = source.server.service
    empty = live_shapes.arxiv([])(
        type("Asked", (), {"query": {"start": "0", "max_results": "5", "search_query": ""}})
    )
    content = empty.content.replace(b"totalResults>0<", b"totalResults>45<")
    source.server.answers(Reply(content))
    assert len(source.page(None, 5).items) == 5
    source.server.service = whole


def test_arxiv_tells_of_its_error_and_its_end(opened):
    source = opened("arxiv")
    source.server.answers(live_shapes.ARXIV_ERROR)
    with raises(LiveSourceError, why="malformed query: unbalanced parentheses"):
        source.page(None, 5)
    source.server.service = lambda asked: Reply(
        live_shapes.arxiv(FOUND)(
            type("Asked", (), {"query": {**asked.query, "start": "0"}})
        ).content.replace(b"totalResults>45<", b"totalResults>99999<")
    )
    page = source.page("29980", 20)
    assert page.next is None
    assert "no more than 30,000" in page.items[-1].reason


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("sparse retrieval", "all:sparse AND all:retrieval"),
        ('"sparse retrieval" index,', 'all:"sparse retrieval" AND all:index'),
        ("ti:sparse AND cat:cs.IR", "ti:sparse AND cat:cs.IR"),
        ("what is this?", "all:what AND all:is AND all:this"),
    ],
)
def test_a_query_in_the_language_of_arxiv(words, written):
    assert _arxiv_query(words) == written


def test_a_work_of_openalex(opened):
    second = opened("openalex").page(None, 5).items[1]
    assert second.id == "W1"
    assert second.passages[0].text == "We study the clustering of hits & say what we found in 1."
    assert second.metadata["authors"] == "Ada Lovelace"
    assert second.metadata["venue"] == "Journal of Tests"
    assert second.metadata["doi"].endswith("10.5555/1")
    assert second.metadata["licence"] == "cc-by"


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ({"b": [1, 3], "a": [0, 2]}, "a b a b"),
        ({}, ""),
        (None, ""),
        ("text", ""),
        ({"a": [10**12], "b": "x", "c": [None, True], "d": [0]}, "d a"),
        ({"a": list(range(30_000))}, ""),
    ],
)
def test_an_abstract_out_of_an_index(index, text):
    assert abstract(index) == text


def test_openalex_refuses_a_wrong_key(settings):
    with served(live_shapes.openalex(FOUND)) as live:
        on = switched_on(settings, live.url, "openalex", key="wrong")
        source = open_live(on, "openalex", LiveRequest("x"), "mine", sleep=Sleeper())
        with raises(LiveSourceError, label="OpenAlex", status=401, variable="OPENALEX"):
            source.page(None, 5)


def test_a_work_of_crossref(opened):
    source = opened("crossref")
    first, second = source.page(None, 5).items[:2]
    assert first.passages[0].text == first.title  # without abstract
    assert second.id == "10.5555/1"
    assert second.passages[0].text == "We study the clustering of hits & say what we found in 1."
    assert second.metadata["authors"] == "Lovelace, Ada; The Test Group"
    assert second.metadata["year"] == "2001"
    assert source.server.queries[0]["mailto"] == "librarian@example.org"
    assert source.server.asked[0].headers["crossref-plus-api-token"] == "Bearer k-123"


def test_a_record_of_europe_pmc(opened):
    source = opened("europe-pmc")
    first = source.page(None, 5).items[0]
    assert first.id == "MED:30000000"
    assert first.passages[0].text.startswith("Background We study")
    assert first.metadata["authors"] == "Lovelace A; Testers"
    assert first.metadata["keywords"] == "Retrieval; Libraries"
    source.server.answers(live_shapes.as_json({"errCode": 400, "errMsg": "Invalid cursor"}))
    with raises(LiveSourceError, why="Invalid cursor", source="Europe PMC"):
        source.page(None, 5)


def test_an_article_of_wikipedia(opened):
    source = opened("wikipedia")
    first = source.page(None, 5).items[0]
    assert first.id == "enwiki:100"
    assert [passage.path for passage in first.passages] == ["History", "Uses / Today"]
    assert first.passages[0].label == "History"
    assert first.description.startswith("On the retrieval of passages")
    assert first.metadata["revision"] == "7000"
    assert source.server.queries[0]["maxlag"] == "5"
    source.server.answers(
        live_shapes.as_json({"error": {"code": "maxlag", "info": "6 seconds lagged"}})
    )
    assert source.page(None, 5).items
    source.server.answers(
        live_shapes.as_json({"error": {"code": "badvalue", "info": "Unrecognized value"}})
    )
    with raises(LiveSourceError, why="Unrecognized value", source="Wikipedia"):
        source.page(None, 5)


def test_a_wikipedia_is_named_by_its_language(settings):
    on = switched_on(settings, "http://{language}.localhost", "wikipedia")
    german = open_live(on, "wikipedia", LiveRequest("x", language="de"), "mine")
    assert german.url == "http://de.localhost"
    for wrong in ("evil.org/", "DE", "d", "de.x"):
        with raises(InputError):
            open_live(on, "wikipedia", LiveRequest("x", language=wrong), "mine").page(None, 5)


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>A <jats:sub>2</jats:sub></jats:p>", "A 2"),
        ("<h4>Aims</h4>To see.<h4>Results</h4>Seen.", "Aims To see. Results Seen."),
        ("x < y &amp; y > z &lt;i&gt;", "x < y & y > z <i>"),
        (None, ""),
        (["a"], ""),
    ],
)
def test_the_words_of_markup(markup, words):
    assert plain(markup) == words


def test_a_collection_is_named_after_the_question():
    assert (
        collection_name(LIVE["arxiv"], LiveRequest("sparse  retrieval"))
        == "arXiv: sparse retrieval"
    )
    named = collection_name(LIVE["oai-pmh"], LiveRequest(url="https://a.org/oai", set="theses"))
    assert named == "OAI-PMH repository: a.org theses"
    assert len(collection_name(LIVE["sru"], LiveRequest("x" * 200))) == 60
