import json
import subprocess
import sys

import pytest
from raising import numbers, raises

from benchmarks import context
from benchmarks.__main__ import main
from benchmarks.context import (
    compared,
    fitted_growth,
    in_a_process_of_its_own,
    measure_contexts,
)
from benchmarks.context_cell import encoder_of_shape, measure_cell, some_subset
from subclust.core.exceptions import BenchmarkError


def row(context, n, t, seconds, mb):
    return dict(
        context=context, n_entities=n, n_tokens=t, seconds=9.0, cpu_seconds=seconds, peak_mb=mb
    )


def made_up(context, n, t):
    """SIA takes 1.2 times NIA's memory; its time is linear in the entities, FIA's is not."""
    seconds = {"nia": n * t**2, "sia": 2 * n * t, "fia": n**2 * t**2}[context]
    return row(context, n, t, seconds, n * t * (1.2 if context == "sia" else 1.0))


def test_every_cell_is_measured_and_growth_is_found():
    calls = []
    found = measure_contexts(
        made_up,
        ["nia", "sia", "fia"],
        [10, 50, 200],
        [16, 128],
        progress=lambda done, total: calls.append((done, total)),
    )
    assert len(found["rows"]) == 18 and calls[-1] == (18, 18)
    powers = {context: found["growth"][context]["cpu_seconds"] for context in ("nia", "sia", "fia")}
    assert powers["nia"] == pytest.approx({"entities": 1, "tokens": 2}, abs=1e-6)
    assert powers["fia"] == pytest.approx({"entities": 2, "tokens": 2}, abs=1e-6)
    assert found["compared"]["sia_to_nia_memory"] == {
        "allowed": 1.3, "least": 1.2, "median": 1.2, "most": 1.2
    }  # fmt: skip
    # The least at the smallest subset that counts: 10 entities of 128 tokens.
    assert found["compared"]["saved_of_fia_time"]["least"] == pytest.approx(1 - 2 / 1280, abs=1e-3)


def test_small_and_failed_cells_do_not_count():
    rows = [made_up("sia", n, t) for n in (50, 100, 200) for t in (32, 64)]
    small = row("sia", 10, 16, 1e9, 1e9)
    failed = row("sia", 200, 512, None, None)
    assert fitted_growth([*rows, small, failed]) == fitted_growth(rows)
    assert fitted_growth(rows)["peak_mb"] == pytest.approx({"entities": 1, "tokens": 1}, abs=1e-6)
    assert fitted_growth(rows[:3])["cpu_seconds"] is None
    one_length = [made_up("sia", n, 64) for n in (20, 50, 100, 150, 200)]
    assert fitted_growth(one_length)["cpu_seconds"] is None
    assert compared([*rows, failed])["sia_to_nia_memory"]["median"] is None


PEAK = """
import sys, time
from pathlib import Path
import numpy as np
from benchmarks import peak_memory
if sys.argv[1] != "kernel":
    peak_memory._RESET = Path("missing") / "file"
with peak_memory.PeakMemory() as peak:
    for _ in range(3):
        some = np.ones(10_000_000)
        time.sleep(0.05)
        del some
print(peak.megabytes)
"""


@pytest.mark.parametrize("by", ["kernel", "watcher"])
def test_the_highest_memory_is_seen_though_it_is_given_back(by):
    # In a process of its own: of one that has idle pages, the system takes some away meanwhile.
    done = subprocess.run([sys.executable, "-c", PEAK, by], capture_output=True, check=True)
    assert 70 < float(done.stdout) < 160


def test_a_cell_is_measured():
    # In a process that has done nothing yet: one that has finds memory that it gave back before.
    found = in_a_process_of_its_own("minilm", rounds=2)("sia", 40, 32)
    assert (found["context"], found["n_entities"], found["n_tokens"]) == ("sia", 40, 32)
    assert found["seconds"] > 0.01 and found["cpu_seconds"] > 0.01
    # The states of 1,280 tokens, and what a layer makes of them, are more than this.
    assert found["peak_mb"] > 4 * 1280 * 384 / 1e6
    assert some_subset(3, 4).ids.equal(some_subset(3, 4).ids)


def test_too_little_memory_is_told_and_other_errors_are_not_hidden():
    encoder = encoder_of_shape("minilm", "nia")
    said = ["DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes."]

    def fail(module, inputs):
        if len(inputs[0].ids) > 2:
            raise RuntimeError(said[0])

    encoder.register_forward_pre_hook(fail)
    found = measure_cell(encoder, 5, 4, limit_gb=3)
    assert numbers(found["failed"]) == ["3"] and found["peak_mb"] is None
    said[0] = "shapes do not fit"
    with pytest.raises(RuntimeError, match="shapes"):
        measure_cell(encoder, 5, 4)
    with raises(BenchmarkError, shape="large"):
        encoder_of_shape("large", "nia")


@pytest.fixture
def without_processes(monkeypatch):
    asked = {}

    def make(shape, **options):
        asked.update(options, shape=shape)
        return lambda *cell: made_up(*cell) if cell[0] != "fia" or cell[1] < 200 else failed(*cell)

    def failed(*cell):
        return {**row(*cell, None, None), "failed": "It wants more than 8 GB of memory."}

    monkeypatch.setattr(context, "in_a_process_of_its_own", make)
    return asked


def test_the_command_tells_what_it_found(without_processes, capsys):
    assert main(["context"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert ["200", "64", "8"] in [numbers(line) for line in lines if line.startswith("fia ")]
    assert ["1.00", "2.00"] in [numbers(line) for line in lines if line.startswith("nia:")]
    found = [numbers(line) for line in lines if line.startswith("SIA")]
    assert found[0] == ["1.20", "1.20", "1.30"] and found[1][-2:] == ["100", "56"]
    assert without_processes["shape"] == "minilm" and without_processes["limit_gb"] == 8


def test_the_command_keeps_its_result(without_processes, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(context, "RESULTS_DIR", tmp_path)
    words = "context --context nia sia --entities 3 --tokens 5 --low-precision --save --json"
    assert main(words.split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert [r["context"] for r in found["rows"]] == ["nia", "sia"]
    assert (found["shape"], found["precision"], found["threads"]) == ("minilm", "bfloat16", 1)
    assert without_processes["low_precision"]
    kept = json.loads((tmp_path / "context" / "minilm-bfloat16-cpu.json").read_text())
    assert kept["story"]["versions"]["torch"] and kept | found == kept


@pytest.mark.slow
def test_each_cell_in_a_process_of_its_own():
    measure = in_a_process_of_its_own("minilm", rounds=1)
    first, second = (measure("fia", 40, 32) for _ in range(2))
    assert first["peak_mb"] > 4 * 1280 * 384 / 1e6
    assert first["peak_mb"] == pytest.approx(second["peak_mb"], rel=0.3)
    tight = in_a_process_of_its_own("minilm", rounds=1, limit_gb=0.05)
    assert "memory" in tight("fia", 200, 64)["failed"]
    with raises(BenchmarkError, context="nia", n_entities=2, n_tokens=3):
        in_a_process_of_its_own("large")("nia", 2, 3)
