"""The recipes of the papers' tables, a folder a paper; no two have the same file name."""

from pathlib import Path

FOLDER = Path(__file__).parent
