"""What Ray's own client is asked, and how its answers and errors are taken."""

import socket
import sys
import time
from contextlib import closing
from types import ModuleType, SimpleNamespace

import pytest
from raising import raises

from subclust.core.exceptions import ClusterError, SettingsError
from subclust.jobs import ray_cluster
from subclust.jobs.ray_cluster import RayCluster, RayJob


class PaperClient:
    """Ray's client as far as it is used here, with errors in the words of the real one."""

    jobs: dict[str, SimpleNamespace] = {}
    refuses = ""
    made = 0

    def __init__(self, address):
        PaperClient.made += 1

    def submit_job(self, *, submission_id, **asked):
        if submission_id in self.jobs or self.refuses:
            raise RuntimeError(
                "Request failed with status code 500: Traceback (most recent call last):\n"
                f"ValueError: {self.refuses or 'already exists'}"
            )
        told = {"status": "PENDING", "error_type": None, "message": None, "driver_exit_code": None}
        self.jobs[submission_id] = SimpleNamespace(**told, asked=asked)

    def get_job_info(self, id):
        if id not in self.jobs:
            raise RuntimeError(f"Request failed with status code 404: Job {id} does not exist.")
        return self.jobs[id]

    def stop_job(self, id):
        self.jobs[id].status = "STOPPED"


@pytest.fixture
def ray(monkeypatch):
    """Put a Ray of paper in the place of the real one."""
    modules = {name: ModuleType(name) for name in ("ray", "ray.job_submission", "ray.util")}
    modules["ray.util.state"] = ModuleType("ray.util.state")
    monkeypatch.setattr(PaperClient, "jobs", {})
    monkeypatch.setattr(PaperClient, "refuses", "")
    monkeypatch.setattr(PaperClient, "made", 0)
    modules["ray.job_submission"].JobSubmissionClient = PaperClient
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    yield modules
    ray_cluster._client.cache_clear()
    ray_cluster._told.cache_clear()


@pytest.fixture
def address():
    """Give an address that accepts connections."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_job_is_submitted_once_with_what_it_asks_for(ray, address):
    cluster = RayCluster(address)
    for _ in range(2):  # the second time by somebody who does not know of the first
        cluster.submit("one", "exec true", cpus=2, gpus=1, variables={"A": "b"})
    assert list(PaperClient.jobs) == ["one"]
    assert PaperClient.jobs["one"].asked == {
        "entrypoint": "exec true",
        "entrypoint_num_cpus": 2,
        "entrypoint_num_gpus": 1,
        "runtime_env": {"env_vars": {"A": "b"}},
        "metadata": {"program": "subclust"},
    }
    assert RayCluster(address).job("one") == RayJob("PENDING") and PaperClient.made == 1


def test_a_refusal_is_one_sentence(ray, address):
    PaperClient.refuses = "the disk is full"
    with raises(ClusterError):
        RayCluster(address).submit("one", "true", cpus=1, gpus=0, variables={})


def test_what_was_told_is_not_asked_again_at_once(ray, address, monkeypatch):
    cluster = RayCluster(address)
    cluster.submit("one", "true", cpus=1, gpus=0, variables={})
    assert cluster.job("one").status == "PENDING"
    failed = {"status": "FAILED", "error_type": SimpleNamespace(value="DIED"), "message": "Gone."}
    PaperClient.jobs["one"] = SimpleNamespace(**failed, driver_exit_code=3)
    assert cluster.job("one").status == "PENDING"
    later = time.monotonic() + ray_cluster.KNOWN_SECONDS
    monkeypatch.setattr("subclust.jobs.ray_cluster.time.monotonic", lambda: later)
    assert cluster.job("one") == RayJob("FAILED", "DIED", "Gone.", 3)


def test_a_stopped_job_is_known_to_be_stopped_at_once(ray, address):
    cluster = RayCluster(address)
    cluster.submit("one", "true", cpus=1, gpus=0, variables={})
    assert cluster.job("one").status == "PENDING"
    cluster.stop("one")
    assert cluster.job("one").status == "STOPPED"


def test_an_unknown_job_is_none(ray, address):
    assert RayCluster(address).job("absent") is None


@pytest.mark.parametrize(("state", "gpus"), [("ALIVE", True), ("DEAD", False)])
def test_only_the_cards_of_living_machines_count(ray, address, state, gpus):
    nodes = [
        SimpleNamespace(state="ALIVE", resources_total={"CPU": 4.0}),
        SimpleNamespace(state=state, resources_total={"CPU": 4.0, "GPU": 2.0}),
    ]
    ray["ray.util.state"].list_nodes = lambda **asked: nodes
    assert RayCluster(address).has_gpus() is gpus


def test_a_cluster_that_is_not_there_is_one_sentence_and_soon(ray):
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    for ask in (lambda c: c.job("one"), lambda c: c.stop("one"), lambda c: c.has_gpus()):
        began = time.monotonic()
        with raises(ClusterError):
            ask(RayCluster(f"http://127.0.0.1:{port}"))
        assert time.monotonic() - began < ray_cluster.REACH_SECONDS + 2
    assert PaperClient.made == 0


def test_a_ray_without_its_client_is_one_sentence(ray, address):
    del ray["ray.job_submission"].JobSubmissionClient
    with raises(SettingsError):
        RayCluster(address).job("one")
