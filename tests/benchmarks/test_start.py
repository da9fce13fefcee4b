import sys

import pytest
from raising import raises

from benchmarks.start import ALLOWED, COMMANDS, in_words, timed
from subclust.core.exceptions import BenchmarkError

SLEEPS = (
    "import time; print('a', flush=True); time.sleep(0.5); print('b', flush=True); time.sleep(0.1)"
)


def test_a_command_is_timed_with_its_longest_silence():
    found = timed([sys.executable, "-c", SLEEPS])
    assert 0.5 <= found["silent_s"] <= found["wall_s"]
    assert 0 < found["cpu_s"]


def test_one_that_fails_is_an_error():
    with raises(BenchmarkError, said="wrong\n"):
        timed([sys.executable, "-c", "import sys; print('wrong'); sys.exit(1)"])


@pytest.fixture
def result():
    seconds = {"wall_s": 0.4, "cpu_s": 0.3}
    return {
        "clone": {**seconds, "silent_s": 0.1, "megabytes": 120.0},
        "demo": {**seconds, "silent_s": 0.1, "megabytes": 24.0},
        "page": {"health_s": 1.0, "frame_s": 2.0, "sentence_s": 2.1, "answer_s": 9.0},
        "commands": {name: dict(seconds) for name in COMMANDS},
        "load": 0.1,
        "allowed": ALLOWED,
    }


def test_what_is_past_its_limit_is_told(result):
    assert "allowed" not in in_words(result)
    result["page"]["frame_s"] = 30.0  # the page is then late, too
    result["commands"]["methods"]["wall_s"] = 0.6
    result["commands"]["search --json"]["wall_s"] = 1.3
    assert in_words(result).count("allowed") == 4
