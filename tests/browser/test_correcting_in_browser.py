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


@pytest.fixture
def page(tmp_path, new_page):
    with served(tmp_path) as url:
        page = new_page(reduced_motion="reduce", viewport={"width": 1280, "height": 1000})
        page.goto(f"{url}/library?show=import")
        page.get_by_text("as your catalogue, database").wait_for(timeout=120_000)
        yield page


def write(page, table, x, cell, text):
    """Write a cell of the first row of a table, which is drawn on a canvas and told beside it."""
    canvas = page.locator(f"{table} canvas").first
    written = page.locator(f"{table} [data-testid='{cell}']")
    for _ in range(5):  # keys pressed before the canvas listens are lost
        canvas.evaluate("one => one.scrollIntoView({block: 'center'})")
        page.wait_for_function(SETTLED)
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


def choose(page, encoding):
    box = page.get_by_role("combobox", name="Encoding")
    box.fill(encoding)
    box.press("Enter")


def test_a_file_is_corrected_and_a_duplicate_merged(page):
    give(page, [("letters.ris", RUSSIAN), ("looms.csv", UNKNOWN)])
    page.get_by_text("Ткацкие станки").first.wait_for()
    choose(page, "KOI8-R")
    page.get_by_text("Ткацкие станки").first.wait_for(state="detached")
    choose(page, "as detected")
    page.get_by_text("Ткацкие станки").first.wait_for()

    page.get_by_text("Say which column holds the titles").wait_for()
    write(page, "[class*=st-key-library-columns]", 420, "glide-cell-1-0", "Title")
    page.get_by_text("2 records: 2 can be imported.").wait_for()
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []

    give(page, [("first.ris", FIRST), ("second.ris", SECOND)])
    page.get_by_text("2 records: 1 can be imported, 1 is rejected.").wait_for()
    page.get_by_text("Correct 1 rejected record").click()
    table = "[class*=st-key-library-mend]"
    write(page, table, 390, "glide-cell-2-0", "On the rights of millers")
    page.get_by_role("button", name="Import the corrected rows").click()
    page.locator(".sc-title").get_by_text("On the rights of millers").wait_for()

    library = page.get_by_role("combobox", name="Library")
    library.fill("mine")
    library.press("Enter")

    page.get_by_role("button", name="Import 5 files").click()
    page.get_by_text("6 imported").wait_for(timeout=400_000)
    page.get_by_role("button", name="Open the library").click()
    page.get_by_role("button", name="Possible duplicates").click()
    page.get_by_text("Surely the same. Alike").wait_for()
    page.get_by_role("button", name="Merge", exact=True).click()
    page.get_by_text("1 record was merged into another one.").wait_for()
