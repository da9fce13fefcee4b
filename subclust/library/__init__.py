"""Passage libraries on disk: schema, adding, searching. They take vectors and never make them."""

from subclust.library.own_encoder import settings_of, with_own_encoder
from subclust.library.passage_library import PassageLibrary
from subclust.library.schema import FoundPassages

__all__ = ["FoundPassages", "PassageLibrary", "settings_of", "with_own_encoder"]
