"""Names for groups of passages."""

from subclust.grouping.naming.base import SubtopicNamer
from subclust.grouping.naming.ctfidf import ClassTfidfNamer
from subclust.grouping.naming.evidence import bears_out, evidence
from subclust.grouping.naming.keyphrases import KeyphraseNamer
from subclust.grouping.naming.language_model import LanguageModelNamer
from subclust.grouping.naming.medoid import MedoidNamer, telling_passages
from subclust.grouping.naming.plain import PlainTfidfNamer

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
