"""The report: one file, no script, no request; and the pictures of the map."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

from hostile_map import TEXTS, hostile_map, hostile_report
from PIL import Image

from subclust.core.translation import LANGUAGES, translated
from subclust.exports import FORMATS, written
from subclust.exports.records import UNANSWERED, facts
from subclust.figures.palette import LIGHT
from subclust.figures.wrapping import printable

IDS = {member.passage.id for group in hostile_map().subtopics for member in group.passages}


SAID = ("title", "figcaption", "h2")


class Reader(HTMLParser):
    """Collects the tags, and the text of each passage by its id."""

    def __init__(self):
        super().__init__()
        self.tags, self.passages, self.inside, self.ids = [], {}, None, []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "li":
            self.inside = found.get("data-passage")
            if self.inside:
                self.passages[self.inside] = ""

    def handle_data(self, data):
        if self.inside:
            self.passages[self.inside] += data

    def handle_endtag(self, tag):
        if tag == "li":
            self.inside = None


def read_report():
    reader = Reader()
    reader.feed(written(hostile_report(), FORMATS[".html"]).decode())
    return reader


def test_the_report_has_every_passage_as_text():
    found = read_report().passages
    texts = {m.passage.id: m.passage.text for g in hostile_map().subtopics for m in g.passages}
    assert set(found) == IDS
    assert all(printable(texts[id_]) in found[id_] for id_ in IDS)


def test_the_report_asks_for_nothing_and_runs_nothing():
    allowed = {
        "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "p", "main",
        "figure", "figcaption", "svg", "g", "path", "rect", "line", "text", "a", "nav", "ol", "li",
        "span", "section", "footer", "dl", "dt", "dd",
    }  # fmt: skip
    for tag, attributes in read_report().tags:
        assert tag in allowed
        assert not {"src", "srcset", "data", "style"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith(("#", "https://", "http://"))
    content = written(hostile_report(), FORMATS[".html"]).decode()
    assert "default-src 'none'" in content
    assert not re.search(r"url\(|@import", content)


def test_each_mark_of_the_report_leads_to_its_passage():
    reader = read_report()
    links = [a["href"] for tag, a in reader.tags if tag == "a" and a.get("tabindex") == "-1"]
    assert len(links) == len(set(links)) == len(TEXTS)
    assert {link.removeprefix("#") for link in links} <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    marks = {a["data-passage"] for tag, a in reader.tags if tag == "path" and "data-passage" in a}
    assert len(marks) == len(TEXTS)


def test_the_report_tells_how_it_came_about():
    content = written(hostile_report(), FORMATS[".html"]).decode()
    for told in ("Subclust 9.9", "bbbbbbbbbbbb", "aaaaaaaaaaaa", "2026-02-03", "Seed", ">77<"):
        assert told in content


def test_what_a_report_says_is_in_its_language():
    parts = {}
    for language in LANGUAGES:
        made = replace(hostile_report(), language=language)
        content = written(made, FORMATS[".html"]).decode()
        assert f'<html lang="{language}">' in content
        found = [re.search(rf"<{tag}>.*?</{tag}>", content) for tag in SAID]
        parts[language] = {*re.findall("<dt>.*?</dt>", content), *(one[0] for one in found)}
    assert parts["en"] & parts["de"] == {"<dt>Encoder</dt>"}
    assert len(parts["en"]) == len(parts["de"]) == len(SAID) + len(facts(hostile_report()))


def test_a_group_that_is_named_by_a_term_tells_which():
    made = hostile_report()
    first, second, *others = made.subtopics.subtopics
    first, second = replace(first, term="http://terms.org/7"), replace(second, term="<b>sh 85")
    made = replace(made, subtopics=replace(made.subtopics, subtopics=(first, second, *others)))
    content = written(made, FORMATS[".html"]).decode()
    assert content.count('<a href="http://terms.org/7"') == 1
    assert content.count("&lt;b&gt;sh 85") == 1 and "<b>sh 85" not in content


def test_groups_of_an_unanswered_question_are_not_praised():
    def report(answered):
        made = hostile_report()
        made = replace(made, subtopics=replace(made.subtopics, answered=answered))
        return written(made, FORMATS[".html"]).decode()

    assert "mean fit" in report(True) and "mean fit" in report(None)
    assert UNANSWERED not in report(True) and UNANSWERED not in report(None)
    said = report(False)
    assert "mean fit" not in said
    assert said.index(UNANSWERED) < said.index("<main>") < said.rindex(UNANSWERED)


def test_the_svg_is_whole_and_has_each_passage_once():
    root = ElementTree.fromstring(written(hostile_report(), FORMATS[".svg"]))
    marks = [one.get("data-passage") for one in root.iter() if one.get("data-passage")]
    assert sorted(marks) == sorted(printable(id_) for id_ in IDS)
    words = " ".join("".join(one.itertext()) for one in root.iter() if one.tag.endswith("}text"))
    assert all(group.name.split(",")[0][:20] in words for group in hostile_map().subtopics)
    assert not any("href" in name for one in root.iter() for name in one.attrib)


def test_the_svg_says_how_much_was_found_where_and_when_it_was_made():
    report = replace(hostile_report(), day="2026-11-29", language="de")
    subtopics = replace(report.subtopics, answered=False)
    drawn = written(replace(report, subtopics=subtopics), FORMATS[".svg"]).decode()
    told = " ".join(re.findall(r'font-size="15" fill="[^"]*">([^<]*)</text>', drawn))
    assert "2026-11-29" in told and f"„{subtopics.library}“" in told
    assert str(len(TEXTS)) in told and translated(UNANSWERED, "de") in told


def test_the_png_is_a_picture_with_letters():
    image = Image.open(io.BytesIO(written(hostile_report(), FORMATS[".png"]))).convert("RGB")
    assert image.width == 1920
    assert image.getpixel((3, 3)) == (255, 255, 255)
    heading = image.crop((40, 30, 900, 110))
    text = tuple(int(LIGHT.text[at : at + 2], 16) for at in (1, 3, 5))
    n_dark = sum(count for count, pixel in heading.getcolors(1 << 20) if pixel == text)
    assert n_dark > 300
