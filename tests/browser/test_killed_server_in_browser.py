"""SIGKILL of the server at twenty moments, while somebody brings sets and starts trainings."""

import csv
import io
import random
import threading
import time

import pytest
import small_library
from lasting_server import LastingServer, wait_until
from playwright.sync_api import Error as PlaywrightError
from served_app import add_models, environment_of

from subclust.checkpoints import CheckpointStore
from subclust.jobs import is_alive
from subclust.labelled.sets import LabelledSetStore

pytestmark = pytest.mark.slow

N_KILLS = 20
MOST_JOBS = 14
KINDS = ("river water boat", "stone tower wall", "bread flour oven")

PRESS = """key => {
    const running = document.querySelector('[data-testid=stApp][data-test-script-state=running]');
    const button = document.querySelector(`.st-key-${key} button:not([disabled])`);
    if (running || !button || button.closest('[data-stale=true]')) return false;
    button.click();
    return true;
}"""

LISTED = """() => document.querySelector(
        '[data-testid=stApp][data-test-script-state=running], [data-stale=true]')
    ? [] : [...document.querySelectorAll('[class*=st-key-run-card-]')].map(card => [
        [...card.classList].find(name => name.startsWith('st-key-run-card-')).slice(16),
        card.innerText])"""


class Killed(Exception):
    """The server is gone."""


class Visitor:
    """Brings sets and starts trainings, and notes what the page has said is done.

    Parameters
    ----------
    page : Page
    server : LastingServer
    """

    def __init__(self, page, server):
        self.page = page
        self.server = server
        self.killed = threading.Event()
        self.n_sets = 0
        self.kept = []
        self.queued = []
        page.set_default_timeout(20_000)

    def work(self):
        """Go on until the server is killed."""
        try:
            while True:
                self.bring_set()
                if len(self.queued) < MOST_JOBS:
                    self.start_training()
        except Killed:
            return
        except PlaywrightError:
            if not self.killed.wait(5.0):  # what fails has failed for another reason
                raise

    def bring_set(self):
        self.n_sets += 1
        name = f"kept-{self.n_sets}"
        self.page.goto(f"{self.server.url}/train")
        field = "[class*=st-key-train-file] input[type=file]"
        self.wait(lambda: self.page.locator(field).count())
        file = {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": labelled(self.n_sets)}
        self.page.locator(field).set_input_files(file)
        self.press("train-check")
        self.press("train-keep")
        self.kept.append(self.wait(lambda: self.address("set")))

    def start_training(self):
        self.press("train-decide")
        self.press("train-start")
        self.queued.append(self.wait(lambda: self.address("job")))

    def press(self, key):
        self.wait(lambda: self.page.evaluate(PRESS, key))

    def address(self, name):
        return self.page.evaluate("name => new URLSearchParams(location.search).get(name)", name)

    def wait(self, holds):
        patience = time.monotonic() + 180
        while not self.killed.is_set():
            if found := holds():
                return found
            assert time.monotonic() < patience, f"it took too long at {self.page.url}"
            time.sleep(0.03)
        raise Killed

    def see_runs(self):
        """Give what the list of trainings says of each."""
        self.page.goto(f"{self.server.url}/train?show=Trainings")
        return dict(self.wait(lambda: self.page.evaluate(LISTED)))


def labelled(seed):
    """Write a set of twenty-six queries, so many that one division is enough."""
    stream = io.StringIO()
    rows = csv.writer(stream)
    rows.writerow(["query", "text", "label"])
    for query in range(26):
        for i in range(6):
            rows.writerow([f"topic{query}", f"{KINDS[i % 3]} topic{query} w{i * seed}", i % 3])
    return stream.getvalue().encode()


def check_nothing_is_lost(server, visitor, weights):
    """Hold the stores to what the page has said; weights are those that were seen before."""
    sets = LabelledSetStore(server.folder / "sets")
    for reference in visitor.kept:
        assert sets.find(f"set:{reference}").n_queries == 26
    states = server.states()
    assert set(visitor.queued) <= set(states)
    assert "lost" not in states.values() and "failed" not in states.values()
    models = CheckpointStore(server.folder / "models")
    for job in server.store.jobs():
        if states[job.id] == "finished":
            method, name = job.title.split("/")
            checkpoint = models.load(method, name)
            assert checkpoint.card["job"]["id"] == job.id
            told = {key: tensor.tobytes() for key, tensor in checkpoint.tensors.items()}
            assert weights.setdefault(job.id, told) == told


def check_shown(visitor, server):
    """Hold the list of trainings to the processes that are there."""
    began = time.time()
    cards = visitor.see_runs()
    for id, text in cards.items():
        job = server.store.load(id)
        if "Running" in text:
            assert is_alive(job) or job.finished > began - 5, (id, text)
    running = [id for id, text in cards.items() if "Running" in text]
    assert len(running) <= 1
    assert {id for id, state in server.states().items() if state == "queued"} <= set(cards)


@pytest.fixture
def server(tmp_path, random_checkpoint):
    small_library.build(tmp_path, "demo")
    add_models(tmp_path, random_checkpoint, "shipped")
    server = LastingServer(tmp_path, environment_of(tmp_path) | {"OMP_NUM_THREADS": "1"})
    yield server
    server.close()


def test_a_server_killed_at_twenty_moments_loses_nothing_and_starts_nothing_twice(server, new_page):
    generator = random.Random(5)
    whom = ["group"] * 7 + ["app"] * 7 + ["parent"] * 6
    generator.shuffle(whom)
    assert len(whom) == N_KILLS
    server.start()
    page = new_page()
    visitor = Visitor(page, server)
    began = time.monotonic()
    visitor.bring_set()
    visitor.start_training()
    whole = time.monotonic() - began
    weights, busy = {}, 0
    for one in whom:
        visitor.killed.clear()

        def kill(one=one):
            server.kill(one)
            visitor.killed.set()

        timer = threading.Timer(generator.uniform(0, 1.5 * whole), kill)
        timer.start()
        visitor.work()
        timer.join()
        busy += "running" in server.states().values()
        server.wait_gone()
        check_nothing_is_lost(server, visitor, weights)
        server.start()
        visitor.killed.clear()
        check_shown(visitor, server)
    page.context.close()
    wait_until(server.has_ended, "the queue", patience=900)  # nobody looks; the server goes on
    check_nothing_is_lost(server, visitor, weights)
    jobs = sorted(server.store.jobs(), key=lambda job: job.queued_at)
    assert {server.states()[job.id] for job in jobs} == {"finished"}
    print(
        f"{len(visitor.kept)} sets kept, {len(visitor.queued)} of {len(jobs)} trainings shown, "
        f"{busy} of {N_KILLS} kills while one ran"
    )
    assert busy >= 5 and len(jobs) >= 5 and len(visitor.kept) >= 5
    assert server.workers() == [job.id for job in jobs]
    for job in jobs:
        steps = server.steps(job.id)
        assert steps == sorted(set(steps))
