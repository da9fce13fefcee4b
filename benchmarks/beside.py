"""What a training in the background does to the time in which a query is embedded."""

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.speed import QUERIES, summary
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Query
from subclust.core.settings import Settings
from subclust.jobs import ENDED, JobQueue, JobStore, Launcher, LocalLauncher
from subclust.judging.own_sets import bases, own_recipe
from subclust.labelled.sets.files import write_normal
from subclust.methods import find_method
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.sources.base import Document
from subclust.text.sources.wikidump import demo_dump

ALLOWED = 1.75
"""Times its idle time that a query's embedding may take while a training runs."""

PAUSE = 0.02
"""Seconds between two queries: people do not ask without a break."""

_WARM = 10
_TO_BEGIN = 900.0
_TO_END = 20.0


def demo_queries(
    n_queries: int, n_passages: int = 24, *, first: int = 0
) -> list[ClusteringInstance]:
    """Make a labelled set of the demo's articles: a title asks, the sections are its subtopics.

    Parameters
    ----------
    n_queries, n_passages : int
        At most so many passages of each.
    first : int
        How many articles are passed over.
    """
    made = []
    for document in demo_dump():
        if isinstance(document, Document):
            passages = document.passages[:n_passages]
            if len({passage.label for passage in passages}) > 1:
                made.append(ClusteringInstance(Query(document.title), passages))
        if len(made) == first + n_queries:
            break
    return made[first:]


def time_beside_training(
    settings: Settings,
    method: str = "default",
    *,
    instances: Sequence[ClusteringInstance] | None = None,
    n_queries: int = 200,
    launcher: Launcher | None = None,
) -> dict[str, Any]:
    """Time the embedding of new queries before, beside and after a training in the background.

    The training is a job as the app starts it, from the method's checkpoint in use by its recipe
    for small sets, and is cancelled at the end. Nothing of it is kept.

    Parameters
    ----------
    method : str
        To train; one that tunes layers of the encoder works the machine harder than a head alone.
    instances : sequence of ClusteringInstance, optional
        Trained on; by default of the demo's articles.
    n_queries : int
        Embedded in each of the three parts.
    launcher : Launcher, optional
        By default that of this machine.

    Returns
    -------
    dict
        ``method``; ``idle``, ``beside`` and for each stage of the job in which at least a tenth of
        `n_queries` were embedded ``beside_STAGE``, each with ``n``, ``median_ms``, ``p95_ms`` and
        ``max_ms``; ``ratio``, the median of the worst of these stages to the idle one; ``allowed``.

    Raises
    ------
    InputError
        If the training ends before enough was timed.
    SubclustError
        If the method cannot be trained.
    """
    store = CheckpointStore.of(settings)
    name = find_method(method, store).name
    with tempfile.TemporaryDirectory() as folder:
        own = replace(settings, data_dir=Path(folder))
        labelled = Path(folder) / "set.jsonl.gz"
        write_normal(instances or demo_queries(26), labelled)
        watch = _Watch(load_encoder(own))
        watch.times(_WARM)
        idle = watch.times(n_queries // 2)
        beside: dict[str, list[float]] = {}
        with _training(own, _words(name, labelled, store), launcher) as stages:
            for stage in stages:
                beside.setdefault(stage, []).append(watch.times(1)[0])
                if len(beside.get("training", [])) >= n_queries:
                    break
        idle += watch.times(n_queries - n_queries // 2)
    told = {"idle": summary(idle), "beside": summary(sum(beside.values(), []))}
    enough = {stage: times for stage, times in beside.items() if 10 * len(times) >= n_queries}
    told |= {f"beside_{stage}": summary(times) for stage, times in enough.items()}
    ratio = max(map(statistics.median, enough.values())) / statistics.median(idle)
    return {"method": name, **told, "ratio": round(ratio, 3), "allowed": ALLOWED}


class _Watch:
    """Times the embedding of queries that nobody has asked before."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.asked = 1000  # the numbers have as many digits, and so as many word pieces

    def times(self, n: int) -> list[float]:
        """Return milliseconds."""
        found = []
        for _ in range(n):
            self.asked += 1
            text = f"{QUERIES[self.asked % len(QUERIES)]} {self.asked}"
            began = time.perf_counter()
            self.encoder.encode([text])
            found.append((time.perf_counter() - began) * 1000)
            time.sleep(PAUSE)
        return found


def _words(method: str, labelled: Path, store: CheckpointStore) -> list[str]:
    """Return the command of a training that does not end by itself."""
    words = ["train", method, "--data", str(labelled), "--name", "beside"]
    recipe, _ = own_recipe(method)
    words += ["--recipe", str(recipe)] if recipe else []
    found = bases(method, store)
    words += ["--base", found[0]] if found else []
    return [*words, "--set", "epochs=100000", "--set", "patience=0"]


@contextmanager
def _training(
    settings: Settings, words: Sequence[str], launcher: Launcher | None
) -> Iterator[Iterator[str]]:
    """Have a training run meanwhile; the iterator tells its stage, again and again."""
    store = JobStore(settings.jobs_dir)
    queue = JobQueue(store, launcher or LocalLauncher(settings))
    job = queue.submit(words, title=f"{words[1]}/beside", device=settings.resolve_device())
    try:
        queue.advance()
        yield _stages(queue, job.id)
    finally:
        if queue.state(store.load(job.id)) not in ENDED:
            queue.cancel(job.id)
        patience = time.monotonic() + _TO_END
        while queue.state(store.load(job.id)) not in ENDED and time.monotonic() < patience:
            queue.advance()
            time.sleep(0.1)


def _stages(queue: JobQueue, id: str) -> Iterator[str]:
    patience = time.monotonic() + _TO_BEGIN
    while True:
        job = queue.store.load(id)
        if queue.state(job) in ENDED:
            raise InputError(
                "The training ended before enough was timed: {reason}",
                reason=job.error or queue.state(job),
            )
        if job.stage != "training" and time.monotonic() > patience:
            raise InputError("The training did not begin in a quarter of an hour; try again.")
        if job.stage == "waiting":  # its process has not taken it up
            time.sleep(0.05)
            continue
        yield job.stage
