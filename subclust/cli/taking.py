"""What ``search`` and ``sessions`` do alike with an answer: a file of it, or a session."""

from datetime import date
from pathlib import Path

from subclust.exceptions import InputError
from subclust.exports import Report, format_of, written
from subclust.methods import METHODS
from subclust.records import SubtopicMap
from subclust.sessions import Origin, SessionHeader, SessionStore, session_of
from subclust.settings import Settings


def export_to(path: Path, subtopics: SubtopicMap, origin: Origin) -> None:
    """Write groups to a file, in the format that its ending names.

    Raises
    ------
    InputError
        If no format has this ending, or the file cannot be written.
    """
    kind = format_of(path)
    card = METHODS.get(subtopics.method)
    made_by = f"{card.label}: {card.summary}" if card else ""
    report = Report(subtopics, origin, made_by, day=date.today().isoformat())
    replace_file(path, written(report, kind))


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside its place and rename it there.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise InputError(
            "{path} could not be written ({reason}); choose another place.",
            path=path,
            reason=error.strerror,
        ) from None


def keep(settings: Settings, name: str, subtopics: SubtopicMap, origin: Origin) -> SessionHeader:
    """Keep an answer as a session, as the page does.

    Raises
    ------
    SubclustError
        One of its children, if it cannot be kept under this name.
    """
    address = {
        "q": subtopics.query.text,
        "about": subtopics.query.description or "",
        "context": subtopics.query.context,
        "library": subtopics.library,
        "method": subtopics.method,
        "groups": str(subtopics.n_clusters) if subtopics.n_clusters_source == "user" else "",
        "map": subtopics.projection,
    }
    kept = session_of(
        subtopics, (), origin, address={key: value for key, value in address.items() if value}
    )
    return SessionStore(settings.sessions_dir).save(kept, name)
