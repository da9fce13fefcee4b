"""``python -m subclust sessions``."""

import argparse
import json
from pathlib import Path
from typing import Any

from subclust.api.results import Grouping
from subclust.cli.options import add_actions
from subclust.cli.search import in_words
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_session
from subclust.exports import replace_file
from subclust.sessions import Change, Session, SessionHeader, SessionStore, changes, kept_groups
from subclust.sessions.records import MAX_BYTES, SUFFIX

ACTIONS = {
    "list": "all sessions, last saved first; the same as no action",
    "show": "the groups of a session as they were saved; --json prints the object of 'search'",
    "check": "whether the same search would give the same groups now",
    "rename": "give a session another name",
    "export": f"write a session to a file ({SUFFIX}), or its groups to one of 'search --export'",
    "import": f"take a session from a {SUFFIX} file, after checking all of it",
    "delete": "delete a session; 'bin' puts it back for seven days",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sessions``."""
    for name, action in add_actions(parser, ACTIONS).items():
        if name == "import":
            action.add_argument("file", type=Path, metavar=f"FILE{SUFFIX}")
        elif name != "list":
            action.add_argument("session", help="its id, or its name if no other has it")
        if name == "rename":
            action.add_argument("name", help="the new one")
        if name == "export":
            action.add_argument("file", type=Path, metavar="FILE")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there."""
    store = SessionStore(settings.sessions_dir)
    match arguments.action or "list":
        case "list":
            found, damaged = store.headers(), store.damaged()
            value: dict[str, Any] = {
                "sessions": [header.model_dump() for header in found],
                "damaged": [one.to_dict() for one in damaged],
            }
            said = "\n".join([*map(_line, found), *map(str, damaged)]) or "No session is saved."
        case "import":
            header = store.take(_read(arguments.file))
            value, said = header.model_dump(), _line(header)
        case action:
            value, said = _one(action, arguments, settings, store)
    print(json.dumps(value, ensure_ascii=False) if arguments.json else said)


def _one(
    action: str, arguments: argparse.Namespace, settings: Settings, store: SessionStore
) -> tuple[dict[str, Any], str]:
    id_ = store.find(arguments.session)
    if action == "rename":
        header = store.rename(id_, arguments.name)
        return header.model_dump(), _line(header)
    if action == "delete":
        delete_session(settings, id_)
        return {"deleted": id_}, f"Deleted {id_}."
    if action == "export" and arguments.file.suffix.lower() == SUFFIX:
        replace_file(arguments.file, store.export(id_))
        return {"file": str(arguments.file)}, f"Wrote {arguments.file}."
    header, session = store.load(id_)
    if action == "export":
        Grouping(kept_groups(session), session.origin).export(arguments.file)
        return {"file": str(arguments.file)}, f"Wrote {arguments.file}."
    if action == "check":
        found = _changes_now(session, settings)
        same = "Nothing has changed since: the same search would give the same groups."
        value = {"id": id_, "changes": [vars(change) for change in found]}
        return value, "\n".join(map(say, found)) or same
    groups = kept_groups(session)
    return groups.to_dict(), f"{_line(header)}\n{in_words(groups)}"


def say(change: Change) -> str:
    """Say in a sentence what has changed since a session was saved."""
    match change.kind:
        case "library":
            return (
                f"The library has changed: it had {change.then} passages then and has "
                f"{change.now} now."
            )
        case "encoder":
            return f"Texts were read by {change.then} then and are by {change.now} now."
        case "model":
            return f"The groups were made by {change.then}; {change.now} is in use now."
        case "program":
            return f"It was saved by Subclust {change.then}; this is {change.now}."


def _changes_now(session: Session, settings: Settings) -> tuple[Change, ...]:
    from subclust.pipeline.query import load_pipeline

    origin = session.origin
    pipeline = load_pipeline(settings, library=origin.library, method=origin.method)
    return changes(origin, pipeline.origin())


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(
            "{file} cannot be read ({error}).", file=path, error=error.strerror
        ) from None


def _line(header: SessionHeader) -> str:
    return (
        f"{header.id}  {header.saved}  {header.name}: {header.question!r}, {header.n_passages} "
        f"passages in {header.n_groups} groups ({header.library}, {header.method})"
    )
