"""Whatever a stored text says, it leaves as a text, in files, answers, logs and on terminals."""

import csv
import io
import json
from contextlib import suppress
from html.parser import HTMLParser
from xml.etree import ElementTree

import openpyxl
import pytest
import rispy
from hostile_data import HOSTILE, planted_in
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from subclust.cli import main
from subclust.core import audit
from subclust.core.access import Person, Role, acting_as
from subclust.core.exceptions import InputError
from subclust.exports import FORMATS
from subclust.rest.application import PREFIX, application
from subclust.sessions import SessionStore
from subclust.text.library.names import rename_library

OBEYED = set("\x00\x07\x08\x1b\x9b\x85\u2028\u202e\u2066")
"""Signs of `HOSTILE` that a terminal obeys or that end a line of a log."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    with planted_in(tmp_path_factory.mktemp("hostile")) as (settings, library):
        yield settings, library, SessionStore(settings.sessions_dir).headers()[0].id


def no_formula(rows):
    cells = [cell for row in rows for cell in row]
    assert any("BAD" in cell for cell in cells)
    beginnings = tuple("=+-@\t\r|%")
    risky = [cell for cell in cells if cell.startswith(beginnings)]
    assert [cell for cell in risky if not cell.lstrip("-").replace(".", "").isdigit()] == []


def of_csv(content):
    no_formula(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def of_xlsx(content):
    for sheet in openpyxl.load_workbook(io.BytesIO(content)):
        for row in sheet.iter_rows():
            assert all(cell.data_type in ("s", "n") for cell in row)
            assert all(cell.hyperlink is None for cell in row)


def of_ris(content):
    found = rispy.loads(content.decode("utf-8-sig"))
    assert len(found) == content.count(b"TY  - ") == content.count(b"ER  - ") > 3


def of_bibtex(content):
    text = content.decode()
    depth = 0
    for number, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}") if text[number - 1] != "\\" else 0
        assert depth >= 0
    assert depth == 0 and text.count("\n@") + text.startswith("@") > 3


def of_json(content):
    assert "BAD" in json.dumps(json.loads(content))


def of_html(content):
    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            told = dict(attributes)
            assert tag not in ("bad", "script", "img", "iframe", "object", "form", "base")
            assert not any(name.startswith("on") or name in ("src", "style") for name in told)
            assert told.get("href", "#").startswith(("#", "https://", "http://"))

    Reader().feed(content.decode())


def of_svg(content):
    for one in ElementTree.fromstring(content).iter():
        assert one.tag.rpartition("}")[2] not in ("script", "foreignObject", "image", "bad")
        assert not any(name.startswith("on") or "href" in name for name in one.attrib)


CHECKS = {
    ".csv": of_csv, ".xlsx": of_xlsx, ".ris": of_ris, ".bib": of_bibtex, ".csl.json": of_json,
    ".json": of_json, ".html": of_html, ".svg": of_svg, ".png": lambda content: None,
}  # fmt: skip


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_export_holds_texts_and_nothing_else(planted, tmp_path, suffix):
    _, library, session = planted
    search = ["search", "tea ships BAD", "--library", library, "--method", "tfidf"]
    for words in ([*search, "--export"], ["sessions", "export", session]):
        file = tmp_path / f"{words[0]}{suffix}"
        assert main([*words, str(file)]) == 0
        CHECKS[suffix](file.read_bytes())


COMMANDS = [
    ("search", "tea ships BAD", "--library", "{library}", "--method", "tfidf"),
    ("library", "list"),
    ("library", "show", "{library}"),
    ("library", "browse", "{library}"),
    ("library", "imports", "{library}"),
    ("sessions", "list"),
    ("sessions", "show", "{session}"),
    ("sets", "list"),
    ("sets", "show", "evil"),
    ("jobs", "list"),
    ("jobs", "show", "evil"),
    ("models", "list"),
    ("models", "show", "qs3m", "evil"),
    ("import", "{inbox}", "--library", "another"),
]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_prints_nothing_that_a_terminal_obeys(planted, capsys, words, as_json):
    settings, library, session = planted
    (inbox,) = (settings.data_dir.parent / "inbox").iterdir()
    given = [one.format(library=library, session=session, inbox=inbox) for one in words]
    main([*given, *(["--json"] if as_json else [])])
    out, err = capsys.readouterr()
    assert set(out + err) & OBEYED == set()
    assert "BAD" in out + err or "evil" in out + err
    if as_json:
        json.loads(out)


ADDRESSES = [
    "libraries", "libraries/{library}", "libraries/{library}/passages",
    "libraries/{library}/imports", "libraries/%3Cbad%3EBAD", "sessions", "sessions/{session}",
    "sets", "sets/evil", "jobs", "jobs/evil", "jobs/evil/log", "models", "models/qs3m/evil",
    "themes", "themes/ffffffffffffffff",
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_answer_is_data_that_no_browser_takes_for_a_page(planted, address):
    settings, library, session = planted
    app = Starlette(routes=[Mount(PREFIX, application(settings))])
    client = TestClient(app, base_url=f"http://localhost{PREFIX}")
    answer = client.get(address.format(library=library, session=session))
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind in ("application/json", "application/problem+json", "text/plain")
    assert "BAD" in answer.text or "evil" in answer.text
    if kind != "text/plain":
        answer.json()


def test_a_line_of_the_audit_log_stays_one(planted, tmp_path):
    settings, library, _ = planted
    file = tmp_path / "audit.jsonl"
    audit.begin(file)
    try:
        for text in HOSTILE.values():
            with acting_as(Person(text, Role.CURATOR)), suppress(InputError):
                rename_library(settings.library_dir, library, text)
            audit.note(text, "change", "library", text, text)
    finally:
        audit.begin(None)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= len(HOSTILE) and set("".join(lines)) & OBEYED == set()
    assert {json.loads(line)["person"] for line in lines} == set(HOSTILE.values())
