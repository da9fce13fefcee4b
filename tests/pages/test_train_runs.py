"""The runs: what is shown of each state, and what can be done with it."""

import json
import time

import pytest
from app_files import APP
from page_texts import texts
from streamlit.testing.v1 import AppTest
from train_runs_made import as_card, make_job, make_judgement, write_judgement

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.promoting import why_reason_needed
from subclust.core.translation import translated
from subclust.jobs import JobStore
from subclust.text.encoders import HashingEncoder
from subclust.ui import state


@pytest.fixture
def data_dir(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def models(tmp_path, random_checkpoint):
    """Give the models of the page, with one in use."""
    store = CheckpointStore(tmp_path / "models")
    encoder = HashingEncoder()
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    store.save(random_checkpoint("qs3m", "tiny", **config))
    store.promote("qs3m", "tiny", as_default=True)
    store.make = lambda name: store.save(random_checkpoint("qs3m", name, seed=1, **config))
    return store


@pytest.fixture
def open_runs(launcher):
    def open_at(job=None):
        page = AppTest.from_file(APP, default_timeout=120)
        page.query_params["method"] = "tfidf"
        page.run()
        page.switch_page("pages/train.py")
        page.query_params["show"] = "Trainings"
        if job:
            page.query_params["job"] = job
        page.run()
        assert not page.exception
        return page

    return open_at


def keys(page):
    return {button.key for button in page.button}


def test_without_runs_it_says_where_to_begin(open_runs):
    assert open_runs().info


def test_a_running_one_tells_step_time_left_sign_of_life_and_can_be_stopped(
    open_runs, data_dir, launcher
):
    job = make_job(data_dir)
    launcher.alive.add(job.id)
    page = open_runs(job.id)
    assert "mine (QS3M)" in texts(page)
    assert "running, 50%" in texts(page)
    assert "last heartbeat" in texts(page)
    assert "It went on." in page.code[0].value
    page.button(key=f"run-stop-{job.id}").click().run()
    assert not page.exception
    assert JobStore(data_dir / "jobs").load(job.id).cancel_asked is not None
    assert "stopping" in texts(page)
    assert page.button(key=f"run-stop-{job.id}").disabled


def test_a_waiting_one_has_its_place_and_can_be_taken_out(open_runs, data_dir, launcher):
    running = make_job(data_dir, "first")
    launcher.alive.add(running.id)
    job = make_job(data_dir, "second", lines=0, pid=None, process_started=None, started=None)
    page = open_runs(job.id)
    assert "place 1 in" in texts(page)
    page.button(key=f"run-stop-{job.id}").click().run()
    assert JobStore(data_dir / "jobs").load(job.id).outcome == "cancelled"
    assert launcher.started == []


def test_a_waiting_one_that_cannot_begin_says_why(open_runs, data_dir, launcher):
    reason = "The Ray cluster does not answer; see whether *it* runs."
    job = make_job(
        data_dir, lines=0, pid=None, process_started=None, started=None, claimed=time.time(),
        error=reason,
    )  # fmt: skip
    page = open_runs(job.id)
    assert [box.value.replace("\\", "") for box in page.warning] == [reason]
    assert "*it*" not in page.warning[0].value
    assert "waiting, cannot start yet" in texts(page)
    assert "Retrying automatically" in page.get("progress")[0].proto.text


def test_a_failure_has_its_reason_its_way_out_and_a_button_for_it(open_runs, data_dir, launcher):
    job = make_job(
        data_dir,
        outcome="failed",
        finished=time.time(),
        error="No memory.",
        way_out="Use 32 passages.",
        changes={"batch_passages": 32},
    )
    page = open_runs(job.id)
    assert "No memory." in texts(page) and "Use 32 passages." in texts(page)
    page.button(key=f"run-way-out-{job.id}").click().run()
    assert not page.exception
    fresh = JobStore(data_dir / "jobs").load("qs3m-mine-2")
    assert fresh.argv[-2:] == ("--set", "batch_passages=32")
    assert launcher.started == [fresh.id]
    assert page.query_params["job"] == fresh.id


@pytest.mark.parametrize("state", ["cancelled", "lost"])
def test_what_was_stopped_or_interrupted_can_go_on(open_runs, data_dir, launcher, state):
    ended = {"outcome": "cancelled", "finished": time.time()} if state == "cancelled" else {}
    job = make_job(data_dir, **ended)
    page = open_runs(job.id)
    page.button(key=f"run-resume-{job.id}").click().run()
    assert not page.exception
    assert launcher.started == [job.id]


@pytest.mark.parametrize("outcome", ["finished", "failed", "cancelled"])
def test_one_that_is_over_is_taken_off_the_list(open_runs, data_dir, outcome):
    kept = make_job(data_dir, "kept", outcome="finished", finished=1000.0)
    job = make_job(data_dir, outcome=outcome, finished=time.time())
    page = open_runs(job.id)
    page.button(key=f"train-forget-{job.id}").click().run()
    assert not page.exception
    assert [one.id for one in JobStore(data_dir / "jobs").jobs()] == [kept.id]
    assert "kept (QS3M)" in texts(page) and "job" not in page.query_params


def test_a_better_model_is_offered_and_taken_into_use_at_once(open_runs, data_dir, models):
    folder = models.make("mine")
    judgement = make_judgement("qs3m/mine", [0.2, 0.25, 0.3, 0.2, 0.22, 0.28, 0.21, 0.3])
    (folder / "card.json").write_text(json.dumps(as_card(judgement)))
    job = make_job(data_dir, outcome="finished", finished=time.time())
    write_judgement(data_dir, job, judgement)
    page = open_runs(job.id)
    shown = texts(page)
    assert "It groups better" in shown and "qs3m/mine groups better than" in shown
    assert "query <2> (+0.30)" in shown and "Got worse most" not in shown
    assert not page.text_area
    button = page.button(key=f"promote-{job.id}")
    assert button.label == "Use this model"
    button.click().run()
    assert not page.exception
    # It asks first: nothing has changed, and what it would change for others is said.
    assert models.promoted("qs3m") == "tiny"
    shown = texts(page)
    assert "in place of tiny" in shown
    assert "rests on 8 questions" in shown and "0.111 of tiny" in shown
    page.button(key=f"promote-now-{job.id}").click().run()
    assert not page.exception
    assert models.promoted("qs3m") == "mine"
    assert "Train" in models.history("qs3m")[-1].who
    assert "use mine" in texts(page)


def test_of_a_model_that_groups_as_before_no_empty_chart_is_drawn(open_runs, data_dir, models):
    folder = models.make("mine")
    for differences, n_charts in (([0.0] * 8, 0), ([0.1] + [0.0] * 7, 1)):
        judgement = make_judgement("qs3m/mine", differences)
        (folder / "card.json").write_text(json.dumps(as_card(judgement)))
        job = make_job(data_dir, outcome="finished", finished=time.time())
        write_judgement(data_dir, job, judgement)
        page = open_runs(job.id)
        charts = [chart.proto.id for chart in page.get("plotly_chart")]
        assert len([id for id in charts if "judge-bars" in id]) == n_charts
        assert ("as well as" in texts(page)) == (n_charts == 0)


def test_what_was_not_compared_is_told_in_german(open_runs, data_dir, models):
    folder = models.make("mine")
    (folder / "card.json").write_text('{"summary": "Groups."}')
    job = make_job(data_dir, outcome="finished", finished=time.time())
    page = open_runs(job.id)
    english = why_reason_needed(models, "qs3m", "mine")
    assert english in texts(page)
    page.session_state[state.LANGUAGE_CHOSEN] = "de"
    page.run()
    assert english not in texts(page) and translated(english, "de") in texts(page)


def test_an_unclear_one_is_taken_only_with_a_reason(open_runs, data_dir, models):
    folder = models.make("mine")
    judgement = make_judgement("qs3m/mine", [0.2, -0.25, 0.3, -0.2, 0.01, -0.1, 0.0, 0.1])
    (folder / "card.json").write_text(json.dumps(as_card(judgement)))
    job = make_job(data_dir, outcome="finished", finished=time.time())
    write_judgement(data_dir, job, judgement)
    page = open_runs(job.id)
    assert "Not clear yet" in texts(page)
    assert "**Got worse most:** query <1> (−0.25)" in texts(page)
    page.button(key=f"promote-{job.id}").click().run()
    page.button(key=f"promote-now-{job.id}").click().run()
    assert "give a reason" in page.error[0].value and "--reason" not in page.error[0].value
    assert models.promoted("qs3m") == "tiny"
    page.button(key=f"promote-{job.id}").click().run()
    page.text_area(key=f"promote-reason-{job.id}").set_value("It divides our reports rightly")
    page.button(key=f"promote-now-{job.id}").click().run()
    assert models.promoted("qs3m") == "mine"


def test_one_that_no_search_could_use_is_not_taken(open_runs, data_dir, models, random_checkpoint):
    folder = models.save(random_checkpoint("qs3m", "mine", encoder_revision="another"))
    judgement = make_judgement("qs3m/mine", [0.2, 0.25, 0.3, 0.2, 0.22, 0.28, 0.21, 0.3])
    (folder / "card.json").write_text(json.dumps(as_card(judgement)))
    job = make_job(data_dir, outcome="finished", finished=time.time())
    write_judgement(data_dir, job, judgement)
    page = open_runs(job.id)
    page.button(key=f"promote-{job.id}").click().run()
    page.button(key=f"promote-now-{job.id}").click().run()
    assert "another" in page.error[0].value
    assert models.promoted("qs3m") == "tiny"


def test_a_damaged_judgement_is_one_plain_sentence(open_runs, data_dir, models):
    job = make_job(data_dir, outcome="finished", finished=time.time())
    (JobStore(data_dir / "jobs").path(job.id) / "judgement.json").write_text("{")
    page = open_runs(job.id)
    assert "cannot be read" in page.warning[0].value


def test_a_training_is_started_again_with_one_setting_changed(open_runs, data_dir, launcher):
    job = make_job(data_dir, outcome="finished", finished=time.time())
    page = open_runs(job.id)
    page.number_input(key=f"setting-{job.id}-epochs").set_value(7.0)  # and at once
    page.button(key=f"run-clone-{job.id}").click().run()
    assert not page.exception
    fresh = JobStore(data_dir / "jobs").load("qs3m-mine-2")
    assert fresh.parent == job.id
    assert fresh.argv[-2:] == ("--set", "epochs=7")


def test_what_a_step_did_not_measure_is_an_empty_cell(open_runs, data_dir):
    job = make_job(data_dir, lines=2, outcome="finished", finished=time.time())
    table = open_runs(job.id).dataframe[0].value
    assert table.values.tolist() == [[1, "1.0000", ""], [2, "0.5000", "0.2000"]]


def test_a_setting_that_cannot_work_holds_the_start_back(open_runs, data_dir):
    job = make_job(data_dir, outcome="finished", finished=time.time())
    page = open_runs(job.id)
    page.number_input(key=f"setting-{job.id}-batch_passages").set_value(1).run()
    assert "Passages per step" in page.warning[0].value
    assert page.button(key=f"run-clone-{job.id}").disabled


def test_the_newest_are_listed_and_all_on_demand(open_runs, data_dir):
    for number in range(12):
        make_job(data_dir, f"run{number}", outcome="finished", finished=1000.0 + number)
    page = open_runs()
    listed = [key for key in keys(page) if key.startswith("run-open-")]
    assert len(listed) == 8 and "run-open-qs3m-run11" in listed
    page.button(key="train-show-all").click().run()
    assert len([key for key in keys(page) if key.startswith("run-open-")]) == 12
    page.button(key="run-open-qs3m-run0").click().run()
    assert page.query_params["job"] == "qs3m-run0"


def test_a_run_is_back_after_another_page(open_runs, data_dir):
    for number in range(3):
        make_job(data_dir, f"run{number}", outcome="finished", finished=1000.0 + number)
    page = open_runs("qs3m-run1")
    assert page.query_params["job"] == "qs3m-run1"
    page.switch_page("pages/models.py").run()
    page.query_params.clear()  # as the back button brings it from another page
    page.switch_page("pages/train.py").run()
    assert not page.exception
    assert "run1 (QS3M)" in page.header[-1].value.replace("\\", "")
    shown = {name: page.query_params[name] for name in ("show", "job")}
    assert shown == {"show": "Trainings", "job": "qs3m-run1"}
    page.segmented_control(key="show").set_value("new").run()
    assert "show" not in page.query_params and "job" not in page.query_params
    page.segmented_control(key="show").set_value("runs").run()
    assert page.query_params["job"] == "qs3m-run1"


def test_a_run_that_is_gone_gives_way_to_the_newest(open_runs, data_dir):
    make_job(data_dir, outcome="finished", finished=time.time())
    assert "mine (QS3M)" in texts(open_runs("gone"))


def test_a_record_of_an_older_version_is_shown_by_its_command(open_runs, data_dir, models):
    models.make("mine")
    make_job(data_dir, title="", outcome="finished", finished=time.time())
    page = open_runs()
    assert "mine (QS3M)" in texts(page)
    assert "not compared" in texts(page)


def test_a_command_that_trains_no_model_is_only_listed(open_runs, data_dir):
    make_job(
        data_dir,
        kind="bench-convergence",
        argv=("bench-convergence", "wiki"),
        title="wiki",
        outcome="finished",
        finished=time.time(),
    )
    page = open_runs()
    assert page.header[-1].value.startswith("wiki ")
    assert not [key for key in keys(page) if key.startswith(("promote-", "run-clone-"))]


def test_a_model_that_another_run_has_replaced_is_not_offered(open_runs, data_dir, models):
    folder = models.make("mine")
    (folder / "card.json").write_text(json.dumps({"job": {"id": "another"}}))
    job = make_job(data_dir, outcome="finished", finished=time.time())
    page = open_runs(job.id)
    assert "deleted or replaced" in texts(page)
    assert f"promote-{job.id}" not in keys(page)
