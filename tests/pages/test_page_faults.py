"""Pages while disk or memory fails: one sentence, no traceback, and the next run is whole."""

import errno

import pytest
from app_files import APP
from disk_faults import READS, WRITES
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.testing.v1 import AppTest

from subclust.core.storage import presence
from subclust.ui.explore import search
from subclust.ui.i18n import language
from subclust.ui.starting import show_fault

FAULTS = {
    **{name: OSError(number, "no", "/data/x") for name, number in (WRITES | READS).items()},
    "memory": MemoryError(),
    "memory of PyTorch": RuntimeError("DefaultCPUAllocator: can't allocate memory"),
    "Lance": RuntimeError("LanceError(IO): Stale file handle (os error 116)"),
}


@pytest.fixture(autouse=True)
def as_served(monkeypatch):
    """Hand the app's own handler to every run, as `subclust.ui.asgi` does."""
    make = ScriptRunner.__init__

    def made(self, *given, **named):
        make(self, *given, **named)
        self._on_script_error = show_fault

    monkeypatch.setattr(ScriptRunner, "__init__", made)


def opened():
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["method"] = "tfidf"
    return app.run()


@pytest.mark.parametrize("spoken", ["en", "de"])
@pytest.mark.parametrize("error", FAULTS.values(), ids=FAULTS)
def test_an_answer_that_fails_of_disk_or_memory_says_so(monkeypatch, error, spoken):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(language, "language", lambda: spoken)
    app = opened()
    with monkeypatch.context() as patch:
        patch.setattr(search, "open_pipeline", fail)
        app.query_params["q"] = "another question"
        app.run()
    assert not app.exception
    (told,) = [one.value for one in app.error]
    assert "Traceback" not in told and "\n" not in told and "Error" not in told
    assert app.run().error == [] or not app.error


def test_the_programs_own_mistakes_are_left_to_streamlit():
    assert show_fault(ValueError("a mistake")) is False
    assert show_fault(FileNotFoundError(errno.ENOENT, "no")) is False


def test_a_data_folder_that_is_gone_is_told_and_the_page_is_there_when_it_is_back(
    tmp_path, data_dir
):
    (data_dir / presence.VERSION_FILE).write_text("{}")
    presence.watch(data_dir)
    try:
        aside = data_dir.rename(data_dir.with_name("unmounted"))
        app = opened()
        (told,) = [one.value for one in app.error]
        assert data_dir.name in told.replace("\\", "") and not app.exception
        aside.rename(data_dir)
        assert not app.run().error and not app.exception
    finally:
        presence.watch(None)
        (data_dir / presence.VERSION_FILE).unlink()
