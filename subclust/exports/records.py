"""What the writers of files are given, and what is known of how it came about."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from subclust import __version__
from subclust.core.exceptions import InputError
from subclust.core.records import SubtopicMap
from subclust.sessions import Origin
from subclust.text.retrieval import read_as, understood

_CONTEXTS = {
    "title": "the question",
    "description": "the question in more words",
    "passages": "what the found passages have in common",
}


UNANSWERED = (
    "Nothing in the library seems to answer the question; these are the passages nearest to it."
)
"""Said first of groups of what does not answer their question."""


@dataclass(frozen=True)
class Report:
    """The groups of a query, with what a reader must know to judge and to cite them.

    Parameters
    ----------
    subtopics : SubtopicMap
    origin : Origin or None
        What made them, where it is known.
    made_by : str
        The method in a sentence, for people.
    address : str
        That shows the same on the page; empty where there is none.
    day : str
        When the file was made, ``YYYY-MM-DD``; empty where the file is not to tell.
    searched : str
        The question by which the passages were found; empty where they were given.
    """

    subtopics: SubtopicMap
    origin: Origin | None = None
    made_by: str = ""
    address: str = ""
    day: str = ""
    searched: str = ""


@dataclass(frozen=True)
class FileFormat:
    """A kind of file that groups can be exported as.

    Parameters
    ----------
    suffix : str
        With its dot; the ending of a name decides the format.
    mime : str
    writer : str
        ``"module:function"`` below ``subclust.exports``; the function takes a `Report` and
        returns the file's bytes.
    label : str
        Its name on a button.
    purpose : str
        What it is good for, in a sentence.
    """

    suffix: str
    mime: str
    writer: str
    label: str
    purpose: str


Writer = Callable[[Report], bytes]


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """Yield the file to write, which takes the place of another when the context ends well.

    Raises
    ------
    InputError
        If it cannot be written; nothing is left beside the other then.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.unlink(missing_ok=True)
        yield beside
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InputError(
            "{path} cannot be written ({reason}); choose another place.",
            path=path,
            reason=error.strerror or error,
        ) from error


def facts(report: Report) -> list[tuple[str, str | int]]:
    """List what is known, in the order in which it is told; nothing empty."""
    subtopics, origin = report.subtopics, report.origin
    source = subtopics.n_clusters_source
    is_other = report.searched != subtopics.query.text
    chosen_by = "the reader" if source == "user" else f"the program ({source})"
    found: list[tuple[str, str | int | None]] = [
        ("Question", subtopics.query.text),
        ("In more words", subtopics.query.description),
        ("Found by the question", report.searched if is_other else None),
        ("Read as", " ".join(map(str, understood(report.searched).told))),
        ("Groups follow", _CONTEXTS[subtopics.query.context]),
        ("Passages", sum(group.size for group in subtopics.subtopics)),
        ("Answered", UNANSWERED if subtopics.answered is False else None),
        ("Hits in no group, probably about something else", len(subtopics.set_aside) or None),
        ("Groups", subtopics.n_clusters),
        ("Number of groups chosen by", chosen_by),
        ("Library", subtopics.library),
        ("Passages in the library", origin.n_passages if origin else None),
        ("Library revision", origin.library_revision if origin else None),
        ("Method", subtopics.method),
        ("How it works", report.made_by),
        ("Model", subtopics.checkpoint),
        ("Model revision", origin.model_revision if origin else None),
        ("Encoder", origin.encoder if origin else None),
        ("Encoder revision", origin.encoder_revision if origin else None),
        ("Seed", subtopics.seed),
        ("Map", subtopics.projection),
        ("Made with", f"Subclust {origin.subclust if origin else __version__}"),
        ("Made on", report.day),
        ("Address", report.address),
    ]
    return [(name, value) for name, value in found if value not in (None, "")]


def write_json(report: Report) -> bytes:
    """Write one object on one line."""
    value = report.subtopics.to_dict() | read_as(report.searched)
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
