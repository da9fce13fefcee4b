import bz2
import gzip
import re
import subprocess
import sys
from unittest.mock import ANY

import pytest
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.text.sources import Document, Refusal
from subclust.text.sources.wikidump import WikipediaDump

LONG = (
    "The quick brown fox jumps over the lazy dog while nine librarians look on "
    "and take careful note of it."
)
HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="en"><siteinfo>
<sitename>Wikipedia</sitename><dbname>enwiki</dbname>
<base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo>"""


def page(id_, title, text, ns=0, extra=""):
    return (
        f"<page><title>{title}</title><ns>{ns}</ns><id>{id_}</id>{extra}"
        f"<revision><id>9</id><text>{text}</text></revision></page>"
    )


GOOD = page(7, "Caf&#233; &amp; bar", f"{LONG}\n== History ==\n{LONG}\n=== Old ===\n{LONG}")


def write(tmp_path, *pages, tail="</mediawiki>"):
    path = tmp_path / "dump.xml"
    path.write_text(HEAD + "".join(pages) + tail, encoding="utf-8")
    return path


def test_an_article(tmp_path):
    (document,) = WikipediaDump(write(tmp_path, GOOD), licence="CC BY-SA 4.0")
    assert isinstance(document, Document)
    assert (document.id, document.title, document.description) == ("enwiki:7", "Café & bar", LONG)
    assert [(p.id, p.label, p.path) for p in document.passages] == [
        ("enwiki:7#0", "History", "History"),
        ("enwiki:7#1", "History", "History / Old"),
    ]
    first = document.passages[0]
    assert (first.title, first.collection, first.text) == ("Café & bar", "Wikipedia", LONG)
    assert first.metadata["url"] == "https://en.wikipedia.org/wiki/Caf%C3%A9_%26_bar"
    assert first.metadata["licence"] == "CC BY-SA 4.0"
    assert first.metadata["description"] == LONG


@pytest.mark.parametrize(
    "other",
    [
        page(8, "R", f"#REDIRECT [[X]]\n== A ==\n{LONG}"),
        page(8, "R", f"== A ==\n{LONG}", extra='<redirect title="X"/>'),
        page(8, "Talk:X", f"== A ==\n{LONG}", ns=1),
        page(8, "X (disambiguation)", f"== A ==\n{LONG}"),
        page(8, "X", f"== A ==\n{LONG}\n{{{{Disambig}}}}"),
        page(8, "Stub", LONG),
        page(8, "Only notes", f"{LONG}\n== References ==\n{LONG}"),
        page(8, "Empty", ""),
    ],
)
def test_what_is_no_article_is_passed_over(tmp_path, other):
    assert [d.title for d in WikipediaDump(write(tmp_path, other, GOOD))] == ["Café & bar"]


@pytest.mark.parametrize("pack", [bz2.compress, gzip.compress])
def test_packed_dumps(tmp_path, pack):
    path = tmp_path / "dump.xml.packed"
    path.write_bytes(pack(write(tmp_path, GOOD).read_bytes()))
    assert len(list(WikipediaDump(path))) == 1


def test_a_dump_that_is_cut_off_gives_what_it_has_and_says_so(tmp_path):
    document, refusal = WikipediaDump(write(tmp_path, GOOD, "<page><title>Ha", tail=""))
    assert isinstance(document, Document)
    assert isinstance(refusal, Refusal)
    assert refusal.place == "after page 1"


@pytest.mark.parametrize(
    "content", [b"", b"no xml", b"<a><b></a>", b"<html><p>x</p></html>", b"BZh9junk"]
)
def test_what_is_no_dump_is_refused(tmp_path, content):
    path = tmp_path / "dump.xml"
    path.write_bytes(content)
    with pytest.raises(FileFormatError):
        list(WikipediaDump(path))


def test_entities_that_grow_are_refused(tmp_path):
    path = tmp_path / "bomb.xml"
    path.write_text('<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><mediawiki>&y;</mediawiki>')
    with raises(FileFormatError, file="bomb.xml"):
        list(WikipediaDump(path))


def test_missing_and_exchanged_files_are_refused(tmp_path):
    with raises(FileFormatError, file=ANY):
        list(WikipediaDump(tmp_path / "none.xml"))
    with raises(FileFormatError, digest="49cfb3468cc9", sha256="000000000000"):
        list(WikipediaDump(write(tmp_path, GOOD), sha256="0" * 64))


def test_the_demo_articles(demo_articles):
    demo = demo_articles
    assert all(isinstance(item, Document) for item in demo)
    passages = [passage for document in demo for passage in document.passages]
    assert 85 <= len(demo) <= 100
    assert 4300 <= len(passages) <= 5000
    assert len({passage.id for passage in passages}) == len(passages)
    assert {passage.metadata["licence"] for passage in passages} == {"CC BY-SA 3.0"}
    assert all(p.label == p.path.split(" / ")[0] for p in passages)
    assert sum(" / " in p.path for p in passages) > len(passages) / 3
    assert sum(bool(document.description) for document in demo) >= len(demo) - 3
    war = next(d for d in demo if d.title == "American Revolutionary War")
    assert "Causes" in {p.label for p in war.passages}


def test_the_demo_articles_are_clean(demo_articles):
    left_over = re.compile(
        r"\[\[|\]\]|\{\{|\}\}|\{\||\|\}|'''|</?(ref|b|i|sub|sup|br|div|span|small)\b|&[a-z]+;|"
        r"\|\s*\w+\s*=|thumb\||https?:|\.(jpg|png|svg)\b|\(\s*\)| ,|  |\bFile:|Category:|rowspan|"
        r"style=|ISBN|[\x00-\x1f]",
        re.I,
    )
    found = [
        (passage.id, match.group())
        for document in demo_articles
        for passage in document.passages
        if (match := left_over.search(passage.text))
    ]
    assert len(found) <= 5, found


def test_finding_the_demo_articles_does_not_import_gensim():
    code = (
        "import sys; from subclust.text.sources.wikidump import demo_dump; demo_dump();"
        "assert 'gensim' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
