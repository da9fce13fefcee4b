"""Jobs on a Ray cluster: what is asked of it, and what follows from what it tells."""

import shlex
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from paper_cluster import PaperCluster, machine_dies
from queue_helpers import submit
from raising import numbers, raises

from subclust.core.exceptions import InputError, SettingsError
from subclust.core.settings import Settings
from subclust.jobs import Job, JobQueue, JobStore, job_view
from subclust.jobs.opening import _launcher_of
from subclust.jobs.ray_cluster import RayJob
from subclust.jobs.ray_jobs import (
    MOST_RESTARTS,
    NO_FOLDER_STATUS,
    RayLauncher,
    _entrypoint,
    _submission_id,
)
from subclust.jobs.record import CLAIM_SECONDS


@pytest.fixture
def cluster():
    return PaperCluster()


@pytest.fixture
def queue(tmp_path, cluster):
    settings = Settings(data_dir=tmp_path, models_dir=tmp_path / "models", encoder="hashing")
    return JobQueue(JobStore(settings.jobs_dir), RayLauncher(settings, cluster))


def edit(queue, id, **values):
    return queue.store.update(id, lambda job: replace(job, **values))


def state(queue, id):
    return queue.state(queue.store.load(id))


def begin(queue, id, *, silent=0.0):
    """Have a worker on another machine take the job up, heard of `silent` seconds ago."""
    then = time.time() - silent
    return edit(queue, id, pid=4, process_started=4.0, host="node", started=then, heartbeat=then)


def log(queue, id):
    return (queue.store.path(id) / "log.txt").read_text()


def test_all_jobs_go_out_at_once_and_wait_in_the_cluster(queue, cluster):
    ids = [submit(queue, name).id for name in "abc"]
    assert [job.id for job in queue.advance()] == ids
    assert queue.advance() == [] and len(cluster.submitted) == 3
    job = queue.store.load(ids[0])
    assert (job.backend, job.backend_id) == ("ray", _submission_id(job))
    assert cluster.submitted[job.backend_id]["entrypoint"].endswith("--name a --job qs3m-a")
    assert [state(queue, id) for id in ids] == ["queued"] * 3
    cluster.told[job.backend_id] = RayJob("RUNNING")  # Python starts, and imports torch
    view = job_view(queue.store, job.id, queue.launcher)
    assert (view.state, view.position) == ("queued", None)
    begin(queue, job.id)
    assert state(queue, job.id) == "running"


@pytest.mark.parametrize(
    ("there", "device", "words", "gpus", "cpus", "given"),
    [
        (False, "auto", (), 0, 1, "cpu"),
        (True, "auto", (), 1, 1, "cuda"),
        (True, "cpu", (), 0, 1, "cpu"),
        (True, "auto", ("--gpus", "0", "--cpus", "8"), 0, 8, "cpu"),
        (False, "auto", ("--gpus=2",), 2, 1, "cuda"),
    ],
)
def test_a_job_gets_a_graphics_card_where_there_is_one(
    queue, cluster, there, device, words, gpus, cpus, given
):
    cluster.gpus = there
    queue.launcher.settings = replace(queue.launcher.settings, device=device)
    job = queue.submit(("train", "qs3m", "--name", "a", *words), title="qs3m/a", device="cpu")
    queue.advance()
    asked = cluster.submitted[_submission_id(job)]
    assert (asked["gpus"], asked["cpus"]) == (gpus, cpus)
    assert asked["variables"]["SUBCLUST_DEVICE"] == given
    assert asked["variables"]["OMP_NUM_THREADS"] == str(cpus)
    job = queue.store.load(job.id)
    assert (job.gpus, job.cpus, job.device) == (gpus, cpus, given)
    with raises(InputError, name="--gpus", value="few"):
        queue.submit(("train", "--gpus", "few"), title="qs3m/b", device="cpu")


def test_the_workers_have_the_folders_and_the_encoder_of_the_app(queue, cluster, tmp_path):
    job = submit(queue, "a")
    queue.advance()
    variables = cluster.submitted[_submission_id(job)]["variables"]
    assert variables["SUBCLUST_DATA_DIR"] == str(tmp_path)
    assert variables["SUBCLUST_MODELS_DIR"] == str(tmp_path / "models")
    assert variables["SUBCLUST_ENCODER"] == "hashing"
    assert "PATH" not in variables


def test_signs_of_life_spare_the_cluster_questions(queue, cluster):
    job = submit(queue, "a")
    queue.advance()
    begin(queue, job.id, silent=5)
    cluster.asked = 0
    assert state(queue, job.id) == "running" and cluster.asked == 0
    begin(queue, job.id, silent=15)
    cluster.told[_submission_id(job)] = RayJob("RUNNING")
    assert state(queue, job.id) == "running" and cluster.asked == 1
    begin(queue, job.id, silent=-3600)  # its clock is an hour ahead
    cluster.told[_submission_id(job)] = machine_dies()
    assert state(queue, job.id) == "lost"


def test_a_job_whose_machine_dies_is_submitted_again_and_resumes(queue, cluster):
    job = submit(queue, "a")
    queue.advance()
    first = _submission_id(job)
    begin(queue, job.id, silent=15)
    cluster.told[first] = machine_dies()
    assert [one.id for one in queue.advance()] == [job.id]
    again = queue.store.load(job.id)
    assert (again.restarts, again.attempts, again.pid, again.error) == (1, 2, None, None)
    assert again.backend_id != first and len(cluster.submitted) == 2
    assert "--resume --job qs3m-a" in cluster.submitted[again.backend_id]["entrypoint"]
    assert "--resume" not in cluster.submitted[first]["entrypoint"]
    assert state(queue, job.id) == "queued"
    assert "its node has died" in log(queue, job.id) and "queued again" in log(queue, job.id)


def test_a_job_that_the_cluster_has_forgotten_is_submitted_again(queue, cluster):
    job = submit(queue, "a")
    queue.advance()
    cluster.told.clear()  # the head was started anew
    queue.advance()
    assert len(cluster.submitted) == 2 and queue.store.load(job.id).restarts == 1


def test_a_job_that_waits_for_longer_than_ray_allows_waits_on(queue, cluster):
    job = submit(queue, "a")
    queue.advance()
    for number in range(MOST_RESTARTS + 2):
        id = queue.store.load(job.id).backend_id
        cluster.told[id] = RayJob("FAILED", "JOB_SUPERVISOR_ACTOR_START_TIMEOUT", "No start.")
        queue.advance()
        assert len(cluster.submitted) == number + 2
    assert queue.store.load(job.id).restarts == 0


def test_a_job_that_loses_machine_after_machine_stays_lost_until_somebody_resumes_it(
    queue, cluster
):
    job = submit(queue, "a")
    queue.advance()
    for _ in range(MOST_RESTARTS + 3):
        cluster.told[begin(queue, job.id, silent=15).backend_id] = machine_dies()
        queue.advance()
    lost = queue.store.load(job.id)
    assert len(cluster.submitted) == 1 + MOST_RESTARTS == lost.attempts
    assert numbers(lost.error)[0] == "6" and state(queue, job.id) == "lost"
    queue.resume(job.id)
    queue.advance()
    assert queue.store.load(job.id).restarts == 0 and state(queue, job.id) == "queued"


@pytest.mark.parametrize(
    ("told", "sentence", "way_out"),
    [
        (machine_dies("running low on memory"), "memory ran out", "smaller"),
        (RayJob("STOPPED"), "stopped", "Resume"),
        (RayJob("SUCCEEDED", exit_code=0), "without a result", "Resume"),
        (RayJob("FAILED", "X", "", 137), "memory ran out", "smaller"),
        (RayJob("FAILED", "X", "", NO_FOLDER_STATUS), "see the folder", "mounted"),
        (RayJob("FAILED", "X", "", 127), "no Python", "Ray"),
        (RayJob("FAILED", "X", "", 1), "status 1", "its log"),
        (RayJob("FAILED", "RUNTIME_ENV_SETUP_FAILURE", "No\nspace"), "(No space)", "Ask those"),
    ],
)
def test_a_job_that_ended_otherwise_says_why_and_is_not_submitted_again(
    queue, cluster, told, sentence, way_out
):
    running, never = submit(queue, "a"), submit(queue, "b")
    queue.advance()
    begin(queue, running.id, silent=15)
    edit(queue, running.id, batch_passages=64)
    for job in (running, never):
        cluster.told[_submission_id(job)] = told
    assert queue.advance() == [] and len(cluster.submitted) == 2
    for job, ended in ((running, "lost"), (never, "failed")):
        job = queue.store.load(job.id)
        assert sentence in job.error and way_out in job.way_out
        assert queue.state(job) == ended
    offered = {"batch_passages": 32} if "memory" in sentence else {}
    assert queue.store.load(running.id).changes == offered


def test_a_cluster_that_does_not_answer_costs_no_job(queue, cluster):
    running, waiting = submit(queue, "a"), submit(queue, "b")
    queue.advance()
    begin(queue, running.id)
    later = submit(queue, "c")
    cluster.answers = False
    queue.advance()
    assert [state(queue, one.id) for one in (running, waiting, later)] == [
        "running",
        "queued",
        "queued",
    ]
    assert "does not answer" in queue.store.load(later.id).error
    begin(queue, running.id, silent=100)
    queue.advance()
    lost = queue.store.load(running.id)
    assert queue.state(lost) == "lost" and lost.error is None and lost.outcome is None
    cluster.answers = True
    cluster.told[_submission_id(running)] = RayJob("RUNNING")
    edit(queue, later.id, claimed=time.time() - CLAIM_SECONDS - 1)
    assert [job.id for job in queue.advance()] == [later.id]
    assert state(queue, running.id) == "running" and queue.store.load(later.id).error is None


def test_a_starter_that_was_killed_before_it_noted_the_submission_submits_no_second_one(
    queue, cluster
):
    job = submit(queue, "a")
    queue.advance()
    edit(queue, job.id, backend_id=None, claimed=time.time() - CLAIM_SECONDS - 1)
    queue.advance()
    assert list(cluster.submitted) == [_submission_id(job)] == [queue.store.load(job.id).backend_id]


def test_a_job_is_cancelled_while_it_waits_in_the_cluster_and_while_it_runs(queue, cluster):
    waiting, running = submit(queue, "a"), submit(queue, "b")
    queue.advance()
    begin(queue, running.id)
    assert queue.cancel(waiting.id).outcome == "cancelled"
    assert cluster.stopped == [_submission_id(waiting)]
    queue.cancel(running.id)
    assert (queue.store.path(running.id) / "stop").exists() and len(cluster.stopped) == 1
    edit(queue, running.id, cancel_asked=time.time() - 10)
    queue.advance()
    assert cluster.stopped[1:] == [_submission_id(running)]
    begin(queue, running.id, silent=15)
    queue.advance()
    assert queue.store.load(running.id).outcome == "cancelled" and len(cluster.submitted) == 2


def test_a_process_of_this_machine_is_left_to_it(queue, cluster):
    job = queue.store.begin("by-hand", ("train", "qss"))
    assert state(queue, job.id) == "running"
    edit(queue, job.id, process_started=-1.0)
    queue.advance()
    assert "process is gone" in queue.store.load(job.id).error
    assert cluster.asked == 0 and not cluster.submitted


def test_the_command_runs_where_the_folders_are_and_says_so_where_not(tmp_path):
    folder = tmp_path / "jobs" / "it's one"
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python"
    python.write_text('#!/bin/sh\npwd\nfor word in "$@"; do echo "<$word>"; done\n')
    python.chmod(0o755)
    job = Job("it's one", ("train", "qs3m", "--data", "my set.csv"), cwd=str(tmp_path), gpus=2)

    def run():
        command = ["sh", "-c", _entrypoint(job, folder)]
        path = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
        return subprocess.run(command, capture_output=True, text=True, env=path)

    missing = run()
    assert missing.returncode == NO_FOLDER_STATUS and "on this machine" in missing.stdout
    folder.mkdir(parents=True)
    (folder / "job.json").touch()
    done = run()
    assert done.returncode == 0 and shlex.split(done.stdout, posix=False)[:2] == ["What", "the"]
    assert (folder / "log.txt").read_text().splitlines() == [
        str(tmp_path),
        *(f"<{word}>" for word in "-m torch.distributed.run --standalone".split()),
        *(f"<{word}>" for word in "--nproc-per-node=2 -m subclust train qs3m --data".split()),
        *("<my set.csv>", "<--job>", "<it's one>"),
    ]


def test_ray_is_asked_for_only_by_its_setting(tmp_path, monkeypatch):
    program = (
        "import sys, subclust.jobs as jobs; from subclust.core.settings import Settings;"
        "jobs.job_queue(Settings.from_environment()); import subclust.cli.jobs;"
        "print([name for name in sys.modules if name.split('.')[0] == 'ray'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
    monkeypatch.setattr("subclust.jobs.opening.find_spec", lambda name: None)
    with raises(SettingsError):
        _launcher_of(Settings(data_dir=tmp_path, jobs_backend="http://cluster:8265"))
    monkeypatch.setattr("subclust.jobs.opening.find_spec", lambda name: name)
    ray = _launcher_of(Settings(data_dir=tmp_path, jobs_backend="http://cluster:8265"))
    assert isinstance(ray, RayLauncher) and ray.cluster.address == "http://cluster:8265"
