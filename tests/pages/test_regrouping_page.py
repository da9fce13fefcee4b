"""Keep these hits, dig, levels and the number of groups, on the Explore page."""

import pytest
from page_texts import texts

from subclust.core.records import OTHER_PASSAGES
from subclust.ui.explore.kept_hits import _moves_frame

WAR = "the American war"


@pytest.fixture
def table_of(open_page):
    """Give the table at the address that a page has, as another visitor sees it."""

    def open_table(page):
        address = {name: page.query_params[name] for name in page.query_params}
        return open_page(**address | {"list": "table"}).dataframe[-1].value

    return open_table


def in_groups(frame):
    """Give the passages of each group by the group's name, as the table lists them."""
    return {name[2:]: set(rows.index) for name, rows in frame.groupby("Group") if name[0] != "○"}


def names_by_key(page):
    return {
        button.key: button.label for button in page.button if str(button.key).startswith("group-")
    }


def test_kept_hits_are_grouped_under_another_question_and_left_with_one_click(open_page, table_of):
    page = open_page(q="the Stamp Act", groups="4", library="demo")
    before = set(table_of(page).index)
    page.toggle(key="keep").set_value(True).run()
    assert page.query_params["hits"] == "the Stamp Act"
    page.text_input(key="query").set_value("snow").run()
    assert page.query_params["q"] == "snow"
    assert page.query_params["hits"] == "the Stamp Act"
    assert set(table_of(page).index) == before
    assert "grouped under “snow”" in texts(page)
    assert "ignores the question" in texts(page)  # as centred cosine does
    page.segmented_control(key="side").set_value("before").run()
    assert page.query_params["shown"] == "before"
    page.button(key="kept-back").click().run()
    assert page.query_params == {
        "q": "the Stamp Act",
        "groups": "4",
        "method": "centred-cosine",
    }
    assert not page.toggle(key="keep").value


def test_the_same_passages_are_divided_by_what_is_typed(open_page, table_of):
    page = open_page(q="the Stamp Act", groups="4", library="demo")
    before = set(table_of(page).index)
    page.button(key="divide").click().run()
    page.text_input(key="divide-by").set_value("by topic")
    page.button(key="divide-now").click().run()
    assert (page.query_params["q"], page.query_params["hits"]) == ("by topic", "the Stamp Act")
    assert set(table_of(page).index) == before
    headline = next(one.value for one in page.get("html") if "sc-headline" in one.value)
    assert "“the Stamp Act”" in headline and "“by topic”" in headline
    page.button(key="kept-back").click().run()
    assert page.query_params["q"] == "the Stamp Act" and "hits" not in page.query_params


def ways_of(page):
    return {one.key.removeprefix("way-"): one for one in page.button if one.key.startswith("way-")}


def test_the_passages_divide_in_a_way_that_suggests_itself(open_page, table_of):
    page = open_page(q="the American war", groups="4", library="demo")
    before = set(table_of(page).index)
    own = in_groups(table_of(page))
    page.button(key="divide").click().run()
    ways = ways_of(page)
    assert ways
    key = next(iter(ways))
    ways[key].click().run()
    assert page.query_params["by"] == key
    assert page.query_params["hits"] == "the American war" and "groups" not in page.query_params
    divided = in_groups(table_of(page))
    assert set(table_of(page).index) == before
    assert divided.values() != own.values()
    assert "ignores the question" not in texts(page)
    assert "kept-search" not in {button.key for button in page.button}
    page.button(key="divide").click().run()
    assert key not in ways_of(page)
    page.text_input(key="divide-by").set_value("snow")
    page.button(key="divide-now").click().run()
    assert page.query_params["q"] == "snow" and "by" not in page.query_params


def test_an_expected_subtopic_has_a_group_and_the_address_carries_it(open_page, table_of):
    page = open_page(q="the American war", groups="4", library="demo")
    page.text_input(key="expected").set_value("snow; dinosaurs").run()
    assert page.query_params["also"] == ["snow", "dinosaurs"]
    found = in_groups(table_of(page))
    assert {one.rpartition(":")[0] for one in found["Snow"]} == {"winter-quarters"}
    assert "dinosaurs" in page.info[0].value
    page.text_input(key="query").set_value("the peace treaty").run()
    assert "also" not in page.query_params


def test_a_way_that_the_passages_do_not_divide_in_is_said(open_page):
    page = open_page(q="by journal", hits="the Stamp Act", by="field:venue")
    assert "field:venue" in page.warning[0].value.replace("\\", "")


def test_kept_hits_can_be_left_for_a_search_of_the_new_question(open_page):
    page = open_page(q="snow", hits="the Stamp Act", library="tiny")
    page.button(key="kept-search").click().run()
    assert page.query_params["q"] == "snow"
    assert "hits" not in page.query_params
    page = open_page(q="snow", hits="the Stamp Act", library="tiny")
    page.button(key="example-0").click().run()
    assert "hits" not in page.query_params


def test_a_group_is_grouped_alone_and_the_breadcrumb_leads_back(open_page, table_of):
    page = open_page(q=WAR, groups="4")
    groups = in_groups(table_of(page))
    page.button(key="group-1").click().run()
    name = page.button(key="group-1").label.replace("\\", "")
    page.button(key="dig-into").click().run()
    assert set(table_of(page).index) == groups[name]
    assert "groups" not in page.query_params
    assert (
        len(page.query_params["dig"].split("|")) == 4
        if isinstance(page.query_params["dig"], str)
        else page.query_params["dig"]
    )
    assert page.button(key="trail-0").label.replace("\\", "") == WAR
    page.button(key="trail-0").click().run()
    assert in_groups(table_of(page)) == groups
    assert page.query_params == {"q": WAR, "groups": "4", "method": "centred-cosine"}


def test_a_name_is_added_to_the_question(open_page):
    page = open_page(q=WAR, groups="4", group="0")
    name = page.button(key="group-0").label.replace("\\", "")
    page.button(key="dig-name").click().run()
    assert page.query_params["q"] == f"{WAR} {name}"
    assert page.text_input(key="query").value == f"{WAR} {name}"
    page.button(key="trail-0").click().run()
    assert page.query_params["q"] == WAR


@pytest.mark.parametrize("method", ["centred-cosine", "kmeans"])
def test_parts_hold_the_passages_of_their_group(open_page, table_of, method):
    page = open_page(q=WAR, groups="2", method=method)
    groups = in_groups(table_of(page))
    page.segmented_control(key="levels").set_value(2).run()
    assert page.query_params["levels"] == "2"
    nested = [e.value for e in page.get("html") if "sc-parts" in str(e.value)]
    nested = [one for one in nested if "<style" not in one]
    assert nested
    listed = [{piece.split("'")[0] for piece in one.split("data-passage='")[1:]} for one in nested]
    assert all(ids in groups.values() for ids in listed)
    assert ("builds no dendrogram" in " ".join(c.value for c in page.caption)) == (
        method == "kmeans"
    )


def test_one_group_more_changes_one_group(open_page, table_of):
    page = open_page(q=WAR, groups="5")
    before, keys = in_groups(table_of(page)), names_by_key(page)
    page.select_slider(key="groups").set_value(6).run()
    after, new_keys = in_groups(table_of(page)), names_by_key(page)
    same = {name for name in after if before.get(name) == after[name]}
    assert len(after) == 6
    assert len(same) == 4
    for key, name in keys.items():
        if name.replace("\\", "") in same:
            assert new_keys[key] == name
    page.select_slider(key="groups").set_value(5).run()
    assert in_groups(table_of(page)) == before


def test_the_table_of_moves_lists_every_passage_with_its_groups():
    from regrouped_maps import two_questions

    regrouping = two_questions()
    frame = _moves_frame(regrouping)
    assert set(frame.index) == {effect.passage.id for effect in regrouping.effects}
    farthest = max(regrouping.effects, key=lambda effect: effect.moved)
    assert frame.index[0] == farthest.passage.id
    stays = {e.passage.id for e in regrouping.effects if e.before == e.after}
    assert set(frame.index[frame["Group now"] == "the same"]) == stays
    assert OTHER_PASSAGES not in {effect.after for effect in regrouping.effects}
