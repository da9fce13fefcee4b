"""Trainings in the background whose workers are killed at random moments; a program.

``python killed_training.py FOLDER N_KILLS`` trains one model undisturbed, then others with SIGKILL
at random moments of their worker and a resume after each, and prints as JSON what became of them.
Workers are forked instead of started anew, so that torch is imported once.
"""

import hashlib
import json
import os
import random
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import torch

import subclust.cli.training.train
import subclust.judging.judgement
import subclust.methods.qs3m.training  # noqa: F401
from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.cli import main as command
from subclust.core.settings import Settings
from subclust.jobs import Job, JobQueue, JobStore, LocalLauncher
from subclust.jobs.process import host_name, process_start

KINDS = ["river water boat", "stone tower wall", "bread flour oven"]


class ForkLauncher(LocalLauncher):
    """Forks the worker from this process."""

    def start(self, job: Job, store: JobStore) -> Job:
        pid = os.fork()
        if pid == 0:
            os.setsid()
            log = os.open(store.path(job.id) / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(log, 1)
            os.dup2(log, 2)
            status = command([*job.argv, "--job", job.id])
            sys.stdout.flush()
            os._exit(status)
        return replace(job, pid=pid, process_started=process_start(pid), host=host_name())


def labelled(path: Path) -> Path:
    with path.open("w") as stream:
        for query in range(8):
            passages = [
                {"text": f"{KINDS[i % 3]} topic{query} word{i * query}", "label": f"part {i % 3}"}
                for i in range(9)
            ]
            stream.write(json.dumps({"query": f"topic{query}", "passages": passages}) + "\n")
    return path


def told(checkpoint: Checkpoint) -> dict[str, object]:
    """Tell everything about a model that must not depend on what happened to its worker."""
    digest = hashlib.sha256()
    for name, tensor in sorted(checkpoint.tensors.items()):
        digest.update(name.encode() + tensor.tobytes())
    history = [
        {key: value for key, value in line.items() if key != "training_seconds"}
        for line in checkpoint.card["history"]
    ]
    return {
        "weights": digest.hexdigest(),
        "scores": checkpoint.card["scores"],
        "history": history,
        "config": dict(checkpoint.config),
        "judged": "judgement" in checkpoint.card,
    }


def n_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def main(folder: Path, n_kills: int) -> None:
    torch.set_num_threads(1)
    # Here nobody needs it, and on a busy machine a worker that gives way may wait for minutes.
    subclust.cli.give_way = lambda: None
    settings = Settings.from_environment()
    store = JobStore(settings.jobs_dir)
    queue = JobQueue(store, ForkLauncher(settings))
    data = labelled(folder / "set.jsonl")
    generator = random.Random(11)
    killed: list[tuple[str, str, int]] = []
    names: list[str] = []

    def submit(name: str) -> str:
        names.append(name)
        words = ["train", "qs3m", "--data", str(data), "--name", name, "--judge"]
        for setting in ("epochs=40", "batch_passages=18", "save_every=3", "evaluate_every=5",
                        "learning_rate=0.01"):  # fmt: skip
            words += ["--set", setting]
        return queue.submit(words, title=f"qs3m/{name}", device="cpu").id

    def start(id: str) -> tuple[int, float]:
        queue.advance()
        job = store.load(id)
        assert queue.state(job) == "running" and job.pid is not None, job
        return job.pid, time.monotonic()

    def wait(pid: int) -> None:
        os.waitpid(pid, 0)

    pid, began = start(submit("undisturbed"))
    wait(pid)
    whole = time.monotonic() - began
    states = []
    while len(killed) < n_kills:
        id = submit(f"killed-{len(names)}")
        while queue.state(store.load(id)) != "finished":
            pid, _ = start(id)
            lines = store.path(id) / "progress.jsonl"
            if generator.random() < 0.5:  # from before it registers to after it has saved the model
                time.sleep(generator.uniform(0, whole * 1.1) * generator.random())
            else:  # after a few more steps
                until = n_lines(lines) + generator.randint(1, 25)
                patience = time.monotonic() + whole
                while n_lines(lines) < until and time.monotonic() < patience:
                    time.sleep(0.001)
            os.kill(pid, signal.SIGKILL)
            wait(pid)
            job = store.load(id)
            state = queue.state(job)
            states.append(state)
            if state == "lost":
                killed.append((id, job.stage, n_lines(lines)))
                queue.advance()
                assert "process is gone" in str(store.load(id).error)
                queue.resume(id)
            elif state != "finished":
                raise SystemExit(f"{id} is {state}: {store.load(id).error}")
            if len(killed) == n_kills:
                if queue.state(store.load(id)) != "finished":
                    wait(start(id)[0])
                break
    models = CheckpointStore(settings.models_dir)
    ends = {name: told(models.load("qs3m", name)) for name in names}
    jobs = {job.title: (queue.state(job), job.error) for job in store.jobs()}
    print(json.dumps({"ends": ends, "killed": killed, "jobs": jobs, "seconds": whole}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
