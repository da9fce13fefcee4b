import re

import pytest
from app_files import APP, PAGES
from page_texts import rows, texts
from streamlit.testing.v1 import AppTest

from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint
from subclust.checkpoints.card import judgement_rows
from subclust.checkpoints.network import network_tensors
from subclust.core.messages import Message, with_templates
from subclust.core.translation import translated
from subclust.jobs import Job
from subclust.methods import METHODS
from subclust.methods.cactus.networks import build_vectors
from subclust.methods.qs3m.clusterer import build
from subclust.text.encoders import HashingEncoder
from subclust.ui import state
from subclust.ui.i18n.language import file_size

JUDGEMENT = {
    "verdict": "better",
    "base": "qs3m/first",
    "part": "test",
    "n_queries": 30,
    "sentence": "On 30 test queries mended groups better than first.",
    "comparisons": [
        {"mean_difference": 0.05, "low": 0.01, "high": 0.09, "p_value": 0.01, "helps": 20,
         "hurts": 6}
    ],
    "methods": [{"role": "new", "name": "qs3m/mended", "means": {"ari": 0.31, "auto_ami": None}}],
    "notes": ["Few queries."],
}  # fmt: skip


@pytest.fixture
def store(tmp_path, ship):
    """Two models that came with the project, one that was judged, and one that was not."""
    store = CheckpointStore(tmp_path / "models", tmp_path / "shipped")
    shipped = (
        model("first", summary="Groups hits.", scores={"validation_ari": 0.25}),
        model("second", scores={"validation_ari": 0.26, "validation_queries": 600}),
    )
    for one in shipped:
        ship(store.shipped, one)
    save(store, "mended", judgement=JUDGEMENT, parent="qs3m/first")
    save(store, "doubtful")
    store.promote("qs3m", "first", as_default=True)
    return store


def save(store, name, **card):
    store.save(model(name, **card))


def model(name, *, revision=None, **card):
    """Make a model with weights that the test encoder goes with."""
    encoder = HashingEncoder()
    config = {"model": {"embedding_dim": encoder.embedding_dim}, "threshold": 0.1}
    config["encoder_revision"] = revision or encoder.revision
    tensors = network_tensors(build("qs3m", config))
    return Checkpoint("qs3m", name, config, tensors, card)


@pytest.fixture
def open_models(store):
    def open_at(**params):
        page = AppTest.from_file(PAGES / "models.py", default_timeout=120)
        for name, value in params.items():
            page.query_params[name] = value
        return checked_run(page)

    return open_at


def checked_run(page):
    page = page.run()
    assert not page.exception
    return page


def said(page):
    return [box.value for box in (*page.success, *page.warning)]


def choose(page, name):
    return checked_run(page.radio[0].set_value(name))


def ask(page, what, name):
    """Open the dialog that a button about a model opens."""
    return checked_run(page.button(key=f"{what}-qs3m-{name}").click())


def submit(page, label):
    found = [button for button in page.button if button.label.startswith(label)]
    assert len(found) == 1, [button.label for button in page.button]
    return checked_run(found[0].click())


def labels(page):
    return [button.label for button in page.button]


def test_without_any_model_the_page_says_so(tmp_path):
    page = checked_run(AppTest.from_file(PAGES / "models.py", default_timeout=120))
    assert page.info
    assert not page.radio and page.expander[0].label


def test_the_default_is_shown_first_with_what_is_in_use(open_models):
    page = open_models()
    assert page.selectbox(key="way").value == "qs3m"
    assert sorted(page.radio[0].options) == ["doubtful", "first", "mended", "second"]
    assert page.radio[0].value == "first"
    assert "**QS3M**" in texts(page) and "**first**" in texts(page)
    assert "Groups hits." in texts(page) and "came with Subclust" in texts(page).replace(
        "Came", "came"
    )
    assert texts(page).count(":blue-badge[") == texts(page).count(":blue-badge[in use]") == 1
    assert not [label for label in labels(page) if label.startswith(("Go back", "Use"))]


def test_the_next_decision_is_the_better_model_that_is_not_in_use(open_models, store):
    page = open_models()
    checked_run(page.button(key="models-next-look").click())
    assert page.radio[0].value == "mended"
    store.promote("qs3m", "mended")
    page = open_models()
    assert not [one for one in page.button if one.key == "models-next-look"]
    assert page.button(key="models-next-train")


def test_one_that_is_better_is_used_at_once_and_gone_back_from_in_one_click(
    open_models, store, elsewhere
):
    page = choose(open_models(), "mended")
    assert "better than first" in texts(page)
    assert ["95% interval", "+0.010 to +0.090"] in rows(page)
    ask(page, "use", "mended")
    assert store.promoted("qs3m") == "first" and elsewhere == [("mended", "first")]
    assert "in place of first" in texts(page) and "rests on 30 questions" in texts(page)
    assert "0.222 of mended" in texts(page)
    page.text_input(key="who-qs3m-mended").set_value("Ada")
    page = submit(page, "Use mended")
    assert store.promoted("qs3m") == "mended" and said(page) == ["mended is now in use\\."]
    assert page.radio[0].value == "mended"
    assert [(one.name, one.who) for one in store.history("qs3m")][-1] == ("mended", "Ada")
    page = submit(page, "Roll back to first")
    assert store.promoted("qs3m") == "first" and page.radio[0].value == "first"
    assert "rolled back on" in texts(page)


def test_a_judgement_is_told_in_german(open_models, store):
    told = Message("On {queries} {new} groups exactly as well as {other}.",
                   queries="30", new="told", other="first")  # fmt: skip
    note = Message("Of {n_queries:,} held-out questions {n_drawn:,} were drawn at random.",
                   n_queries=9000, n_drawn=30)  # fmt: skip
    save(store, "told", judgement=with_templates({**JUDGEMENT, "sentence": told, "notes": [note]}))
    page = choose(open_models(), "told")
    assert str(told) in texts(page)
    page.session_state[state.LANGUAGE_CHOSEN] = "de"
    page.run()
    shown = texts(page)
    for english in (told, note, *(cell for row in judgement_rows(JUDGEMENT) for cell in row)):
        assert translated(english, "de") in shown or english == JUDGEMENT["base"]


def test_one_that_was_not_judged_needs_a_reason(open_models, store):
    page = ask(choose(open_models(), "doubtful"), "use", "doubtful")
    page.text_area(key="reason-qs3m-doubtful").set_value("short")
    page = submit(page, "Use doubtful")
    assert store.promoted("qs3m") == "first"
    assert len(said(page)) == 1 and "at least 10 characters" in said(page)[0]
    ask(page, "use", "doubtful")
    page.text_area(key="reason-qs3m-doubtful").set_value("it knows <b>our</b> maps")
    page = submit(page, "Use doubtful")
    assert store.promoted("qs3m") == "doubtful"
    assert "it knows <b>our</b> maps" in [cell for row in rows(page) for cell in row]


def test_one_that_came_with_the_project_needs_none(open_models, store):
    page = submit(ask(choose(open_models(), "second"), "use", "second"), "Use second")
    assert store.promoted("qs3m") == "second"
    assert re.search(r"\b600\b.* 0\.260\b", texts(page))


def test_one_that_cannot_be_used_here_is_not_put_in_use(open_models, store, ship):
    scores = {"validation_ari": 0.9}
    ship(store.shipped, model("foreign", revision="another-encoder", scores=scores))
    page = submit(ask(choose(open_models(), "foreign"), "use", "foreign"), "Use foreign")
    assert store.promoted("qs3m") == "first"
    assert "another-encoder" in said(page)[0].replace("\\", "")


def test_without_a_name_the_history_says_where_it_was_done(open_models, store):
    page = submit(ask(choose(open_models(), "mended"), "use", "mended"), "Use mended")
    submit(page, "Roll back to first")
    (one,) = [one for one in store.history("qs3m", undone=True) if one.name == "mended"]
    assert one.who == one.undone_by and "Models" in one.who


def test_what_is_protected_says_why_and_has_no_button(open_models, store, monkeypatch):
    page = ask(open_models(), "delete", "first")
    assert "qs3m/first came with" in texts(page)
    assert [label for label in labels(page) if label.startswith("Delete")] == ["Delete"]
    jobs = [Job("qs3m-next", ("train", "qs3m", "--base", "mended"))]
    monkeypatch.setattr("subclust.deleting.in_use.JobStore.jobs", lambda _: jobs)
    assert "job qs3m-next" in texts(ask(choose(page, "mended"), "delete", "mended"))
    store.promote("qs3m", "doubtful")
    page = ask(choose(open_models(), "doubtful"), "delete", "doubtful")
    assert "qs3m/doubtful is in use" in texts(page)


def test_deleting_asks_first(open_models, store):
    page = ask(choose(open_models(), "doubtful"), "delete", "doubtful")
    assert "30 days" in texts(page) and "doubtful" in store.names("qs3m")
    page = submit(page, "Delete doubtful")
    assert "doubtful" not in store.names("qs3m")
    assert said(page) == ["doubtful was deleted\\."] and page.radio[0].value == "first"
    (back,) = [one for one in page.button if one.key.startswith("put-back")]
    back.click().run()
    assert "doubtful" in store.names("qs3m")


def test_two_are_compared(open_models):
    page = choose(open_models(), "second")
    assert page.selectbox(key="compare-qs3m/second").value == "qs3m/first"
    assert any({"0.260", "0.250"} <= set(row) for row in rows(page))
    assert page.info
    assert "Second minus first" not in texts(page) and "+0.010" not in texts(page)


def test_the_download_is_offered(open_models):
    assert [button.proto.label for button in open_models().get("download_button")] == ["Download"]


def test_a_file_is_added_and_shown(open_models, store, tmp_path):
    path = export_checkpoint(store, "qs3m", "mended", tmp_path / "mended.zip")
    page = open_models()
    page.file_uploader[0].upload(path.name, path.read_bytes(), "application/zip")
    page = submit(page, "Add this model")
    assert "named mended" in said(page)[0].replace("\\", "")
    page.file_uploader[0].upload(path.name, path.read_bytes(), "application/zip")
    page.text_input(key="models-file-name").set_value("taken-in")
    page = submit(page, "Add this model")
    assert page.radio[0].value == "taken-in" and page.file_uploader[0].value is None
    shown = texts(page)
    assert "On 30 test" in shown
    assert "Verdict" not in [row[0] for row in rows(page)]  # measured elsewhere
    page.file_uploader[0].upload("![x](http://a.b/c).zip", b"no zip", "application/zip")
    page = submit(page, "Add this model")
    assert "exported checkpoint" in said(page)[0]
    assert "![" not in said(page)[0]
    page = submit(open_models(), "Add this model")
    assert len(said(page)) == 1


def test_a_damaged_list_of_promotions_is_one_plain_sentence(open_models, store):
    (store.folder / "promoted.json").write_text("{")
    page = open_models(way="QS3M")
    assert len(page.warning) == 1 and "cannot be read" in page.warning[0].value


def test_the_chosen_way_of_grouping_has_an_address(open_models):
    page = open_models(way="QSS")
    assert page.selectbox(key="way").value == "qss" and page.info


def test_a_way_for_comparison_is_listed_once_somebody_has_trained_it(open_models, store):
    def listed():
        return open_models().selectbox(key="way").options

    way = METHODS["cactus-fia"]
    assert METHODS["cactus"].label in listed() and way.label not in listed()
    config = {"model": {"embedding_dim": 8}, "encoder_revision": "another"}
    tensors = network_tensors(build_vectors(way.name, config))
    store.save(Checkpoint(way.name, "mine", config, tensors, {"summary": "Groups hits."}))
    assert way.label in listed()


def test_the_chosen_model_has_an_address_and_is_back_after_another_page(store):
    page = AppTest.from_file(APP, default_timeout=120)
    page.query_params["method"] = "tfidf"
    page = checked_run(page)
    page.query_params.clear()
    page = choose(checked_run(page.switch_page("pages/models.py")), "mended")
    assert dict(page.query_params) == {"way": "qs3m", "model": "mended"}
    checked_run(page.switch_page("pages/benchmarks.py"))
    page.query_params.clear()  # as the back button brings it from another page
    page = checked_run(page.switch_page("pages/models.py"))
    assert page.radio[0].value == "mended" and "mended groups better" in texts(page)
    assert dict(page.query_params) == {"way": "qs3m", "model": "mended"}


def test_the_back_button_leads_to_the_model_before(open_models):
    page = choose(choose(open_models(), "mended"), "doubtful")
    page.query_params["model"] = "mended"
    page = checked_run(page)
    assert page.radio[0].value == "mended"
    page.query_params["model"] = "doubtful"  # what a slow browser still sends
    page = choose(page, "second")
    assert page.radio[0].value == "second"
    assert open_models(way="qs3m", model="doubtful").radio[0].value == "doubtful"
    assert open_models(way="qs3m", model="gone").radio[0].value == "first"


def test_sizes_and_names_in_words():
    assert [file_size(n) for n in (0, 1_500, 99_999, 100_000, 14_894_436)] == [
        "0 kB", "2 kB", "100 kB", "0.1 MB", "14.9 MB",
    ]  # fmt: skip
