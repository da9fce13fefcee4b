"""``python -m subclust models``."""

import argparse
import getpass
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.checkpoints.promoting import promote_checkpoint
from subclust.checkpoints.summary import compare_checkpoints, summarise
from subclust.cli.models_text import say_comparison, say_history, say_list
from subclust.cli.options import add_actions
from subclust.core.settings import Settings
from subclust.deleting import models_needed
from subclust.deleting.removal import delete_model
from subclust.methods import METHODS, find_method, load_method

ACTIONS = {
    "list": "all checkpoints; the same as no action",
    "show": "what a checkpoint was trained on and how it scores",
    "compare": "two checkpoints side by side: where they differ, and their scores",
    "promote": "make a checkpoint its method's default",
    "rollback": "go back to the default before",
    "history": "who promoted what, when and why",
    "export": "write a checkpoint to a zip file",
    "import": "take a checkpoint from a zip file",
    "remove": "delete a checkpoint that nothing needs",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``models``."""
    for name, action in add_actions(parser, ACTIONS).items():
        match name:
            case "compare":
                for which in ("first", "second"):
                    action.add_argument(which, help="METHOD/NAME, or METHOD for its default")
            case "import":
                action.add_argument("file", type=Path, metavar="FILE.zip")
                action.add_argument("--name", help="for it here, by default the one it had")
            case "history":
                action.add_argument("method", nargs="?", help="or 'default'; all if not given")
            case "show" | "promote" | "rollback" | "export" | "remove":
                action.add_argument("method", help="or 'default', for the default method itself")
        if name in ("show", "promote", "export", "remove"):
            action.add_argument("name", nargs="?" if name in ("show", "promote") else None)
        if name == "export":
            action.add_argument("file", type=Path, metavar="FILE.zip")
        if name == "promote":
            action.add_argument(
                "--as-default", action="store_true", help="make its method the default method too"
            )
            action.add_argument(
                "--reason", help="needed where held-out queries do not show that it is better"
            )
        if name in ("promote", "rollback"):
            action.add_argument("--by", metavar="WHO", help="for the history; by default you")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there."""
    store = CheckpointStore.of(settings)
    value, say = _ACTIONS[arguments.action or "list"](arguments, settings, store)
    print(json.dumps(value) if arguments.json else say(value))


Said = tuple[dict[str, Any], Callable[[dict[str, Any]], str]]


def _list(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    found = [summarise(store, method, name) for method in METHODS for name in store.names(method)]
    return {"models": [one.to_dict() for one in found]}, say_list


def _show(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    checkpoint = store.load(find_method(arguments.method, store).name, arguments.name)
    summary = summarise(store, checkpoint.method, checkpoint.name)
    folder = store.place(checkpoint.method, checkpoint.name)
    value = {
        "config": checkpoint.config,
        "card": checkpoint.card,
        "summary": summary.to_dict(),
        "protected": store.protected(checkpoint.method, checkpoint.name, models_needed(settings)),
    }
    return value, lambda _: (folder / "README.md").read_text(encoding="utf-8")


def _compare(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    first, second = (_address(given, store) for given in (arguments.first, arguments.second))
    return compare_checkpoints(store, first, second), say_comparison


def _promote(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    from subclust.text.encoders import load_encoder

    method = find_method(arguments.method, store).name
    name = arguments.name or store.promoted(method)
    load_method(method, store, load_encoder(settings), name)  # what cannot search is not put in use
    promote_checkpoint(
        store,
        method,
        name,
        as_default=arguments.as_default,
        who=arguments.by or _account(),
        reason=arguments.reason,
    )
    return {"method": method, "promoted": name}, _say


def _rollback(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    method = arguments.method
    if method != DEFAULT_METHOD:
        method = find_method(method, store).name
    promoted = store.roll_back(method, who=arguments.by or _account())
    return {"method": method, "promoted": promoted}, _say


def _history(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    if arguments.method in (None, DEFAULT_METHOD):
        methods = [DEFAULT_METHOD, *(METHODS if arguments.method is None else ())]
    else:
        methods = [find_method(arguments.method, store).name]
    histories = {method: store.history(method, undone=True) for method in methods}
    rows = [
        {"method": method, **one.to_dict(), "in_use": place == store.current(method)}
        for method, history in histories.items()
        for place, one in enumerate(history)
    ]
    return {"history": rows}, say_history


def _export(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    method = find_method(arguments.method, store).name
    path = export_checkpoint(store, method, arguments.name, arguments.file)
    return {"file": str(path)}, _say


def _import(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    checkpoint = import_checkpoint(store, arguments.file, set(METHODS), name=arguments.name)
    return {"method": checkpoint.method, "name": checkpoint.name}, _say


def _remove(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    method = find_method(arguments.method, store).name
    delete_model(settings, method, arguments.name)
    return {"removed": arguments.name}, _say


_ACTIONS = {
    "list": _list,
    "show": _show,
    "compare": _compare,
    "promote": _promote,
    "rollback": _rollback,
    "history": _history,
    "export": _export,
    "import": _import,
    "remove": _remove,
}


def _address(given: str, store: CheckpointStore) -> tuple[str, str]:
    method, _, name = given.partition("/")
    method = find_method(method, store).name
    return method, name or store.promoted(method)


def _account() -> str | None:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as containers have
        return None


def _say(value: dict[str, Any]) -> str:
    return ", ".join(f"{key} {item}" for key, item in value.items())
