"""Imports as background jobs: queued, watched, paused, gone on with, cancelled, killed."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from waiting import wait_until

from subclust.jobs import JobQueue, JobStore, LocalLauncher, job_view
from subclust.text.ingest.import_record import read_account
from subclust.text.library import PassageLibrary

pytestmark = pytest.mark.app  # waits for processes

RIS = """TY  - JOUR
TI  - {title}
AB  - {text}
ID  - {number}
ER  - 

"""


def write_records(path, n_records):
    with path.open("w") as stream:
        for number in range(n_records):
            text = f"Shelves and maps of the reading room, count {number}, in plain words."
            stream.write(RIS.format(title=f"Maps {number}", text=text, number=number))


def write_broken(path):
    path.write_text("id,text\n1,About maps and shelves.\n2,\n3,About books.\n")


def lines_of(folder):
    return [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]


def test_a_queued_import_keeps_the_account_of_its_job(run, settings, idle, tmp_path):
    write_records(tmp_path / "maps.ris", 30)
    write_broken(tmp_path / "broken.csv")
    words = ("import", tmp_path / "maps.ris", tmp_path / "broken.csv", "--library", "mine")
    id_ = json.loads(run(*words, "--queue", "--json")[1])["job"]
    assert PassageLibrary.names(settings.library_dir) == []
    assert run(*words, "--job", id_)[0] == 0

    store = JobStore(settings.jobs_dir)
    job, account = store.load(id_), read_account(store.path(id_))
    assert (job.kind, job.title, job.outcome) == ("import", "mine/maps.ris +1", "finished")
    assert job.stage == "preparing"
    assert account.is_whole
    names = ("n_read", "n_imported", "n_unchanged", "n_refused")
    assert [account.total(name) for name in names] == [33, 32, 0, 1]
    assert account.n_stored == 32
    refused = account.reports[1]["refusals"]
    assert [one["place"] for one in refused] == ["row 3"]
    told = lines_of(store.path(id_))
    assert {"reading", "encoding", "storing"} <= {line["phase"] for line in told} | {"reading"}
    last = [line for line in told if line["phase"] != "preparing"][-1]
    assert (last["n_read"], last["n_stored"], last["n_refused"]) == (33, 32, 1)
    assert last["step"] == last["total"] == 33
    assert len(PassageLibrary.open(settings.library_dir, "mine").fingerprints()) == 32


def test_what_cannot_be_queued_is_told_at_once(run, settings, idle, tmp_path):
    (tmp_path / "page.html").write_text("<!doctype html><html></html>")
    status, _, said = run("import", tmp_path / "page.html", "--library", "mine", "--queue")
    assert status == 1 and "a web page" in said
    status, _, said = run("import", tmp_path / "none.ris", "--library", "mine", "--queue")
    assert status == 1 and "none.ris" in said
    write_records(tmp_path / "maps.ris", 2)
    status, _, said = run("import", tmp_path / "maps.ris", "--library", " ", "--queue")
    assert status == 1 and said
    assert run("import", tmp_path / "maps.ris", "--library", "mine", "--queue")[0] == 0
    status, _, said = run("import", tmp_path / "maps.ris", "--library", "mine", "--queue")
    assert status == 1 and said.values.keys() == {"title", "job"}


def test_an_import_of_nothing_but_refused_rows_ends_well(run, settings, idle, tmp_path):
    (tmp_path / "empty.csv").write_text("id,text\n1,\n2,\n")
    words = ("import", tmp_path / "empty.csv", "--library", "mine")
    id_ = run(*words, "--queue")[1].strip()
    assert run(*words, "--job", id_)[0] == 0
    account = read_account(JobStore(settings.jobs_dir).path(id_))
    assert account.total("n_refused") == 2 and account.n_stored == 0


@pytest.fixture
def queue(settings):
    return JobQueue(JobStore(settings.jobs_dir), LocalLauncher(settings))


@pytest.fixture
def slow(monkeypatch, tmp_path):
    """Have the workers of jobs store twenty passages at a time, and take their time over it."""
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "sitecustomize.py").write_text(
        "import sys\n"
        "if '--job' in sys.argv:\n"
        "    import time\n"
        "    from subclust.text.encoders.base import HashingEncoder\n"
        "    from subclust.text.ingest import local\n"
        "    local.ingest.__kwdefaults__['batch_size'] = 20\n"
        "    quick = HashingEncoder._encode\n"
        "    def slow(self, texts, *rest):\n"
        "        time.sleep(0.02 * len(texts))\n"
        "        return quick(self, texts, *rest)\n"
        "    HashingEncoder._encode = slow\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "slow"))


def stored(queue, id_):
    account = read_account(queue.store.path(id_))
    return account.n_stored if account else 0


def state(queue, id_):
    queue.advance()
    return queue.state(queue.store.load(id_))


def test_pause_go_on_kill_go_on_and_nothing_is_doubled(run, settings, queue, slow, tmp_path):
    n_records = 300
    write_records(tmp_path / "maps.ris", n_records)
    id_ = run("import", tmp_path / "maps.ris", "--library", "mine", "--queue")[1].strip()
    wait_until(lambda: stored(queue, id_) >= 40, seconds=240)
    asked = time.monotonic()
    assert run("jobs", "pause", id_)[0] == 0
    wait_until(lambda: state(queue, id_) == "paused", seconds=240)
    assert time.monotonic() - asked < 5.0
    view = job_view(queue.store, id_)
    assert view.has_ended and view.state == "paused"
    before = stored(queue, id_)
    library = PassageLibrary.open(settings.library_dir, "mine")
    assert library.count() == before < n_records

    assert run("jobs", "resume", id_)[0] == 0
    job = wait_until(lambda: (j := queue.store.load(id_)).pid and j.started and j, seconds=240)
    wait_until(lambda: stored(queue, id_) >= before + 40, seconds=240)
    os.kill(queue.store.load(id_).pid, signal.SIGKILL)
    wait_until(lambda: state(queue, id_) == "lost", seconds=240)
    assert job.paused is False
    assert run("jobs", "resume", id_)[0] == 0
    wait_until(lambda: state(queue, id_) == "finished", seconds=240)

    account = read_account(queue.store.path(id_))
    names = ("n_read", "n_imported", "n_unchanged", "n_refused")
    assert [account.total(name) for name in names] == [n_records, n_records, 0, 0]
    assert library.count() == len(library.fingerprints()) == n_records


def test_a_cancelled_import_ends_soon_and_keeps_what_is_stored(
    run, settings, queue, slow, tmp_path
):
    write_records(tmp_path / "maps.ris", 300)
    id_ = run("import", tmp_path / "maps.ris", "--library", "mine", "--queue")[1].strip()
    wait_until(lambda: stored(queue, id_) >= 20, seconds=240)
    asked = time.monotonic()
    assert run("jobs", "cancel", id_)[0] == 0
    wait_until(lambda: state(queue, id_) == "cancelled", seconds=240)
    assert time.monotonic() - asked < 5.0
    there = PassageLibrary.open(settings.library_dir, "mine").count()
    assert 20 <= there == stored(queue, id_) < 300


def test_a_paused_import_can_be_cancelled_for_good(queue, run, idle, tmp_path):
    write_records(tmp_path / "maps.ris", 3)
    id_ = run("import", tmp_path / "maps.ris", "--library", "mine", "--queue")[1].strip()
    assert queue.state(queue.cancel(id_, pause=True)) == "paused"
    assert queue.state(queue.cancel(id_)) == "cancelled"
    assert queue.state(queue.resume(id_)) == "queued"


def test_the_command_of_a_job_can_be_read(tmp_path):
    said = subprocess.run(
        [sys.executable, "-m", "subclust", "import", "--help"], capture_output=True, text=True
    )
    assert "--queue" in said.stdout
