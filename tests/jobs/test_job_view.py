"""What is shown of jobs."""

import json
import os
from dataclasses import replace

import pytest

from subclust.jobs import Job, JobStore, job_view, job_views
from subclust.jobs.record import POINTS, read_progress


def line(step, total=1000, **more):
    values = {"step": step, "total": total, "loss": 1 / step, "seconds": step, "eta": total - step}
    return json.dumps({**values, **more}) + "\n"


def test_a_long_run_is_shown_by_its_last_whole_line_and_thinned_curves(tmp_path):
    lines = [
        line(step, 9000, **({"metrics": {"ari": step / 9000}} if step % 1000 == 0 else {}))
        for step in range(1, 9001)
    ]
    (tmp_path / "progress.jsonl").write_text("".join(lines) + '{"step": 9001, "to')
    progress = read_progress(tmp_path, Job("a", (), stage="training"))
    assert (progress.step, progress.total, progress.fraction) == (9000, 9000, 1.0)
    assert len(progress.loss) == POINTS
    assert progress.loss[0] == (1, 1.0) and progress.loss[-1] == (9000, 1 / 9000)
    assert progress.metrics == {"ari": tuple((n * 1000, n / 9) for n in range(1, 10))}


def test_only_the_end_of_a_long_file_is_read_for_the_last_line(tmp_path, monkeypatch):
    with (tmp_path / "progress.jsonl").open("w") as stream:
        stream.write("x" * 50_000_000 + "\n" + line(7))
    progress = read_progress(tmp_path, Job("a", ()))
    assert progress.step == 7 and "_curves" not in vars(progress)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "null\n", '{"step": "x"}\n', '{"trial": {}}\n', '{"loss": NaN, "eta": NaN}\n'],
)
def test_odd_lines_are_no_progress(tmp_path, text):
    (tmp_path / "progress.jsonl").write_text(text)
    progress = read_progress(tmp_path, Job("a", ()))
    assert (progress.step, progress.total, progress.fraction, progress.eta) == (None, None, 0, None)
    assert progress.loss == () and progress.metrics == {}


def test_the_time_to_go_runs_down_between_lines_and_is_none_at_the_end(tmp_path):
    path = tmp_path / "progress.jsonl"
    path.write_text(line(10, 100))
    written = path.stat().st_mtime - 30
    os.utime(path, (written, written))
    assert read_progress(tmp_path, Job("a", ())).eta == pytest.approx(60, abs=2)
    os.utime(path, (written - 900, written - 900))
    assert read_progress(tmp_path, Job("a", ())).eta == 0
    assert read_progress(tmp_path, Job("a", (), outcome="cancelled")).eta == 0


def test_views_of_all_jobs(tmp_path):
    store = JobStore(tmp_path)
    mine = store.begin("mine", ("train", "qs3m"), device="cpu")
    store.save(Job("first", ("train",), queued_at=1.0, created=2e12, device="cpu"))
    store.save(Job("second", ("train",), queued_at=2.0, created=3e12, device="cpu"))
    store.save(replace(mine, id="gone", process_started=1.0, created=4e12))
    (tmp_path / "mine" / "progress.jsonl").write_text(line(5))
    (tmp_path / "mine" / "log.txt").write_text("".join(f"line {n}\n" for n in range(1000)))
    views = job_views(store)
    assert [(view.job.id, view.state, view.position) for view in views] == [
        ("mine", "running", None),
        ("first", "queued", 1),
        ("second", "queued", 2),
        ("gone", "lost", None),
    ]
    running = views[0]
    assert running.memory_mb > 1 and 0 <= running.heartbeat_age < 60
    assert running.log_tail(2) == "line 998\nline 999" and views[1].log_tail() == ""
    assert running.log_tail(5000).startswith("line 0\n")
    assert [view.memory_mb for view in views[1:]] == [None] * 3
    assert [view.heartbeat_age for view in views[1:]] == [None] * 3
    assert [view.has_ended for view in views] == [False, False, False, True]
    assert job_view(store, "second").position == 2


def test_a_view_as_json_keeps_the_record_and_the_last_line(tmp_path):
    store = JobStore(tmp_path)
    store.begin("mine", ("train", "qs3m"))
    (tmp_path / "mine" / "progress.jsonl").write_text(line(5, metrics={"ari": 0.5}))
    shown = json.loads(json.dumps(job_view(store, "mine").to_dict(curves=True)))
    assert shown["id"] == "mine" and shown["argv"] == ["train", "qs3m"]
    assert shown["state"] == "running" and shown["progress"]["loss"] == 0.2
    assert shown["progress"]["stage"] == "reading" and shown["progress"]["fraction"] == 0.005
    assert shown["curves"] == {"loss": [[5, 0.2]], "metrics": {"ari": [[5, 0.5]]}}
    assert "curves" not in job_view(store, "mine").to_dict()
