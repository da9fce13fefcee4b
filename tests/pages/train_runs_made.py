"""Training runs as their workers leave them on disk, in every state, and nothing that runs."""

import json
import time
from dataclasses import replace

from subclust.jobs import Job, JobStore, LocalLauncher
from subclust.judging.judgement import JUDGEMENT_FILE
from subclust.judging.record import JudgedMethod, JudgedQuery, Judgement
from subclust.judging.verdict import compare_queries


class NoLauncher:
    """Starts nothing; says of a job what the test says."""

    backend = "local"
    one_per_device = True
    gone = LocalLauncher.gone

    def __init__(self, alive=()):
        self.alive = set(alive)
        self.started = []

    def start(self, job, store):
        self.started.append(job.id)
        self.alive.add(job.id)
        return replace(job, pid=1, process_started=1.0, heartbeat=time.time())

    def is_alive(self, job):
        return job.id in self.alive

    def cancel(self, job, *, kill=False):
        self.alive.discard(job.id)


def make_job(data_dir, name="mine", *, method="qs3m", lines=6, **changes):
    """Write a job with so many steps of progress, four of a pass."""
    store = JobStore(data_dir / "jobs")
    now = time.time()
    facts = {
        "argv": ("train", method, "--data", "set:fruit@1", "--name", name),
        "kind": "train",
        "title": f"{method}/{name}",
        "device": "cpu",
        "created": now - 60,
        "queued_at": now - 60,
        "started": now - 50,
        "heartbeat": now,
        "pid": 1,
        "process_started": 1.0,
        "stage": "training",
        **changes,
    }
    job = Job(f"{method}-{name}", **facts)
    store.save(job)
    folder = store.path(job.id)
    with (folder / "progress.jsonl").open("w") as stream:
        for step in range(1, lines + 1):
            line = {"step": step, "total": 12, "loss": 1 / step, "seconds": step, "eta": 12 - step}
            if step % 2 == 0:
                line["metrics"] = {"ari": 0.1 * step}
            stream.write(json.dumps(line) + "\n")
    (folder / "log.txt").write_text("It began.\nIt went on.\n")
    return job


def make_judgement(checkpoint, differences, *, base="qs3m/tiny"):
    """Judge a model by made-up scores: so much above the base on each query, in ARI."""
    before = [0.3 + 0.01 * at for at in range(len(differences))]
    after = [old + new for old, new in zip(before, differences, strict=True)]
    row = compare_queries(after, before, against="base", measure="ari")
    queries = tuple(
        JudgedQuery(
            f"query <{at}>",
            8,
            3,
            {"new": {"ari": new}, "base": {"ari": old}, "baseline": {"ari": 0.2}},
            {"new": 3, "base": 4, "baseline": 3},
        )
        for at, (new, old) in enumerate(zip(after, before, strict=True))
    )
    return Judgement(
        checkpoint=checkpoint,
        base=base,
        part="test",
        granularity="flat",
        verdict=row.verdict,
        sentence=f"The verdict is {row.verdict}.",
        notes=("A note.",),
        queries_needed=None,
        methods=(
            JudgedMethod("new", checkpoint, {"ari": sum(after) / len(after)}),
            JudgedMethod("base", base, {"ari": sum(before) / len(before)}),
            JudgedMethod("baseline", "centred-cosine", {"ari": 0.2}),
        ),
        comparisons=(
            row,
            compare_queries(after, [0.2] * len(after), against="baseline", measure="ari"),
        ),
        queries=queries,
    )


def write_judgement(data_dir, job, judgement):
    """Keep a judgement in the folder of its run, as the worker does."""
    path = JobStore(data_dir / "jobs").path(job.id) / JUDGEMENT_FILE
    path.write_text(json.dumps(judgement.to_dict()), encoding="utf-8")


def as_card(judgement):
    """Give the card of a judged checkpoint."""
    return {"created": "2000-01-01T00:00:00+00:00", "judgement": judgement.to_dict()}
