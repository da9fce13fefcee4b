"""What becomes of jobs when the server that they die with is told to end."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import slow_job
from queue_helpers import PaperLauncher, submit
from waiting import wait_until

from subclust.jobs import JobQueue, JobStore, go_on_after_stop, stop_with_server

pytestmark = pytest.mark.app  # waits for processes

FIRST = """
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path[:0] = [sys.argv[1]]
from slow_job import queue_of
from subclust.cli import serve, work
from subclust.core.settings import Settings
from subclust.jobs import opening

folder = Path(sys.argv[2])
opening._launcher_of = lambda settings: queue_of(folder).launcher
serve.LAUNCH = "import time; time.sleep(300)"
work.ADVANCE_SECONDS = 0.1
args = SimpleNamespace(host="localhost", port=1, open_to_all=False, read_only=False)
serve.run_serve(args, Settings(data_dir=folder, device="cpu"))
"""


# The first process of a container, or as near to it as this machine allows.
CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


@pytest.fixture
def first():
    if subprocess.run([*CONTAINER, "true"], capture_output=True).returncode:
        pytest.skip("processes cannot be kept apart here")
    return CONTAINER


def test_a_server_that_is_the_first_process_ends_soon_and_its_jobs_go_on_later(first, tmp_path):
    store = slow_job.queue_of(tmp_path).store
    id = slow_job.submit(slow_job.queue_of(tmp_path), "a", "steps", "4000").id
    ran = tmp_path / "ran.txt"

    def begun():
        return ran.read_text().splitlines() if ran.exists() else []

    for start in range(1, 3):
        command = [*first, sys.executable, "-c", FIRST, str(Path(__file__).parent), str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as outside:
            wait_until(lambda start=start: len(begun()) == start)
            (server,) = psutil.Process(outside.pid).children()
            began = time.monotonic()
            server.terminate()
            assert outside.wait(30) == 0
            assert time.monotonic() - began < 10
        job = store.load(id)
        assert (job.outcome, job.paused) == ("cancelled", True)
    assert begun() == [f"begin {id} anew", f"begin {id} again"]


def test_what_was_finished_or_removed_meanwhile_does_not_go_on(tmp_path):
    launcher = PaperLauncher()
    launcher.one_per_device = False
    queue = JobQueue(JobStore(tmp_path), launcher)
    ids = [submit(queue, name).id for name in "abc"]
    waiting = submit(queue, "d")
    launcher.refuses.add(waiting.id)
    queue.store.update(waiting.id, lambda job: job)
    queue.advance()
    assert list(stop_with_server(queue, wait_seconds=0)) == ids
    launcher.ends(queue.store, ids[0])
    launcher.ends(queue.store, ids[1], "cancelled")
    launcher.ends(queue.store, ids[2], "cancelled")
    queue.remove(ids[2])
    assert list(go_on_after_stop(queue)) == [ids[1]]
    assert queue.state(queue.store.load(ids[1])) == "queued"
    assert list(go_on_after_stop(queue)) == []
