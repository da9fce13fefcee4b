"""A file whose encoding, columns and records are corrected in a browser, and a duplicate merged."""

import pytest
from served_app import served
from test_accessibility_in_browser import SETTLED, grave_violations
from test_library_in_browser import give

RUSSIAN = "TY  - JOUR\nTI  - Ткацкие станки старых фабрик\nPY  - 2014\nER  - \n".encode("cp1251")
UNKNOWN = b"Benamsung,Werk\nOn old looms,Loom Notes\nOn wool and water,Loom Notes\n"
ONE = """TY  - JOUR
TI  - Old looms and young weavers{0}
AU  - Alm, Ada
AU  - Berg, Bo
PY  - 2014
T2  - Weaving Notes
VL  - 3
SP  - 1
EP  - 9
{1}AB  - Looms weave wool all day long in the old mills.
ER  -

"""
NAMELESS = "TY  - JOUR\nAU  - Dahl, Dora\nPY  - 2011\nT2  - Mill Review\nER  -\n"
FIRST = (ONE.format(": a study", "DO  - 10.1234/looms\n") + NAMELESS).encode()
SECOND = ONE.format("", "KW  - labour\n").encode()


WORDS = {
    "en": {
        "upload": "from your catalogue, database", "encoding": "Encoding",
        "detected": "as detected",
        "unknown": "Say which column holds the titles", "title": "Title",
        "all": "2 records: 2 can be imported.",
        "one": "2 records: 1 can be imported, 1 is rejected.",
        "correct": "Correct 1 rejected record", "rows": "Import the corrected rows",
        "library": "Library", "import": "Import 5 files", "imported": "6 imported",
        "open": "Open the library", "upkeep": "Details and upkeep", "documents": "6 documents · ",
        "duplicates": "Possible duplicates",
        "sure": "Certainly the same.", "merge": "Merge",
        "merged": "1 record was merged into another one.",
    },
    "de": {
        "upload": "die Ihr Katalog, Ihre Datenbank", "encoding": "Zeichenkodierung",
        "detected": "wie erkannt", "unknown": "welche Spalte die Titel", "title": "Titel",
        "all": "2 Datensätze: 2 können importiert werden.",
        "one": "2 Datensätze: 1 kann importiert werden, 1 wird abgelehnt.",
        "correct": "1 abgelehnten Datensatz berichtigen",
        "rows": "Die berichtigten Zeilen importieren",
        "library": "Bestand", "import": "5 Dateien importieren", "imported": "6 importiert",
        "open": "Bestand öffnen", "upkeep": "Einzelheiten und Pflege",
        "documents": "6 Dokumente · ",
        "duplicates": "Mögliche Dubletten",
        "sure": "Sicher dasselbe.", "merge": "Zusammenführen",
        "merged": "1 Datensatz wurde mit einem anderen zusammengeführt.",
    },
}  # fmt: skip


@pytest.fixture(params=WORDS)
def words(request):
    return WORDS[request.param] | {"lang": request.param}


@pytest.fixture
def page(tmp_path, new_page, words):
    with served(tmp_path) as url:
        page = new_page(reduced_motion="reduce", viewport={"width": 1280, "height": 1000})
        page.goto(f"{url}/library?show=import&lang={words['lang']}")
        page.get_by_text(words["upload"]).wait_for(timeout=120_000)
        yield page


def write(page, table, x, cell, text):
    """Write a cell of the first row of a table, which is drawn on a canvas and told beside it."""
    canvas = page.locator(f"{table} canvas").first
    written = page.locator(f"{table} [data-testid='{cell}']")
    for _ in range(5):  # keys pressed before the canvas listens are lost
        canvas.evaluate("one => one.scrollIntoView({block: 'center'})")
        page.wait_for_function(SETTLED)
        if not canvas.is_visible():  # it was written, and the table has gone
            return
        box = canvas.bounding_box()
        page.mouse.click(box["x"] + x, box["y"] + 53)
        page.wait_for_timeout(500)
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_timeout(1500)  # until the table has told the page of it
        if not canvas.is_visible() or written.inner_text().casefold() == text.casefold():
            return


def choose(page, name, text):
    box = page.get_by_role("combobox", name=name, exact=True)
    box.fill(text)
    box.press("Enter")


def test_a_file_is_corrected_and_a_duplicate_merged(page, words):
    give(page, [("letters.ris", RUSSIAN), ("looms.csv", UNKNOWN)])
    page.get_by_text("Ткацкие станки").first.wait_for()
    choose(page, words["encoding"], "KOI8-R")
    page.get_by_text("Ткацкие станки").first.wait_for(state="detached")
    choose(page, words["encoding"], words["detected"])
    page.get_by_text("Ткацкие станки").first.wait_for()

    page.get_by_text(words["unknown"]).wait_for()
    write(page, "[class*=st-key-library-columns]", 420, "glide-cell-1-0", words["title"])
    page.get_by_text(words["all"]).wait_for()
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []

    give(page, [("first.ris", FIRST), ("second.ris", SECOND)])
    page.get_by_text(words["one"]).wait_for()
    page.get_by_text(words["correct"]).click()
    table = "[class*=st-key-library-mend]"
    write(page, table, 390, "glide-cell-2-0", "On the rights of millers")
    page.get_by_role("button", name=words["rows"]).click()
    page.locator(".sc-title").get_by_text("On the rights of millers").wait_for()

    choose(page, words["library"], "mine")
    page.get_by_role("button", name=words["import"]).click()
    page.get_by_text(words["imported"]).wait_for(timeout=400_000)
    page.get_by_role("button", name=words["open"]).click()
    count = page.get_by_text(words["documents"]).first.inner_text()
    page.get_by_text(words["upkeep"]).click()
    page.get_by_role("button", name=words["duplicates"]).click()
    page.get_by_text(words["sure"]).wait_for()
    page.get_by_role("button", name=words["merge"], exact=True).click()
    page.get_by_text(words["merged"]).wait_for()
    page.keyboard.press("Escape")
    page.get_by_text(count, exact=True).wait_for(state="detached")
