"""Ways to divide the hits of a question: found from the hits, and from fields of their records."""

from subclust.pipeline.ways.asked import in_way
from subclust.pipeline.ways.division import DividedSubtopics, Division, ValueNamer
from subclust.pipeline.ways.fields import field_of
from subclust.pipeline.ways.suggest import DIRECTIONS, OF_METHOD, Divisible, is_read, suggested
from subclust.pipeline.ways.way import FIELD, Way

__all__ = [
    "DIRECTIONS",
    "FIELD",
    "OF_METHOD",
    "DividedSubtopics",
    "Divisible",
    "Division",
    "ValueNamer",
    "Way",
    "field_of",
    "in_way",
    "is_read",
    "suggested",
]
