"""Passage libraries on disk: schema, adding, searching. They take vectors and never make them."""

from subclust.library.passage_library import PassageLibrary
from subclust.library.schema import FoundPassages

__all__ = ["FoundPassages", "PassageLibrary"]
