"""A file whose encoding and columns are corrected in a browser, and a duplicate found."""

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


def write(page, table, x, y, text):
    """Write a cell of a table that is drawn on a canvas."""
    canvas = page.locator(f"{table} canvas").first
    canvas.evaluate("one => one.scrollIntoView({block: 'center'})")
    page.wait_for_function(SETTLED)
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_timeout(1000)  # the table tells the page of it a moment later


def choose(page, encoding):
    box = page.get_by_role("combobox", name="Encoding")
    box.fill(encoding)
    box.press("Enter")


def test_a_file_is_corrected_and_a_duplicate_found(page):
    give(page, [("letters.ris", RUSSIAN), ("looms.csv", UNKNOWN)])
    page.get_by_text("Ткацкие станки").first.wait_for()
    choose(page, "KOI8-R")
    page.get_by_text("Ткацкие станки").first.wait_for(state="detached")
    choose(page, "as detected")
    page.get_by_text("Ткацкие станки").first.wait_for()

    page.get_by_text("Say which column holds the titles").wait_for()
    write(page, "[class*=st-key-library-columns]", 420, 53, "Title")
    page.get_by_text("2 records: 2 can be imported.").wait_for()
    page.wait_for_function(SETTLED)
    assert grave_violations(page) == []

    give(page, [("first.ris", FIRST), ("second.ris", SECOND)])
    page.get_by_text("2 records: 1 can be imported, 1 is rejected.").wait_for()

    library = page.get_by_role("combobox", name="Library")
    library.fill("mine")
    library.press("Enter")

    page.get_by_role("button", name="Import 4 files").click()
    page.get_by_text("5 imported").wait_for(timeout=400_000)
    page.get_by_role("button", name="Open the library").click()
    page.get_by_role("button", name="Possible duplicates").click()
    page.get_by_text("Surely the same. Alike").wait_for()
