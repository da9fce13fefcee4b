"""Names for groups of passages."""

from subclust.naming.base import SubtopicNamer
from subclust.naming.ctfidf import ClassTfidfNamer
from subclust.naming.medoid import MedoidNamer, telling_passages

__all__ = ["ClassTfidfNamer", "MedoidNamer", "SubtopicNamer", "telling_passages"]
