"""Compare with columns of every kind: ids, numbers, colours and differences, reckoned anew."""

import csv
import io
import json
import re
from itertools import combinations
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from explore_walk import address, choose_row, open_at, parts_of, press, table_in
from keyboard_walk import tab_to
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_mutual_info_score as ami
from sklearn.metrics import adjusted_rand_score as ari
from sklearn.metrics import normalized_mutual_info_score as nmi
from sklearn.metrics.cluster import contingency_matrix
from test_accessibility_in_browser import SETTLED, grave_violations
from test_compare_in_browser import MARKED, RINGED, marked_in_address, open_columns, open_compare

WAR, TAX = "the American war", "a tax on paper"
TWO = "/compare?q=the+American+war&a=tfidf%3Bgroups%3A4&b=jaccard%3Bgroups%3A3"
KINDS = {
    "a": "qs3m;groups:4",
    "b": "qs3m;model:shipped;groups:4",
    "c": f"qs3m;groups:4;q:{quote(TAX)}",
    "d": "qs3m;groups:4;context:passages",
}
"""The model in use, another one, another question, another context."""
FOUR = "/compare?q=the+American+war&" + "&".join(
    f"{letter}={quote(column, safe='')}" for letter, column in KINDS.items()
)

TABS = ".st-key-compare-tabs"
FLOW = "[class*=st-key-flow-table]"

# Of each map: [id, number of the group, symbol, colour] of each mark.
MARKS = """() => [...document.querySelectorAll('.st-key-compare-maps .js-plotly-plot')].map(
    map => map.data.flatMap(
        trace => trace.customdata.map(
            row => [row[0], row[1], trace.marker.symbol, trace.marker.color])))"""


def as_json(page):
    with page.expect_download() as download:
        page.locator(".st-key-compare-json button").click()
    return json.loads(download.value.path().read_text("utf-8"))


def as_rows(page):
    with page.expect_download() as download:
        page.locator(".st-key-compare-csv button").click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))


def groups_by_number(marks):
    groups = {}
    for id_, number, *_look in marks:
        groups.setdefault(number, set()).add(id_)
    return groups


def marked_by_row(page, part):
    """Choose the first row of a table, and give the ids that are marked then."""
    choose_row(page, part)
    page.wait_for_function("() => location.search.includes('marked=')")
    page.wait_for_function(SETTLED)
    return sorted(marked_in_address(page).split(","))


def test_models_questions_and_contexts_are_columns_over_the_same_hits(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + FOUR)
    told = as_json(page)
    columns = told["columns"]
    assert [columns[one]["checkpoint"] for one in "ABCD"] == ["ours", "shipped", "ours", "ours"]
    assert [columns[one]["query"] for one in "ABCD"] == [WAR, WAR, TAX, WAR]
    assert [columns[one]["context"] for one in "ABCD"] == ["title"] * 3 + ["passages"]
    headings = page.locator("h3.sc-column").all_inner_texts()
    for heading, words in zip(
        headings, ("model ours", "model shipped", f"under “{TAX}”", "follows the passages"),
        strict=True,
    ):  # fmt: skip
        assert words in heading
    maps = page.evaluate(MARKS)
    assert all({mark[0] for mark in marks} == {mark[0] for mark in maps[0]} for marks in maps)
    assert len(maps[0]) == 48
    looks = {}
    for marks in maps:
        for _id, number, symbol, colour in marks:
            looks.setdefault(number, set()).add((symbol, colour))
    assert all(len(ones) == 1 for ones in looks.values())
    assert len(set().union(*looks.values())) == len(looks)
    # A column is what Explore shows under the same question and context.
    explore = new_page(reduced_motion="reduce")
    start = f"{app_url}/?method=qs3m&groups=4"
    for place, asked in ((2, f"q={TAX}&hits={WAR}"), (3, f"q={WAR}&context=passages")):
        found = open_at(explore, f"{start}&{asked}".replace(" ", "+"))
        assert parts_of(found) == parts_of(groups_by_number(maps[place]))
    # Other columns to look at: what is listed is of those two.
    page.locator(".st-key-compare-between").get_by_text("B – D").click()
    page.wait_for_function("() => location.search.includes('between=bd')")
    page.wait_for_function(SETTLED)
    of = {one["id"]: one["groups"] for one in told["passages"]}
    n_moved = sum(groups["B"] != groups["D"] for groups in of.values())
    page.get_by_text(f"{n_moved} of 48 passages are in another group in D than in B").wait_for()


def test_numbers_flow_and_tables_are_those_of_the_files(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + TWO)
    rows, told = as_rows(page), as_json(page)
    assert len(rows) == 48
    a, b = ([row[f"{letter}_group"] for row in rows] for letter in "AB")
    (pair,) = told["pairs"]
    assert (pair["ari"], pair["ami"], pair["nmi"]) == pytest.approx(
        (ari(a, b), ami(a, b), nmi(a, b))
    )
    together = [
        (first["A_group"] == second["A_group"], first["B_group"] == second["B_group"])
        for first, second in combinations(rows, 2)
    ]
    assert pair["together_only_in_first"] == together.count((True, False))
    assert pair["together_only_in_second"] == together.count((False, True))
    # Same number: matched so that as many passages as can be have the same in both columns.
    inside = [(one, other) for one, other in zip(a, b, strict=True) if "-1" not in (one, other)]
    table = contingency_matrix(*zip(*inside, strict=True))
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert sum(one == other for one, other in inside) == best

    flows = {(row["A_name"], row["B_name"]) for row in rows}
    n_rows, listed = table_in(page, FLOW)
    assert n_rows == len(flows)
    source, target = (re.sub(r"^[AB] \S+ ", "", cell) for cell in listed[0][-3:-1])
    streamed = {row["id"] for row in rows if (row["A_name"], row["B_name"]) == (source, target)}
    assert int(listed[0][-1]) == len(streamed)
    assert marked_by_row(page, FLOW) == sorted(streamed)
    assert page.evaluate(RINGED) == [sorted(streamed)] * 2

    moved = [row for row in rows if row["A_group"] != row["B_group"]]
    page.get_by_text(f"{len(moved)} of 48 passages are in another group in B than in A").wait_for()
    page.locator(".st-key-compare-clear button").click()
    page.wait_for_function("() => !location.search.includes('marked=')")
    page.wait_for_function(SETTLED)
    (chosen,) = marked_by_row(page, "[class*=st-key-moved-AB]")
    assert chosen in {row["id"] for row in moved}

    page.get_by_role("tab", name="Agreement").click()
    page.wait_for_function(SETTLED)
    _n, (line,) = table_in(page, TABS, "Columns")
    assert [float(cell) for cell in line[1:4]] == pytest.approx(
        [pair["ari"], pair["ami"], pair["nmi"]], abs=6e-4
    )
    page.get_by_role("tab", name="Against the labels").click()
    page.wait_for_function(SETTLED)
    labels = [row["label"] for row in rows]
    _n, lines = table_in(page, TABS, "B³ F1")
    for line, column in zip(lines, (a, b), strict=True):
        scores = [float(cell) for cell in line[1:4]]
        assert scores == pytest.approx(
            [ari(labels, column), ami(labels, column), nmi(labels, column)], abs=6e-4
        )


def test_a_box_on_one_map_marks_all_of_them(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + TWO)
    one = page.locator(".st-key-compare-maps .js-plotly-plot").nth(1)
    one.locator(".modebar-btn[data-attr=dragmode][data-val=select]").click()
    frame = one.locator(".nsewdrag").bounding_box()
    page.mouse.move(frame["x"] + 3, frame["y"] + 3)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] - 3, steps=6)
    page.mouse.up()
    page.wait_for_function(MARKED, arg=2)
    page.wait_for_function("() => location.search.includes('marked=')")
    page.wait_for_function(SETTLED)
    marked = sorted(marked_in_address(page).split(","))
    assert 0 < len(marked) < 48
    assert page.evaluate(RINGED) == [marked] * 2


def test_columns_are_set_by_keyboard(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + TWO)
    open_columns(page)
    for key, typed, part in (
        ("method-B", "qs3m", "b=qs3m"),
        ("checkpoint-B", "shipped", "model%3Ashipped"),
        ("n_clusters-B", "5", "groups%3A5"),
    ):
        press(page, page.locator(f".st-key-{key} input").first, *typed, "Enter")
        page.wait_for_function(
            "part => decodeURIComponent(location.search).includes(decodeURIComponent(part))",
            arg=part,
        )
        page.wait_for_function(SETTLED)
    field = page.get_by_role("textbox", name="Group under another question")
    tab_to(page, field)
    page.keyboard.type(TAX)
    page.keyboard.press("Enter")
    page.locator("h3.sc-column", has_text=f"under “{TAX}”").wait_for()
    page.wait_for_function(SETTLED)
    told = parse_qs(urlsplit(page.url).query)["b"][0]
    assert set(told.split(";")) == {"qs3m", "model:shipped", "groups:5", f"q:{quote(TAX)}"}
    (_, marks) = page.evaluate(MARKS)
    assert len([number for number in groups_by_number(marks) if number >= 0]) == 5
    assert address(page)["a"] == ["tfidf;groups:4"]


def test_columns_are_compared_over_questions(new_page, app_url):
    page = new_page()
    open_compare(page, app_url + TWO)
    page.get_by_role("tab", name="Against the labels").click()
    field = page.get_by_role("textbox", name="Questions, one a line")
    field.fill("taxes\nthe French fleet\nsnow")
    field.blur()
    page.wait_for_function(SETTLED)
    page.locator(".st-key-compare-over button").click()
    _n, cells = table_in(page, TABS, "Question")
    lines = {line[0]: [float(cell.replace("−", "-")) for cell in line[1:4]] for line in cells}
    assert set(lines) == {"taxes", "the French fleet", "snow", "Mean"}
    of_one = lines.pop("Mean")
    for place in range(3):
        mean = sum(line[place] for line in lines.values()) / 3
        assert of_one[place] == pytest.approx(mean, abs=1e-3)
    better = sum(line[1] - line[0] > 1e-9 for line in lines.values())
    page.get_by_text(f"It is better on {better} of 3 questions").wait_for()
    # The same numbers as the page has for a question alone.
    open_compare(page, app_url + TWO.replace("the+American+war", "snow"))
    scores = as_json(page)["columns"]
    assert [scores[one]["gold"]["ari"] for one in "AB"] == pytest.approx(
        lines["snow"][:2], abs=6e-4
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_any_kind_of_column(new_page, app_url, scheme):
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    open_compare(page, app_url + FOUR)
    page.locator("[class*='st-key-of-A-'] button").first.click()
    page.locator(".st-key-compare-chosen").wait_for()
    for tab in ("Only what moved", "Agreement", "Against the labels"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_function(SETTLED)
        assert grave_violations(page) == []
