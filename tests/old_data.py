"""A data folder as version 0.1.0 wrote it: one of each kind of thing, and one of some deleted."""

import zipfile
from pathlib import Path

from subclust.core.settings import Settings

FILE = Path(__file__).parent / "fixtures" / "data-0.1.0.zip"


def unpack(folder: Path) -> Settings:
    """Lay it in a folder; return settings that name it."""
    with zipfile.ZipFile(FILE) as archive:
        archive.extractall(folder)
    return Settings(data_dir=folder, models_dir=folder / "models", encoder="hashing", device="cpu")
