import sys
from types import SimpleNamespace

import pytest
import small_library
from app_files import APP, PAGES
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest
from train_runs_made import NoLauncher

from subclust.text.ingest import preview
from subclust.training.estimates.desk import TrialDesk
from subclust.ui import state
from subclust.ui.components import resources
from subclust.ui.explore import map as neighbourhood
from subclust.ui.explore.correct import desk as correct_desk
from subclust.ui.library import correcting
from subclust.ui.models import use as models_use
from subclust.ui.train import start as train_estimate


@pytest.fixture(scope="session", autouse=True)
def short_lives():
    """Spare each page what pays for a server alone.

    It looks for components in all installed packages, where there are none, and collects garbage
    once a model has come to stay: half of what these tests compute. The collection is yielded.
    """
    collect = resources._set_aside_for_good
    with pytest.MonkeyPatch.context() as patch:
        register = "discover_and_register_components"
        patch.setattr(BidiComponentManager, register, lambda *_, **__: None)
        patch.setattr(resources, "_set_aside_for_good", lambda: None)
        yield collect


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    small_library.build(folder, "demo")
    small_library.build(folder, "lonely", 1)
    small_library.build(folder, "tiny", 3)
    small_library.build(folder, "empty", 0)
    return folder


@pytest.fixture(autouse=True)
def settings(data_dir, tmp_path, monkeypatch):
    """A machine with four small libraries, the test encoder, and no trained model."""
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(data_dir))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("SUBCLUST_SHIPPED_MODELS_DIR", str(tmp_path / "shipped"))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    # Compiling takes ten seconds of a core, and these tests look at no neighbourhood map.
    monkeypatch.setattr(neighbourhood, "warm_up", lambda: None)


@pytest.fixture(autouse=True)
def looked_into_here(in_this_process, monkeypatch):
    """Start no process for each file that is brought."""
    monkeypatch.setattr(correcting, "call_apart", preview.call_apart)


@pytest.fixture(autouse=True)
def visitor(monkeypatch):
    """No number of the browser, so that no draft outlives a page; a test may give one."""
    monkeypatch.setattr(correct_desk, "visitor", lambda: "")
    return lambda number: monkeypatch.setattr(correct_desk, "visitor", lambda: number)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch):
    """What is said of other questions before a model is used; measuring it takes seconds."""
    asked = []

    def judged(new, before, *_):
        asked.append((new.checkpoint, before.checkpoint))
        return SimpleNamespace(
            methods=(
                SimpleNamespace(name=f"{new.method}/{new.checkpoint}", means={"ari": 0.222}),
                SimpleNamespace(name=f"{before.method}/{before.checkpoint}", means={"ari": 0.111}),
            ),
            verdict="better",
            n_queries=24,
        )

    monkeypatch.setattr(models_use, "_judged", judged)
    return asked


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """Put back what runs: a page leaves itself there, and processes that are spawned run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def one_source_of_each_value(caplog, monkeypatch):
    """Hold every page to what Streamlit warns of once: a default beside a value that was set."""
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    yield
    warned = [line for line in caplog.messages if "with a default value but also had" in line]
    assert warned == []


@pytest.fixture(autouse=True)
def trials(monkeypatch):
    """Give what was asked of the trials, which tell at once and start no process."""
    asked = []

    def estimate(words, settings, *, stop, gently):
        asked.append(words)
        return SimpleNamespace(headline="About 3 minutes <and> 600 MB.", details="96 steps")

    desk = TrialDesk(estimate)
    monkeypatch.setattr(train_estimate, "_desk", lambda: desk)
    return asked


@pytest.fixture
def launcher(monkeypatch):
    """Start no job: the tests of the Train page look at records."""
    made = NoLauncher()
    monkeypatch.setattr("subclust.jobs.opening._launcher_of", lambda settings: made)
    return made


@pytest.fixture
def open_page():
    """Open the Explore page at an address, as a new visitor, who may have begun to correct."""

    def open_at(*, correcting=False, **params):
        page = AppTest.from_file(PAGES / "explore.py", default_timeout=60)
        page.session_state[state.CORRECTING] = correcting
        for name, value in ({"method": "centred-cosine"} | params).items():
            if value is not None:
                page.query_params[name] = value
        page.run()
        assert not page.exception
        return page

    return open_at


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder of the test's own."""
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def visit(data, launcher):
    """Open the Library page at an address, as a new visitor."""

    def at(**params):
        # By way of the app, since the page links to another one.
        page = AppTest.from_file(APP, default_timeout=120)
        for name, value in params.items():
            page.query_params[name] = value
        page.switch_page("pages/library.py").run()
        assert not page.exception
        return page

    return at
