"""Every kind of file has every passage under its group's name; every group has its own link."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import bibtexparser
import openpyxl
import rispy
from explore_walk import (
    MAP,
    address,
    groups_of,
    marks_of,
    names_of,
    open_at,
    open_correcting,
    open_dialog,
    said,
    settle,
    wait_for_address,
)

from subclust.figures.scatter import MARKED_TRACE

START = "/?method=tfidf&groups=4&q=the+American+war&group=1"
RINGED = f"""() => document.querySelector('{MAP}').data.find(
    trace => trace.name === '{MARKED_TRACE}')?.customdata.map(row => row[0])"""


def _from_table(rows):
    return {row["id"]: row["group_name"] for row in rows}


def _csv(content):
    return _from_table(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def _xlsx(content):
    names, *lines = openpyxl.load_workbook(io.BytesIO(content))["Passages"].values
    return _from_table(dict(zip(names, line, strict=True)) for line in lines)


def _ris(content):
    return {one["id"]: one["keywords"][0] for one in rispy.loads(content.decode())}


def _bibtex(content):
    entries = bibtexparser.parse_string(content.decode()).entries
    plain = ({name: field.value for name, field in one.fields_dict.items()} for one in entries)
    # Programs divide keywords at commas, so a comma of a name is written as " / ".
    return {
        one["annotation"].removeprefix("id: ").replace(r"\#", "#"): one["keywords"].replace(
            " /", ","
        )
        for one in plain
    }


def _csl(content):
    return {one["id"]: one["categories"][0] for one in json.loads(content)}


def _json(content):
    return {
        passage["id"]: group["name"]
        for group in json.loads(content)["subtopics"]
        for passage in group["passages"]
    }


READERS = {
    "CSV": _csv,
    "Excel": _xlsx,
    "RIS": _ris,
    "BibTeX": _bibtex,
    "CSL JSON": _csl,
    "JSON": _json,
}


def test_every_file_has_the_corrected_groups_as_keywords(new_page, app_url):
    page = new_page()
    open_correcting(page, app_url + START)
    page.locator(".st-key-correct-rename button").first.click()
    field = page.get_by_role("textbox", name="Name of the group")
    field.fill("A name of my own")
    field.press("Enter")
    groups = said(page, "to “A name of my own”")
    names = names_of(page)
    assert names[1] == "A name of my own"
    expected = {id_: names[number] for number, ids in groups.items() for id_ in ids}
    places = {mark.id for mark in marks_of(page)}

    open_dialog(page, "take-away")
    contents = {}
    for label in (*READERS, "Map (SVG)", "Map (PNG)"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label, exact=True).click()
        contents[label] = download.value.path().read_bytes()
    for label, read in READERS.items():
        assert read(contents[label]) == expected, label
    svg = contents["Map (SVG)"].decode()
    assert set(re.findall(r'data-passage="([^"]+)"', svg)) == places
    assert "A name of my own" in svg
    png = contents["Map (PNG)"]
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20]) == 1920


def test_each_group_has_a_link_that_marks_its_passages(new_page, app_url):
    page = new_page()
    groups = open_at(page, app_url + START)
    names = names_of(page)
    body = open_dialog(page, "take-away")
    link = body.locator("code").first.inner_text()
    assert parse_qs(urlsplit(link).query) == address(page) | {"library": ["demo"]}
    assert urlsplit(link).netloc == urlsplit(page.url).netloc
    for number in (3, 0):
        box = body.get_by_role("combobox")
        box.click()
        box.fill(names[number])
        page.keyboard.press("Enter")
        link = body.locator("code").nth(1)
        page.wait_for_function(
            "number => [...document.querySelectorAll('[role=dialog] code')]"
            ".some(one => one.innerText.includes(`group=${number}`) && one !== "
            "document.querySelector('[role=dialog] code'))",
            arg=number,
        )
        visitor = new_page()
        open_at(visitor, link.inner_text())
        assert set(visitor.evaluate(RINGED)) == groups[number]
        visitor.locator(f".st-key-open-group .sc-mark-{number}").wait_for()


def test_a_session_is_opened_renamed_taken_in_and_left(new_page, app_url, tmp_path):
    page = new_page()
    groups = open_at(page, app_url + START)
    name = open_dialog(page, "save").get_by_role("textbox", name="Name", exact=True)
    name.fill("Of the war")
    name.press("Enter")
    said(page, "Saved as “Of the war”.")
    open_dialog(page, "take-sessions")
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Export", exact=True).click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    new_name = page.get_by_label("New name")
    new_name.fill("Renamed")
    new_name.press("Enter")
    page.locator(".st-key-session-rename button").click()
    page.get_by_text("Renamed to Renamed.").wait_for()
    settle(page)

    visitor = new_page()
    open_at(visitor, f"{app_url}/?method=tfidf&q=a+tax")
    open_dialog(visitor, "take-sessions")
    assert "Renamed" in visitor.locator(".st-key-session-chosen input").input_value()
    visitor.locator(".st-key-session-open button").first.click()
    wait_for_address(visitor, "session=")
    visitor.get_by_text(re.compile("Session “Renamed”, saved on")).wait_for()
    settle(visitor)
    assert groups_of(visitor) == groups
    assert marks_of(visitor) == marks_of(page)
    visitor.locator(".st-key-session-anew button").first.click()
    visitor.wait_for_function("() => !location.search.includes('session=')")
    settle(visitor)

    open_dialog(visitor, "take-sessions")
    visitor.locator("[class*='st-key-session-sure'] label").first.click()
    visitor.locator(".st-key-session-delete button:enabled").first.click()
    said(visitor, "Deleted Renamed")
    open_dialog(visitor, "take-sessions")
    visitor.locator(".st-key-session-file input[type=file]").set_input_files(file)
    visitor.locator(".st-key-session-take button:enabled").first.wait_for()
    settle(visitor)
    visitor.locator(".st-key-session-take button").first.click()
    visitor.get_by_text("Imported ").wait_for()
    settle(visitor)
    visitor.locator(".st-key-session-open button").first.click()
    wait_for_address(visitor, "session=")
    assert marks_of(visitor) == marks_of(page)
