"""Kills at random moments: what they meet, and that a loss is seen."""

import json
import subprocess
import sys

import pytest

from benchmarks.killed_work import OLD_DATA, WORKS
from benchmarks.kills import SHARES, in_words

CARELESS = """
import itertools, json, random, sys, time
from benchmarks.kills import _killed
from benchmarks.killed_work import Work
class Careless(Work):
    patience = 0.1
    def prepare(self):
        pass
    def work(self, acknowledge):
        for number in itertools.count():
            if not (self.folder / str(number)).exists():
                acknowledge(str(number))
                time.sleep(float(sys.argv[1]))
                (self.folder / str(number)).touch()
    def check(self, acknowledged):
        return [one for one in acknowledged if not (self.folder / one).exists()]
print(json.dumps(_killed(Careless, 3, random.Random(0))))
"""


def run(program, *words):
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_is_acknowledged_before_it_is_saved_is_found_to_be_lost():
    result = run(CARELESS, "10")
    assert result["kills"] == 3 and len(result["wrong"]) >= 3 and result["acknowledged"] >= 1


def test_every_kind_has_its_share():
    assert SHARES.keys() == WORKS.keys() and sum(SHARES.values()) == pytest.approx(1.0)
    assert OLD_DATA.is_file()


@pytest.mark.parametrize("kind", WORKS)
def test_a_kill_of_each_kind_loses_nothing(kind):
    program = (
        "import json, sys; from benchmarks.kills import measure_kills; "
        "print(json.dumps(measure_kills({sys.argv[1]: 2})))"
    )
    result = run(program, kind)
    assert result["kinds"][kind]["kills"] == 2 and result["kinds"][kind]["wrong"] == []
    assert "2 kills" in in_words(result)
