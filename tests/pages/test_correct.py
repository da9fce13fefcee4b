import pytest
from page_texts import texts

from subclust.ui import state

WAR = "the American war"
STAMPS = ["stamp-act:1#1", "stamp-act:2#2"]


def groups_of(page):
    """Give {group: ids}, as the table has them."""
    frame = page.dataframe[0].value
    return {group: set(rows.index) for group, rows in frame.groupby("Group")}


def said(page):
    return next(one.value for one in page.get("html") if "role='status'" in one.value)


def group_named(page, part):
    return next(name for name in groups_of(page) if part.lower() in name.lower())


@pytest.fixture
def page(open_page):
    return open_page(correcting=True, q=WAR, groups="4", passage=STAMPS, list="table")


def test_without_corrections_nothing_can_be_undone(page):
    assert page.button(key="undo").disabled
    assert page.button(key="redo").disabled
    assert "No corrections yet" in said(page)
    assert not page.exception


def test_chosen_passages_are_accepted_and_that_is_undone_and_redone(page):
    before = groups_of(page)
    page.button(key="correct-accepted").click().run()
    assert "Accepted 2 passages." in said(page)
    marks = page.dataframe[0].value["Mark"]
    assert set(marks[marks == "accepted"].index) == set(STAMPS)
    page.button(key="undo").click().run()
    assert "Undone: Accepted 2 passages." in said(page)
    assert not page.dataframe[0].value["Mark"].any()
    page.button(key="redo").click().run()
    assert "Redone: Accepted 2 passages." in said(page)
    assert groups_of(page) == before


def test_what_was_done_is_said_in_the_language_that_the_page_has_now(page):
    page.button(key="correct-accepted").click().run()
    english = said(page)
    page.session_state[state.LANGUAGE_CHOSEN] = "de"
    page.run()
    assert said(page) != english and "Accepted" not in said(page) and "2" in said(page)


def test_chosen_passages_become_a_group_of_their_own(page):
    before = groups_of(page)
    page.button(key="correct-separate").click().run()
    page.text_input(key="correct-name-separate").set_value("Stamps only")
    page.button(key="correct-name-separate-give").click().run()
    after = groups_of(page)
    new = group_named(page, "Stamps only")
    assert after[new] == set(STAMPS)
    for name, ids in before.items():
        assert after[name] == ids - set(STAMPS)
    assert "5 subtopics" in texts(page)
    page.button(key="undo").click().run()
    assert groups_of(page) == before


def test_a_new_group_without_a_name_gets_one(page):
    page.button(key="correct-separate").click().run()
    page.button(key="correct-name-separate-give").click().run()
    assert "Grouped 2 passages as “" in said(page)
    assert len(groups_of(page)) == 5


def test_signs_that_nobody_sees_are_left_out_of_a_pasted_name(open_page):
    page = open_page(correcting=True, q=WAR, groups="4", group="1", list="table")
    page.button(key="correct-rename").click().run()
    page.text_input(key="correct-name-rename-1").set_value("My\u00a0o\u00adwn\u200b")
    page.button(key="correct-name-rename-1-give").click().run()
    assert group_named(page, "My own")


def test_a_group_is_renamed_and_a_taken_name_is_refused(open_page):
    page = open_page(correcting=True, q=WAR, groups="4", group="1", list="table")
    names = sorted(groups_of(page))
    page.button(key="correct-rename").click().run()
    page.text_input(key="correct-name-rename-1").set_value("My own")
    page.button(key="correct-name-rename-1-give").click().run()
    assert group_named(page, "My own")
    assert len(set(names) & set(groups_of(page))) == 3
    other = next(name for name in groups_of(page) if "My own" not in name)[2:]
    page.button(key="correct-rename").click().run()
    page.text_input(key="correct-name-rename-1").set_value(other)
    page.button(key="correct-name-rename-1-give").click().run()
    assert other in said(page) and "sc-refused" in said(page)
    assert group_named(page, "My own")


def test_other_names_are_proposed_for_a_group(open_page):
    page = open_page(correcting=True, q=WAR, groups="4", group="1", list="table")
    page.button(key="correct-rename").click().run()
    (proposed,) = (one for one in page.get("button_group") if one.label == "Other names")
    assert proposed.options and not {*proposed.options} & {one[2:] for one in groups_of(page)}


def test_corrections_stay_with_their_question_and_are_made_on_other_groups_again(page):
    page.button(key="correct-separate").click().run()
    page.text_input(key="correct-name-separate").set_value("Stamps only")
    page.button(key="correct-name-separate-give").click().run()
    page.select_slider(key="groups").set_value(3).run()
    assert groups_of(page)[group_named(page, "Stamps only")] == set(STAMPS)
    page.text_input(key="query").set_value("peace").run()
    assert page.button(key="undo").disabled
    page.text_input(key="query").set_value(WAR).run()
    assert groups_of(page)[group_named(page, "Stamps only")] == set(STAMPS)
