from pathlib import Path

import pytest
import themed_library
from kept_corrections import keep
from test_themes import opened

from subclust.core.settings import Settings
from subclust.jobs import JobStore


@pytest.fixture
def place(tmp_path, monkeypatch):
    themed_library.build(tmp_path)
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    return Settings.from_environment()


def asked(page):
    return [one.label for one in page.multiselect]


def test_themes_are_learnt_from_corrections_where_there_are_some(place, launcher):
    page = opened(whole="themed")
    page.selectbox(key="themes-method").set_value("fcl").run()
    assert asked(page) == [] and page.info
    keep(place.corrections_dir, "my-groups", [[0, 3], [1, 4]])
    keep(place.corrections_dir, "too-little", [[0], [1]])
    keep(place.corrections_dir, "elsewhere", [[0, 3], [1]], library="demo")
    page.run()
    assert len(asked(page)) == 1
    choice = page.multiselect(key="themes-corrections")
    assert set(choice.options) == {"my-groups", "too-little"}
    assert page.button(key="themes-find").disabled
    choice.set_value(["too-little"]).run()
    assert page.info
    page.multiselect(key="themes-corrections").set_value(["my-groups"]).run()
    assert not page.info and not page.button(key="themes-find").disabled
    page.button(key="themes-find").click().run()
    (job,) = [one for one in JobStore(place.jobs_dir).jobs() if one.kind == "themes"]
    path = Path(job.argv[job.argv.index("--pairs") + 1])
    assert path.is_file() and path.parent.parent == place.themes_dir
    assert page.query_params["themes"] == job.title.rpartition("/")[2]
    page.selectbox(key="themes-method").set_value("scl").run()
    assert asked(page) == []
