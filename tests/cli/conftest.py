import pytest
from command_fixtures import library, runner, settings  # noqa: F401 - fixtures

from subclust.cli import main


@pytest.fixture
def run(capsys):
    return runner(main, capsys)


class Idle:
    """Stands for a launcher, and leaves the work to the test."""

    backend = "local"
    one_per_device = True

    def start(self, job, store):
        return job

    def is_alive(self, job):
        return job.pid is not None and job.outcome is None


@pytest.fixture
def idle(monkeypatch):
    monkeypatch.setattr("subclust.cli.give_way", lambda: None)
    monkeypatch.setattr("subclust.cli.jobs.launcher_of", lambda _settings: Idle())
