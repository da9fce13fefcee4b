"""What the tests of commands share: settings, a small library, and a way to run one."""

from unittest.mock import patch

import pytest
from made_library import make_library
from raising import values_of

from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.core.translation import translated
from subclust.text.encoders import load_encoder

SUBJECTS = {
    "tax": "stamp duty and sugar tax laws angered the merchants of the colony in year {}",
    "army": "the army marched with muskets and cannon to the siege of the fort in year {}",
    "fish": "cod and herring fishing fed the harbour towns and their salt trade in year {}",
}


@pytest.fixture
def settings(tmp_path, monkeypatch):
    settings = Settings(data_dir=tmp_path / "data", models_dir=tmp_path / "models", device="cpu")
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(settings.models_dir))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.setenv("SUBCLUST_DEVICE", "cpu")
    monkeypatch.delenv("SUBCLUST_BENCHMARK_DATA_DIR", raising=False)
    return Settings.from_environment()


@pytest.fixture
def library(settings):
    passages = [
        Passage(f"{name}{year}", text.format(year), title="Colony", label=name)
        for name, text in SUBJECTS.items()
        for year in range(1760, 1768)
    ]
    return make_library(settings.library_dir, load_encoder(settings), passages, "small")


class Idle:
    """Stands for a launcher, and leaves the work to the test."""

    backend = "local"
    one_per_device = True

    def start(self, job, store):
        return job

    def is_alive(self, job):
        return job.pid is not None and job.outcome is None


class Told(str):
    """Standard error, and the values in the places of its last sentence."""

    values = {}


def runner(main, capsys):
    """Return what runs a command, and returns its exit status, standard output and error.

    `refused` of it expects status 1, no output, and one sentence with these values in its places.
    """

    def call(*words):
        with patch("subclust.cli.printing.translated", side_effect=translated) as telling:
            try:
                status = main([str(word) for word in words])
            except SystemExit as stop:
                status = stop.code
        out, err = capsys.readouterr()
        err = Told(err)
        if telling.called:
            err.values = values_of(telling.call_args.args[0])
        return status, out, err

    def refused(*words, **values):
        status, out, err = call(*words)
        assert (status, out, err.count("\n")) == (1, "", 1), err
        assert values.items() <= err.values.items(), err

    call.refused = refused
    return call
