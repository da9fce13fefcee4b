"""SIGKILL of the worker, wherever it is: nothing is shown running that is not, and nothing lost."""

import json
import os
import subprocess
import sys

import killed_training
import pytest

pytestmark = pytest.mark.app  # waits for processes


def trained(tmp_path, n_kills):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "SUBCLUST_DATA_DIR": str(tmp_path / "data"),
        "SUBCLUST_MODELS_DIR": str(tmp_path / "models"),
        "SUBCLUST_ENCODER": "hashing",
        "SUBCLUST_DEVICE": "cpu",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, killed_training.__file__, str(tmp_path), str(n_kills)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_a_training_killed_at_twenty_moments_ends_like_one_that_was_not(tmp_path):
    result = trained(tmp_path, 20)
    assert len(result["killed"]) == 20
    ends = result["ends"]
    whole = ends.pop("undisturbed")
    assert ends and all(end == whole for end in ends.values())
    assert whole["judged"] and len(whole["history"]) > 3
    assert {tuple(told) for told in result["jobs"].values()} == {("finished", None)}
    stages = {stage for _, stage, _ in result["killed"]}
    assert len(stages) >= 3, stages
    assert len({step for _, _, step in result["killed"]}) >= 5
