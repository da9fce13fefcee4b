"""``python -m subclust sessions``."""

import argparse
from pathlib import Path
from typing import Any

from subclust.api.results import Grouping
from subclust.cli.options import add_actions, add_sharing, sharing_line, sharing_of
from subclust.cli.printing import counted, passages, show
from subclust.cli.search.search import in_words
from subclust.core.exceptions import InputError
from subclust.core.messages import N_, Message
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_session
from subclust.exports import replace_file
from subclust.sessions import Change, Session, SessionHeader, SessionStore, changes, kept_groups
from subclust.sessions.records import MAX_BYTES, SUFFIX
from subclust.text.retrieval import read_as

_ACTIONS = {
    "list": "all sessions, last saved first; the same as no action",
    "show": "the groups of a session as they were saved; --json prints the object of 'search'",
    "check": "whether the same search would give the same groups now",
    "rename": "give a session another name",
    "export": f"write a session to a file ({SUFFIX}), or its groups to one of 'search --export'",
    "import": f"take a session from a {SUFFIX} file, after checking all of it",
    "share": "say who may open a session, where people sign in",
    "delete": "delete a session; 'bin' puts it back for 30 days",
}


def add_sessions(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sessions``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        if name == "import":
            action.add_argument("file", type=Path, metavar=f"FILE{SUFFIX}")
        elif name != "list":
            action.add_argument("session", help="its id, or its name if no other has it")
        if name == "share":
            add_sharing(action)
        if name == "rename":
            action.add_argument("name", help="the new one")
        if name == "export":
            action.add_argument("file", type=Path, metavar="FILE")


def run_sessions(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there."""
    store = SessionStore(settings.sessions_dir)
    match arguments.action or "list":
        case "list":
            found, damaged = store.headers(), store.damaged()
            value: dict[str, Any] = {
                "sessions": [header.model_dump() for header in found],
                "damaged": [one.to_dict() for one in damaged],
            }
            lines = [*map(_line, found), *map(str, damaged)]
            show(arguments, value, *(lines or [Message("No session is saved.")]))
        case "import":
            header = store.take(_read(arguments.file))
            show(arguments, header.model_dump(), _line(header))
        case action:
            show(arguments, *_one(action, arguments, settings, store))


def _one(
    action: str, arguments: argparse.Namespace, settings: Settings, store: SessionStore
) -> tuple[Any, ...]:
    """Return what `show` prints."""
    id_ = store.find(arguments.session)
    if action == "rename":
        header = store.rename(id_, arguments.name)
        return header.model_dump(), _line(header)
    if action == "share":
        header = store.share(id_, *sharing_of(arguments))
        return header.model_dump(), sharing_line(header.name, header)
    if action == "delete":
        delete_session(settings, id_)
        return {"deleted": id_}, Message("Deleted {name}.", name=id_)
    wrote = {"file": str(arguments.file)} if action == "export" else {}
    if action == "export" and arguments.file.suffix.lower() == SUFFIX:
        replace_file(arguments.file, store.export(id_))
        return wrote, Message("Wrote {file}.", **wrote)
    header, session = store.load(id_)
    if action == "export":
        Grouping(kept_groups(session), session.origin, session.searched).export(arguments.file)
        return wrote, Message("Wrote {file}.", **wrote)
    if action == "check":
        found = _changes_now(session, settings)
        same = Message("Nothing has changed since: the same search would give the same groups.")
        value = {"id": id_, "changes": [vars(change) for change in found]}
        return value, *([_changed(one) for one in found] or [same])
    groups = kept_groups(session)
    told = in_words(groups, searched=session.searched)
    return groups.to_dict() | read_as(session.searched), _line(header), *told


def _changed(change: Change) -> Message:
    """Return in a sentence what has changed since a session was saved."""
    template = {
        "library": N_("The library has changed: it had {then} passages then and has {now} now."),
        "encoder": N_("The encoder was {then} then; it is {now} now."),
        "model": N_("The groups were made by {then}; {now} is in use now."),
        "program": N_("It was saved by Subclust {then}; this is {now}."),
    }[change.kind]
    return Message(template, then=change.then, now=change.now)


def _changes_now(session: Session, settings: Settings) -> tuple[Change, ...]:
    from subclust.pipeline.load import load_pipeline

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


def _line(header: SessionHeader) -> Message:
    return Message(
        "{id}  {saved}  {name}: {question!r}, {passages} in {groups} ({library}, {method})",
        **header.model_dump(),
        passages=passages(header.n_passages),
        groups=counted(header.n_groups, N_("{count:,} group"), N_("{count:,} groups")),
    )
