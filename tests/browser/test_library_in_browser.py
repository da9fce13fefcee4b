"""Files into a library, in a browser: check, import, read, search, delete; axe on the way."""

import pytest
import small_library
from keyboard_walk import walk
from served_app import served
from test_accessibility_in_browser import SETTLED, grave_violations

from subclust.text.library.names import name_of

RIS = "TY  - JOUR\nTI  - Maps {0}\nAB  - {1} shelves and maps, number {0}.\nPY  - {2}\nER  - \n\n"
KINDS = ("Old city", "Harbour and coast", "Mountain", "Railway")
MAPS = "".join(RIS.format(n, KINDS[n % 4], 1990 + n) for n in range(40)).encode()
BROKEN = b"id,text\n1,About maps and their shelves.\n2,\n3,About books and maps.\n4,\n"


def settle(page):
    page.wait_for_function(SETTLED)


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def give(page, files):
    page.locator("[class*=st-key-library-files] input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files]
    )


def cell(page, text):
    """Find a cell of a table, which is drawn on a canvas and told beside it."""
    return page.locator("[role=gridcell]").get_by_text(text, exact=True).first


def healthy(page):
    settle(page)
    assert grave_violations(page) == []
    assert fits(page)


@pytest.mark.parametrize(
    ("scheme", "width"), [pytest.param("light", 1280, marks=pytest.mark.main_way), ("dark", 400)]
)
def test_files_are_imported_read_searched_and_deleted(app_url, new_page, scheme, width):
    page = new_page(
        color_scheme=scheme, reduced_motion="reduce", viewport={"width": width, "height": 900}
    )
    page.goto(f"{app_url}/library?show=import")
    page.get_by_text("exported from your catalogue, database or reference manager").wait_for()
    give(page, [("maps.ris", MAPS), ("broken.csv", BROKEN)])
    page.get_by_text("40 records: 40 can be imported.").wait_for()
    page.get_by_text("4 records: 2 can be imported, 2 are rejected.").wait_for()
    healthy(page)

    library = page.get_by_role("combobox", name="Library")
    library.fill("mine")
    library.press("Enter")
    page.get_by_role("button", name="Import 2 files").click()
    page.get_by_text("maps.ris +1 into mine").first.wait_for()
    page.get_by_text("44 records read, 42 imported, 2 rejected").wait_for(timeout=400_000)
    for row in ("row 3", "row 5"):
        cell(page, row).wait_for(state="attached")
    healthy(page)
    with page.expect_download() as file:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert b"row 5" in file.value.path().read_bytes()

    page.get_by_role("button", name="Open the library").click()
    page.get_by_role("heading", name="Passages", exact=True).wait_for()
    words = page.get_by_role("textbox", name="Words")
    words.fill("number 37")
    words.press("Enter")
    cell(page, "Maps 37").wait_for(state="attached")
    healthy(page)
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_text("42 passages", exact=True).first.wait_for()

    page.goto(f"{app_url}/?library=mine&method=tfidf&groups=4&q=maps")
    page.locator(".js-plotly-plot .annotation-text").first.wait_for(state="attached")
    settle(page)

    page.goto(f"{app_url}/library?open=mine")
    open_upkeep(page)
    page.get_by_role("button", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("mine")
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_text("The library mine was deleted").wait_for()


# Where the next press of the Tab key starts.
FROM_THE_TOP = """() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
}"""


def open_upkeep(page):
    """Open what stands behind the passages of a library."""
    page.get_by_text("Details and upkeep").click()
    page.get_by_role("button", name="Delete", exact=True).wait_for()
    settle(page)


def test_every_control_is_reached_by_the_tab_key(tmp_path, new_page):
    small_library.build(tmp_path, "demo")
    with served(tmp_path) as url:
        page = new_page(reduced_motion="reduce")
        page.goto(f"{url}/library")
        page.get_by_role("heading", name="Passages", exact=True).wait_for(timeout=400_000)
        settle(page)
        open_upkeep(page)
        page.evaluate(FROM_THE_TOP)
        stops, missed = walk(page)
        assert missed == []
        names = [stop.name for stop in stops]
        for name in ("Add documents", "Back up", "Delete", "Words"):
            assert any(name in one for one in names), (name, names)
        # The page itself and the scroller of a table, which is Streamlit's, have none.
        controls = ("button", "link", "textbox", "combobox", "radio", "checkbox")
        assert [one.html for one in stops if not one.name and one.role in controls] == []


def test_a_library_is_renamed_by_the_keyboard_alone(tmp_path, new_page):
    small_library.build(tmp_path, "old")
    with served(tmp_path) as url:
        page = new_page(reduced_motion="reduce")
        page.goto(f"{url}/library?open=old")
        page.get_by_text("Details and upkeep").wait_for(timeout=120_000)
        settle(page)
        for name in ("Details and upkeep", "Rename"):
            for _ in range(40):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.textContent").endswith(name):
                    break
            page.keyboard.press("Enter")
        field = page.get_by_role("dialog").get_by_label("Name of the library")
        field.wait_for()
        settle(page)
        for _ in range(4):  # the dialog holds the focus
            if field.evaluate("one => one === document.activeElement"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Control+a")
        page.keyboard.type("Ökologie & Umwelt")
        page.keyboard.press("Enter")
        yes = page.get_by_role("dialog").get_by_role("button", name="Rename the library")
        page.wait_for_function("one => !one.disabled", arg=yes.element_handle())
        healthy(page)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("The library is now called Ökologie & Umwelt.").wait_for()
        assert name_of(tmp_path / "library", "old") == "Ökologie & Umwelt"
