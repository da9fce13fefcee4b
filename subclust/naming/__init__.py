"""Names for groups of passages."""

from subclust.naming.base import SubtopicNamer
from subclust.naming.ctfidf import ClassTfidfNamer
from subclust.naming.evidence import bears_out, evidence
from subclust.naming.keyphrases import KeyphraseNamer
from subclust.naming.language_model import LanguageModelNamer
from subclust.naming.medoid import MedoidNamer, telling_passages
from subclust.naming.plain import PlainTfidfNamer

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
