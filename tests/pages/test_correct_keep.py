import pytest
from app_files import APP
from page_texts import texts
from raising import numbers
from streamlit.testing.v1 import AppTest

from subclust.core.settings import Settings
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.ui import state

WAR, SNOW = "the American war", "snow at Valley Forge"
STAMPS = ["stamp-act:1#1", "stamp-act:2#2"]


@pytest.fixture
def settings_now(data_dir):
    found = Settings.from_environment()
    yield found
    for name in CorrectionStore(found.corrections_dir).names():
        CorrectionStore(found.corrections_dir).delete(name)


def said(page):
    return next(one.value for one in page.get("html") if "role='status'" in one.value)


def ids_by_group(page):
    frame = page.dataframe[0].value
    return {group: set(rows.index) for group, rows in frame.groupby("Group")}


def panel(page):
    """Open the saved corrections; what was done in them before the call is done there."""
    page.button(key="correct-keep").click().run()
    assert not page.exception
    return page


def correct_and_save(open_page, query, name):
    page = open_page(correcting=True, q=query, groups="4", passage=STAMPS, list="table")
    page.button(key="correct-separate").click().run()
    page.text_input(key="correct-name-separate").set_value("Stamps only")
    page.button(key="correct-name-separate-give").click().run()
    page.button(key="save").click().run()
    assert page.radio(key="save-what").value == "corrections"
    page.text_input(key="save-name").set_value(name)
    page.button(key="save-now").click().run()
    assert not page.exception
    return page


def test_corrections_are_saved_and_an_address_shows_them_to_others(open_page, settings_now):
    page = correct_and_save(open_page, WAR, "War & Peace")
    assert "“war-peace”" in said(page)
    assert page.query_params["corrections"] == "war-peace"
    saved = CorrectionStore(settings_now.corrections_dir).load("war-peace")
    assert [edit.passages for edit in saved.history.done] == [tuple(STAMPS)]
    assert saved.basis.query == WAR
    assert saved.basis.address["groups"] == "4"
    kept = {one.name: {each.id for each in one.passages} for one in saved.groups}
    assert kept["Stamps only"] == set(STAMPS)

    visitor = open_page(q=WAR, groups="4", corrections="war-peace", list="table")
    assert ids_by_group(visitor) == ids_by_group(page)
    assert "as corrected in war-peace" in said(visitor)
    visitor.button(key="undo").click().run()
    assert len(ids_by_group(visitor)) == 4
    visitor.button(key="redo").click().run()
    assert ids_by_group(visitor) == ids_by_group(page)


def test_saved_corrections_are_loaded_with_their_question_and_deleted(open_page, settings_now):
    before = ids_by_group(correct_and_save(open_page, WAR, "war"))
    page = panel(open_page(q=SNOW, list="table"))
    page.button(key="corrections-load").click().run()
    assert not page.exception
    assert page.query_params["q"] == WAR
    assert ids_by_group(page) == before
    assert "Loaded war" in said(page)
    panel(page)
    page.checkbox(key="corrections-sure").check()
    panel(page)
    page.button(key="corrections-delete").click().run()
    assert "Deleted war" in said(page)
    assert "corrections" not in page.query_params
    assert CorrectionStore(settings_now.corrections_dir).names() == []
    assert ids_by_group(page) == before
    panel(page)
    next(one for one in page.button if one.key.startswith("put-back")).click().run()
    assert CorrectionStore(settings_now.corrections_dir).names() == ["war"]


def test_what_somebody_else_has_saved_is_not_overwritten(open_page, settings_now):
    correct_and_save(open_page, WAR, "war")
    page = correct_and_save(open_page, WAR, "war")
    assert "called war" in page.session_state[state.SAVE_REJECTED]
    assert CorrectionStore(settings_now.corrections_dir).load("war").revision == 1


def test_missing_corrections_of_an_address_are_one_plain_sentence(open_page, settings_now):
    page = open_page(q=WAR, corrections="nowhere")
    assert "nowhere" in said(page)
    assert not page.exception


def test_learning_from_one_question_is_refused_with_a_sentence(open_page, settings_now):
    page = panel(correct_and_save(open_page, WAR, "war"))
    assert ["1", "48", "5"] in [numbers(one.value) for one in page.caption]
    page.button(key="learn-train").click()
    panel(page)
    assert len(page.error) == 1


def test_the_saved_corrections_show_what_was_chosen_each_time_they_are_opened(
    open_page, settings_now
):
    correct_and_save(open_page, WAR, "war")
    page = panel(correct_and_save(open_page, SNOW, "snow"))
    page.multiselect(key=state.LEARN_FROM).set_value(["war"])
    panel(page)
    choice = page.multiselect(key=state.LEARN_FROM)
    assert choice.value == ["war"] and choice.proto.set_value  # or the browser has none chosen


def test_corrections_of_two_questions_lead_to_the_train_page(
    open_page, settings_now, trials, launcher
):
    correct_and_save(open_page, WAR, "war")
    correct_and_save(open_page, SNOW, "snow")
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in {"q": WAR, "method": "centred-cosine"}.items():
        app.query_params[name] = value
    panel(app.run())
    app.button(key="learn-train").click()
    panel(app)
    (kept,) = LabelledSetStore(settings_now.sets_dir).sets()
    assert (kept.label, kept.n_queries, kept.n_passages) == ("my-corrections@1", 2, 96)
    assert "my-corrections, version 1" in texts(app), "the set is chosen on the Train page"
    LabelledSetStore(settings_now.sets_dir).remove("my-corrections")
