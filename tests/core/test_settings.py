import os
import re
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from app_files import PAGES
from raising import raises

import subclust
from subclust.core.exceptions import SettingsError
from subclust.core.settings import PROJECT_ROOT, Settings

SOURCES = Path(subclust.__file__).parent


def test_without_variables_the_defaults_hold():
    settings = Settings.from_environment()
    assert settings == Settings()
    assert settings.data_dir == PROJECT_ROOT / "data"
    assert settings.models_dir == PROJECT_ROOT / "data" / "models"
    assert settings.benchmark_data_dir is None
    assert settings.offline
    assert (PROJECT_ROOT / "pyproject.toml").is_file()


@pytest.mark.parametrize(
    ("variable", "text", "field", "value"),
    [
        ("SUBCLUST_DATA_DIR", "/srv/data", "data_dir", Path("/srv/data")),
        ("SUBCLUST_MODELS_DIR", "models2", "models_dir", Path("models2")),
        ("SUBCLUST_SHIPPED_MODELS_DIR", "models3", "shipped_models_dir", Path("models3")),
        ("SUBCLUST_BENCHMARK_DATA_DIR", "/b", "benchmark_data_dir", Path("/b")),
        ("SUBCLUST_ENCODER", "all-mpnet-base-v2", "encoder", "all-mpnet-base-v2"),
        ("SUBCLUST_ENCODER_BACKEND", "openvino", "encoder_backend", "openvino"),
        ("SUBCLUST_MAX_SEQ_LENGTH", "256", "max_seq_length", 256),
        ("SUBCLUST_MAX_SEQ_LENGTH", "8", "max_seq_length", 8),
        ("SUBCLUST_DEVICE", "cuda", "device", "cuda"),
        ("SUBCLUST_DEVICE", "mps", "device", "mps"),
        ("SUBCLUST_OFFLINE", "0", "offline", False),
        ("SUBCLUST_JOBS", "http://head:8265", "jobs_backend", "http://head:8265"),
        ("SUBCLUST_READ_ONLY", "1", "read_only", True),
        ("SUBCLUST_OFFLINE", "No", "offline", False),
        ("SUBCLUST_OFFLINE", "TRUE", "offline", True),
        ("SUBCLUST_LLM_URL", "https://h.org/v1", "llm_url", "https://h.org/v1"),
        ("SUBCLUST_LLM_URL", "http://localhost:1", "llm_url", "http://localhost:1"),
        ("SUBCLUST_LLM_MODEL", "small-1", "llm_model", "small-1"),
        ("SUBCLUST_LLM_KEY", "secret", "llm_key", "secret"),
        ("SUBCLUST_NAMES", "words", "names", "words"),
        ("WORLD_SIZE", "4", "n_workers", 4),
        ("LOCAL_RANK", "3", "local_worker", 3),
    ],
)
def test_each_variable_sets_its_field(monkeypatch, variable, text, field, value):
    monkeypatch.setenv(variable, text)
    settings = Settings.from_environment()
    assert getattr(settings, field) == value
    # And no other, but for the models, which lie in the data folder.
    assert {
        name for name in vars(settings) if getattr(settings, name) != getattr(Settings(), name)
    } <= {field, *(["models_dir"] if field == "data_dir" else [])}
    assert settings.models_dir == (value / "models" if field == "data_dir" else settings.models_dir)


@pytest.mark.parametrize(
    "variable",
    ["DATA_DIR", "MODELS_DIR", "BENCHMARK_DATA_DIR", "ENCODER", "MAX_SEQ_LENGTH", "DEVICE"],
)
def test_an_empty_variable_is_as_good_as_none(monkeypatch, variable):
    monkeypatch.setenv(f"SUBCLUST_{variable}", "")
    assert Settings.from_environment() == Settings()


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("SUBCLUST_DEVICE", "gpu"),
        ("SUBCLUST_DEVICE", "CPU"),
        ("SUBCLUST_OFFLINE", "maybe"),
        ("SUBCLUST_MAX_SEQ_LENGTH", "7"),
        ("SUBCLUST_MAX_SEQ_LENGTH", "-128"),
        ("SUBCLUST_MAX_SEQ_LENGTH", "1e3"),
        ("SUBCLUST_MAX_SEQ_LENGTH", "²"),
        ("SUBCLUST_JOBS", "ray://head:10001"),
        ("SUBCLUST_JOBS", "http://"),
        ("SUBCLUST_LLM_URL", "localhost:11434"),
        ("SUBCLUST_NAMES", "poems"),
        ("SUBCLUST_LLM_URL", "file:///etc/passwd"),
        ("SUBCLUST_LLM_URL", "https://me:key@h.org/v1"),
        ("WORLD_SIZE", "0"),
        ("LOCAL_RANK", "first"),
        ("SUBCLUST_METRICS_PORT", "65536"),
        ("SUBCLUST_METRICS_PORT", "-1"),
        ("SUBCLUST_DATA_DIR", "s3://bucket/data"),
        ("SUBCLUST_DATA_DIR", __file__),
        ("SUBCLUST_MODELS_DIR", __file__),
        ("SUBCLUST_LIBRARIES", __file__),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(monkeypatch, variable, text):
    monkeypatch.setenv(variable, text)
    with raises(SettingsError, value=text) as refused:
        Settings.from_environment()
    assert str(refused.value).startswith(variable)


def test_a_folder_below_a_file_is_refused_and_a_missing_one_is_not(monkeypatch, tmp_path):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path / "a" / "b"))
    assert Settings.from_environment().data_dir == tmp_path / "a" / "b"
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(Path(__file__) / "a" / "b"))
    with raises(SettingsError, name="SUBCLUST_DATA_DIR", value=__file__):
        Settings.from_environment()


def test_another_process_in_another_folder_has_the_same_settings(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("SUBCLUST_BENCHMARK_DATA_DIR", "/somewhere")
    mine = Settings(Path("data"), Path("models"), None, "hashing", 64, "cpu", False, "http://h:1")
    environment = mine.to_environment()
    assert environment["PATH"] == os.environ["PATH"]
    assert environment["PYTHONPATH"].split(os.pathsep)[0] == str(PROJECT_ROOT)
    for name in ("WORLD_SIZE", *environment):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path.parent)
    theirs = Settings.from_environment()
    assert theirs == replace(mine, data_dir=tmp_path / "data", models_dir=tmp_path / "models")


def test_the_key_of_a_language_model_is_neither_shown_nor_handed_to_jobs():
    settings = Settings(llm_url="http://h/v1", llm_model="m", llm_key="secret")
    assert "secret" not in repr(settings)
    assert not any("LLM" in name for name in settings.variables())


def test_folders_lie_below_the_data_folder(tmp_path):
    settings = Settings(data_dir=tmp_path)
    assert settings.library_dir == tmp_path / "library"
    assert settings.embeddings_dir == tmp_path / "embeddings"
    assert settings.jobs_dir == tmp_path / "jobs"
    # Nothing is made by asking.
    assert list(tmp_path.iterdir()) == []


def test_settings_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Settings().device = "cpu"


@pytest.mark.parametrize(
    ("cuda", "mps", "chosen"),
    [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_auto_takes_the_fastest_device_there_is(monkeypatch, cuda, mps, chosen):
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: mps)
    assert Settings().resolve_device() == chosen
    assert Settings(device="cpu").resolve_device() == "cpu"


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_said(monkeypatch, device):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    with raises(SettingsError, device=device):
        Settings(device=device).resolve_device()


def test_nothing_else_reads_the_environment():
    readers = [
        str(path.relative_to(SOURCES))
        for path in [
            *SOURCES.rglob("*.py"),
            *(PAGES).glob("*.py"),
        ]
        if re.search(
            r"os\.(environ|getenv)|from os import (environ|getenv)", path.read_text("utf-8")
        )
        and path.name != "settings.py"
    ]
    assert readers == []
