"""The name of the "other passages", which no method gives, in the visitor's language."""

from dataclasses import replace

from subclust.core.records import OTHER_PASSAGES, OTHER_PASSAGES_NAME, SubtopicMap
from subclust.ui.i18n.language import N_, _

_NAME = N_("Other passages")


def in_visitors_language(subtopics: SubtopicMap) -> SubtopicMap:
    """Call the other passages as the visitor does; the same map where it calls them so."""
    return _called(subtopics, _(_NAME))


def as_recorded(subtopics: SubtopicMap) -> SubtopicMap:
    """Call the other passages as everything that is kept does, whoever reads it later."""
    return _called(subtopics, OTHER_PASSAGES_NAME)


def _called(subtopics: SubtopicMap, name: str) -> SubtopicMap:
    if all(one.id != OTHER_PASSAGES or one.name == name for one in subtopics.subtopics):
        return subtopics
    return replace(
        subtopics,
        subtopics=tuple(
            replace(one, name=name) if one.id == OTHER_PASSAGES else one
            for one in subtopics.subtopics
        ),
    )
