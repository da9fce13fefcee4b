"""Names for groups of passages."""

from subclust.grouping.naming.base import SubtopicNamer
from subclust.grouping.naming.ctfidf import ClassTfidfNamer
from subclust.grouping.naming.keyphrases import KeyphraseNamer
from subclust.grouping.naming.language_model import LanguageModelNamer
from subclust.grouping.naming.medoid import MedoidNamer, PlainTfidfNamer, telling_passages
from subclust.grouping.naming.words import bears_out, evidence

__all__ = [
    "ClassTfidfNamer",
    "KeyphraseNamer",
    "LanguageModelNamer",
    "MedoidNamer",
    "PlainTfidfNamer",
    "SubtopicNamer",
    "bears_out",
    "evidence",
    "telling_passages",
]
