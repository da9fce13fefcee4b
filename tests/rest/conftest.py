import pytest
from command_fixtures import Idle, library, runner, settings  # noqa: F401 - fixtures
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from subclust.cli import main
from subclust.rest.application import PREFIX, application


@pytest.fixture
def run(capsys):
    return runner(main, capsys)


@pytest.fixture
def serve(settings):  # noqa: F811
    """Serve the API to clients of this process, which share it: making it takes a while."""
    made = []

    def start(accounts=None, **headers):
        app = next((app for known, app in made if known is accounts), None)
        if app is None:
            app = Starlette(routes=[Mount(PREFIX, application(settings, accounts))])
            made.append((accounts, app))
        return TestClient(app, base_url=f"http://localhost{PREFIX}", headers=headers)

    return start


@pytest.fixture
def client(serve, library):  # noqa: F811
    return serve()


@pytest.fixture
def idle(monkeypatch):
    monkeypatch.setattr("subclust.jobs.opening._launcher_of", lambda _settings: Idle())
