"""The documents that passages are cut from."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from subclust.core.records.boilerplate import without_labels
from subclust.core.records.query import Passage


class Ranked(Protocol):
    """A passage with its rank: a `Hit`, or one on the map."""

    @property
    def passage(self) -> Passage:
        """Return the passage."""

    @property
    def rank(self) -> int:
        """Return its rank among the hits, from 1."""


_Ranked = TypeVar("_Ranked", bound=Ranked)


def document_of(passage_id: str) -> str:
    """Return the id of a passage's document: its own without the final ``#n``."""
    # isdigit alone also accepts characters such as "²".
    head, mark, number = passage_id.rpartition("#")
    return head if mark and number.isascii() and number.isdigit() else passage_id


def documents_by_text(passages: Iterable[Passage]) -> dict[str, str]:
    """Return the document of each text without its labels: its title, or its id without one."""
    return {
        without_labels(passage.text): passage.title or document_of(passage.id)
        for passage in passages
    }


def by_document(members: Iterable[_Ranked]) -> list[list[_Ranked]]:
    """Gather the passages of each document.

    Returns
    -------
    list of list
        Documents in the order of the first passage of each; that passage first, then the others of
        the document, best hit first. Records that somebody numbered so are told by their titles.
    """
    documents: dict[tuple[str, str], list[_Ranked]] = {}
    for member in members:
        key = document_of(member.passage.id), member.passage.title
        documents.setdefault(key, []).append(member)
    return [
        [first, *sorted(others, key=lambda one: one.rank)] for first, *others in documents.values()
    ]
