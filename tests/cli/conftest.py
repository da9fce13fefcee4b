import pytest
from command_fixtures import Idle, library, runner, settings  # noqa: F401 - fixtures
from stub_model import stub  # noqa: F401 - a fixture

from subclust.cli import main


@pytest.fixture
def run(capsys):
    return runner(main, capsys)


@pytest.fixture
def idle(monkeypatch):
    monkeypatch.setattr("subclust.cli.give_way", lambda: None)
    monkeypatch.setattr("subclust.jobs.opening._launcher_of", lambda _settings: Idle())
