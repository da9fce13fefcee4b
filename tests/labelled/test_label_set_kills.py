import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from label_sets import nothing_half_stored

from subclust.core.settings import PROJECT_ROOT
from subclust.labelled.sets import LabelledSetStore

pytestmark = pytest.mark.app  # waits for processes

HERE = Path(__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{PROJECT_ROOT}{os.pathsep}{HERE}"}


@pytest.mark.parametrize(
    ("action", "at_least"),
    [
        ("add", {"kill": 12, "refuse": 12, "limit": 3}),
        ("remove", {"kill": 3, "refuse": 3}),  # which writes no bytes
        ("export", {"kill": 4, "refuse": 4, "limit": 3}),
    ],
)
def test_a_write_that_breaks_leaves_nothing_half_stored(tmp_path, action, at_least):
    run = subprocess.run(
        [sys.executable, HERE / "label_set_killer.py", tmp_path, action, *at_least],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert run.returncode == 0, run.stderr
    breaks = dict(zip(at_least, map(int, run.stdout.split()), strict=True))
    assert all(breaks[how] >= least for how, least in at_least.items()), breaks


def test_a_process_killed_at_random_moments(tmp_path):
    code = (
        "import io, sys\n"
        "from pathlib import Path\n"
        "from label_set_killer import content\n"
        "from subclust.labelled.sets import LabelledSetStore\n"
        "store = LabelledSetStore(Path(sys.argv[1]))\n"
        "for n in range(int(sys.argv[2]), 10**9):\n"
        "    upload = store.receive(io.BytesIO(content(n)), 'set.csv')\n"
        "    print(store.keep(upload, 'set', without_errors=True).version, flush=True)\n"
    )
    drawn, folder, acknowledged = random.Random(0), tmp_path / "sets", set()
    for round_number in range(4):
        run = subprocess.Popen(
            [sys.executable, "-c", code, folder, str(round_number * 10**6)],
            stdout=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
        )
        acknowledged.add(int(run.stdout.readline()))
        time.sleep(drawn.uniform(0, 0.1))
        run.send_signal(signal.SIGKILL)
        acknowledged.update(int(line) for line in run.communicate()[0].splitlines())
        nothing_half_stored(folder)
    there = {one.version for one in LabelledSetStore(folder).sets()}
    assert acknowledged <= there and len(acknowledged) >= 4
