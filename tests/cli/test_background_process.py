"""Training in the background as people start it: from a terminal that is then closed."""

import json
import os
import subprocess
import sys

import pytest
from small_sets import labelled

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import PROJECT_ROOT

pytestmark = pytest.mark.app  # waits for processes


def subclust(*words, status=0):
    """Run a command in a session of its own, as a terminal's would be; give its last line."""
    done = subprocess.run(
        [sys.executable, "-m", "subclust", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(PROJECT_ROOT)},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == status, done.stderr
    return (done.stdout or done.stderr).splitlines()[-1]


@pytest.mark.slow
def test_two_trainings_one_after_the_other(settings, tmp_path):
    data = labelled(tmp_path / "set.jsonl")
    train = ["train", "qs3m", "--data", data, "--set", "epochs=2", "--queue", "--judge", "--name"]
    ids = [subclust(*train, name) for name in ("one", "two")]
    assert ids == ["qs3m-one", "qs3m-two"]
    shown = [json.loads(subclust("jobs", "wait", id, "--json")) for id in reversed(ids)][::-1]
    assert [job["state"] for job in shown] == ["finished", "finished"]
    assert [job["attempts"] for job in shown] == [1, 1]
    assert shown[0]["finished"] <= shown[1]["started"]
    said = json.loads(subclust("jobs", "log", ids[0], "--json"))["log"]
    assert "step " in said and "Saved" in said and "Traceback" not in said
    names = CheckpointStore(settings.models_dir).names("qs3m")
    assert names == ["one", "two"]
    assert "finished; clone it" in subclust("jobs", "resume", ids[0], status=1)
