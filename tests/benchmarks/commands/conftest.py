import pytest
from command_fixtures import library, runner, settings  # noqa: F401 - fixtures

from benchmarks.__main__ import main


@pytest.fixture
def run(capsys):
    return runner(main, capsys)
