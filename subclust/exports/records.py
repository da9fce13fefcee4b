"""What the writers of files are given."""

from collections.abc import Callable
from dataclasses import dataclass

from subclust.core.records import SubtopicMap
from subclust.sessions import Origin


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
    """

    subtopics: SubtopicMap
    origin: Origin | None = None
    made_by: str = ""
    address: str = ""
    day: str = ""


@dataclass(frozen=True)
class FileFormat:
    """A kind of file that groups can be taken away as.

    Parameters
    ----------
    suffix : str
        With its dot; the ending of a name decides the format.
    mime : str
    writer : str
        ``"module:function"`` below ``subclust.exports``; the function takes a `Report` and gives
        the file's bytes.
    """

    suffix: str
    mime: str
    writer: str


Writer = Callable[[Report], bytes]
