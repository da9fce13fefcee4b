import socket

import pytest
from app_files import APP
from live_server import Reply, served
from live_shapes import arxiv, records
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.core.settings import Settings
from subclust.text.library import PassageLibrary
from subclust.text.sources import Document, Refusal
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.base import LiveHits
from subclust.ui.components.words import plain
from subclust.ui.library.live import _age_line, _refusals_csv
from subclust.ui.library.records import hits_html


@pytest.fixture
def open_library(tmp_path, monkeypatch):
    def open_page():
        monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "data"))
        # By way of the app, since the page links to another one.
        page = AppTest.from_file(APP, default_timeout=120)
        page.query_params["show"] = "services"
        return checked(page.switch_page("pages/library.py").run())

    return open_page


@pytest.fixture
def server(monkeypatch):
    with served(arxiv(records(30))) as live:
        monkeypatch.setenv("SUBCLUST_LIVE", "arxiv wikipedia")
        monkeypatch.setenv("SUBCLUST_OFFLINE", "0")
        monkeypatch.setenv("SUBCLUST_CONTACT", "librarian@example.org")
        monkeypatch.setenv("SUBCLUST_URL_ARXIV", live.url)
        yield live


def checked(page):
    assert not page.exception
    return page


def button(page, label):
    return next(one for one in page.button if label in one.label)


def type_in(box, name):
    """Type a name that is not among the options, which AppTest knows no way for."""
    box.options.append(name)
    box.set_value(name)


def test_nothing_is_asked_while_all_is_off(open_library, monkeypatch):
    connected = []
    monkeypatch.setattr(socket.socket, "connect", lambda self, where: connected.append(where))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *where: connected.append(where))
    page = open_library()
    assert page.info
    assert not page.text_input
    said = texts(page)
    assert all(card.label in said for card in LIVE.values())
    assert connected == []


def test_a_question_is_asked_once_and_its_hits_kept(open_library, server):
    page = open_library()
    assert "127.0.0.1:" in texts(page)
    assert not server.asked  # to look at the page asks nobody
    page.text_input(key="live-query").input("passages")
    page.selectbox(key="live-count").set_value(20)
    checked(button(page, "Search arXiv").click().run())
    assert "20 of 30" in texts(page)
    assert texts(page).count("<li>") == 20
    assert len(server.asked) == 1

    type_in(page.selectbox(key="live-library"), "papers")
    checked(button(page, "Import these 20 hits").click().run())
    assert "20 records read, 20 imported, 0 rejected" in page.success[0].value
    assert len(server.asked) == 1
    library = PassageLibrary.open(Settings.from_environment().library_dir, "papers")
    assert library.collections() == {"arXiv: passages": 20}

    checked(button(page, "Search arXiv").click().run())
    checked(page.button(key="live-anew").click().run())
    assert not [one for one in page.button if one.key == "live-anew"]
    assert len(server.asked) == 2
    type_in(page.selectbox(key="live-library"), "papers")
    page.text_input(key="live-collection-arXiv: passages").input("**mine**")
    checked(button(page, "Import these 20 hits").click().run())
    assert plain("**mine**") in page.success[0].value
    assert "20 already there" in page.success[0].value
    assert library.collections() == {"arXiv: passages": 20}
    assert all(id_.startswith("arXiv: passages:") for id_ in library.fingerprints())


def shown(element):
    """Give a message as it is seen, without what keeps Streamlit from reading Markdown."""
    return element.value.replace("\\", "")


def test_what_goes_wrong_is_one_sentence(open_library, server):
    server.service = lambda asked: Reply(b"no", 400)
    page = open_library()
    checked(button(page, "Search arXiv").click().run())
    assert page.warning
    page.text_input(key="live-query").input("x")
    checked(button(page, "Search arXiv").click().run())
    assert "400" in page.warning[0].value
    server.service = arxiv([])
    checked(button(page, "Search arXiv").click().run())
    assert page.info


def test_hits_without_a_place_to_keep_them(open_library, server):
    page = open_library()
    page.text_input(key="live-query").input("passages")
    checked(button(page, "Search arXiv").click().run())
    checked(button(page, "Import these 30 hits").click().run())
    assert "Choose a library" in page.warning[0].value
    type_in(page.selectbox(key="live-library"), "x" * 81)
    checked(button(page, "Import these 30 hits").click().run())
    assert "81" in page.warning[0].value


def test_a_language_is_asked_for_where_there_are_several(open_library, server):
    page = open_library()
    page.segmented_control(key="live-source").set_value("wikipedia").run()
    page.text_input(key="live-language").input("../x")
    page.text_input(key="live-query").input("maps")
    checked(button(page, "Search Wikipedia").click().run())
    assert "language code" in page.warning[0].value


def test_texts_of_others_stay_text():
    from subclust.core.records import Passage

    evil = "<img src=x onerror=alert(1)>"
    metadata = {"url": "javascript:alert(1)", "authors": evil}
    hit = Document("1", evil, (Passage("1", evil * 9, evil),), None, metadata)
    drawn = hits_html([hit])
    assert "<img" not in drawn
    assert "javascript:" not in drawn


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "a minute"),
        (60, "1 minute"),
        (7200, "2 hours"),
    ],
)
def test_the_age_of_an_answer_is_told(seconds, words):
    hits = LiveHits((), (), None, 1000.0, True)
    assert words in _age_line(hits, 1000.0 + seconds)
    assert _age_line(LiveHits((), (), None, 1000.0, False), 9e9) == ""


def test_what_was_refused_is_no_formula():
    table = _refusals_csv("arXiv: maps", [Refusal("=1+1", "It has no text.", "Look at it.")])
    assert b",=1+1" not in table
    assert b"It has no text." in table
