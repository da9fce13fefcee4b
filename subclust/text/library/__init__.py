"""Passage libraries on disk: schema, adding, searching. They take vectors and never make them."""

from subclust.text.library.own_encoder import settings_of, with_own_encoder
from subclust.text.library.passage_library import PassageLibrary
from subclust.text.library.schema import FoundPassages

__all__ = ["FoundPassages", "PassageLibrary", "settings_of", "with_own_encoder"]
