"""What the writers of files are given, and what is known of how it came about."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from subclust import __version__
from subclust.core.exceptions import InputError
from subclust.core.messages import N_
from subclust.core.records import SubtopicMap
from subclust.core.translation import spoken, translated
from subclust.sessions import Origin
from subclust.text.retrieval import read_as, understood

_CONTEXTS = {
    "title": N_("the question"),
    "description": N_("the question in more words"),
    "passages": N_("what the found passages have in common"),
}


UNANSWERED = N_(
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
    language : str
        In which a file for readers is written, a key of `LANGUAGES`.
    """

    subtopics: SubtopicMap
    origin: Origin | None = None
    made_by: str = ""
    address: str = ""
    day: str = ""
    searched: str = ""
    language: str = "en"


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


def lead(report: Report) -> str:
    """Say in a sentence how much was found, and where."""
    _, _n = spoken(report.language)
    subtopics = report.subtopics
    n_passages = sum(group.size for group in subtopics.subtopics)
    return _("{passages} in {groups}, found in the library “{library}”.").format(
        passages=_n("{count} passage", "{count} passages", n_passages),
        groups=_n("{count} group", "{count} groups", subtopics.n_clusters),
        library=subtopics.library,
    )


def facts(report: Report) -> list[tuple[str, str | int]]:
    """List what is known, in the order in which it is told; nothing empty."""
    subtopics, origin = report.subtopics, report.origin
    source = subtopics.n_clusters_source
    is_other = report.searched != subtopics.query.text
    _, _n = spoken(report.language)
    chosen_by = (
        _("the reader") if source == "user" else _("the program ({source})").format(source=source)
    )
    told = understood(report.searched).told
    follow = _(_CONTEXTS[subtopics.query.context]) if subtopics.query.text else None
    answered = None if subtopics.answered is not False else _(UNANSWERED)
    version = origin.subclust if origin else __version__
    found: list[tuple[str, str | int | None]] = [
        (_("Question"), subtopics.query.text),
        (_("In more words"), subtopics.query.description),
        (_("Found by the question"), report.searched if is_other else None),
        (_("Read as"), " ".join(translated(one, report.language) for one in told)),
        (_("Groups follow"), follow),
        (_("Passages"), sum(group.size for group in subtopics.subtopics)),
        (_("Answered"), answered),
        (_("Hits in no group, probably about something else"), len(subtopics.set_aside) or None),
        (_("Groups"), subtopics.n_clusters),
        (_("Number of groups chosen by"), chosen_by),
        (_("Library"), subtopics.library),
        (_("Passages in the library"), origin.n_passages if origin else None),
        (_("Library revision"), origin.library_revision if origin else None),
        (_("Method"), subtopics.method),
        (_("How it works"), report.made_by),
        (_("Model"), subtopics.checkpoint),
        (_("Model revision"), origin.model_revision if origin else None),
        (_("Encoder"), origin.encoder if origin else None),
        (_("Encoder revision"), origin.encoder_revision if origin else None),
        (_("Seed"), subtopics.seed),
        (_("Map"), subtopics.projection),
        (_("Made with"), f"Subclust {version}"),
        (_("Made on"), report.day),
        (_("Address"), report.address),
    ]
    return [(name, value) for name, value in found if value not in (None, "")]


def write_json(report: Report) -> bytes:
    """Write one object on one line."""
    value = report.subtopics.to_dict() | read_as(report.searched)
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
