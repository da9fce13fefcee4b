"""The installation that ``make`` starts, with a pip that installs nothing."""

import importlib.util
import os
import subprocess
import sys

import pytest

from subclust.core.settings import PROJECT_ROOT

SAID = """Collecting torch==1.0
  Downloading torch-1.0.whl (200.1 MB)
WARNING: Running pip as the 'root' user
Installing collected packages: torch, numpy
"""


def loaded():
    spec = importlib.util.spec_from_file_location("install", PROJECT_ROOT / "install.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def install(monkeypatch):
    """Give the module, for a machine with a card."""
    module = loaded()
    monkeypatch.setattr(module.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(module, "lacks_card", lambda: False)
    monkeypatch.chdir(PROJECT_ROOT)
    return module


def run(module, monkeypatch, *statuses):
    """Install with a pip that ends with these statuses, one a call; return status and calls."""
    real = subprocess.Popen
    asked, left = [], list(statuses)

    def fake(command, **options):
        asked.append(command[command.index("install") + 1 :])
        program = f"import sys; print({SAID!r}); sys.exit({left.pop(0)})"
        return real([sys.executable, "-c", program], **options)

    monkeypatch.setattr(module.subprocess, "Popen", fake)
    return module.main(["--editable", "."]), asked


def test_one_attempt_is_enough_and_warnings_are_not_told(install, monkeypatch, capfd):
    status, asked = run(install, monkeypatch, 0)
    assert status == 0 and len(asked) == 1
    assert asked[0][-2:] == ["--editable", "."]
    said = capfd.readouterr()
    assert "WARNING" not in said.out + said.err
    assert "2 packages" in said.out


def test_it_is_tried_three_times_and_then_told(install, monkeypatch, capfd):
    status, asked = run(install, monkeypatch, 1, 1, 1)
    assert status == 1 and len(asked) == 3
    assert "Collecting torch==1.0" in capfd.readouterr().err


@pytest.mark.parametrize("has_build", [True, False])
def test_without_a_card_the_build_without_cuda_is_tried_first(install, monkeypatch, has_build):
    monkeypatch.setattr(install, "lacks_card", lambda: True)
    monkeypatch.setattr(install, "is_installed", lambda name: False)
    status, asked = run(install, monkeypatch, 0 if has_build else 1, 0)
    assert status == 0 and len(asked) == 2
    assert asked[0][-1] == f"torch=={install.torch_version()}+cpu"
    assert install.CPU_INDEX in asked[0] and install.CPU_INDEX not in asked[1]


def test_what_is_installed_is_not_asked_for_again(install, monkeypatch):
    monkeypatch.setattr(install, "lacks_card", lambda: True)
    assert run(install, monkeypatch, 0)[1] == [["--progress-bar", "off", "--editable", "."]]


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for a card")
def test_a_card_is_found_by_what_linux_has_of_it(tmp_path, monkeypatch):
    module = loaded()
    monkeypatch.setattr(module, "_CARD", (str(tmp_path / "card"),))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert module.lacks_card()
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\n")
    os.chmod(tmp_path / "nvidia-smi", 0o755)
    assert not module.lacks_card()
