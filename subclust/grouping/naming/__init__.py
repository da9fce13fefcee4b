"""Names for groups of passages."""

from subclust.grouping.naming.base import SubtopicNamer
from subclust.grouping.naming.heading_namer import HeadingNamer
from subclust.grouping.naming.language_model import LanguageModelNamer
from subclust.grouping.naming.sections import headings_above
from subclust.grouping.naming.telling import telling_passages
from subclust.grouping.naming.words import bears_out, evidence

__all__ = [
    "HeadingNamer",
    "LanguageModelNamer",
    "SubtopicNamer",
    "bears_out",
    "evidence",
    "headings_above",
    "telling_passages",
]
