"""Under what conditions a result was made, and how it is written."""

import json
import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from subclust import __version__
from subclust.core.settings import PROJECT_ROOT
from subclust.core.storage.disk import write_whole
from subclust.text.encoders import Encoder

_PACKAGES = ("torch", "sentence-transformers", "scikit-learn", "scipy", "numpy", "lancedb")


def story(encoder: Encoder, device: str, seed: int = 0) -> dict[str, Any]:
    """Return under what conditions a result was made.

    Returns
    -------
    dict
        Seed, commit (``None`` outside a repository), versions, encoder, device and processor count.
    """
    return {
        "seed": seed,
        "encoder": encoder.name,
        "encoder_revision": encoder.revision,
        "precision": getattr(getattr(encoder, "encoder", encoder), "precision", None),
        **circumstances(device),
    }


def circumstances(device: str) -> dict[str, Any]:
    """Return where a result was made: commit, device, processor and versions."""
    return {
        "commit": _commit(),
        "device": device,
        "processor": platform.machine(),
        "versions": {
            "subclust": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
    }


def write(path: Path, value: Mapping[str, Any]) -> Path:
    """Write a result file whole or not at all."""
    write_whole(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n", durable=False)
    return path


def _commit() -> str | None:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=PROJECT_ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()
