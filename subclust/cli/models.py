"""``python -m subclust models``."""

import argparse
import json
from pathlib import Path
from typing import Any

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.exceptions import CheckpointNotFoundError
from subclust.methods import METHODS, find_method
from subclust.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``models``."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, help_text in (
        ("list", "all checkpoints; the same as no action"),
        ("show", "what a checkpoint was trained on and how it scores"),
        ("promote", "make a checkpoint its method's default"),
        ("rollback", "go back to the default before"),
        ("export", "write a checkpoint to a zip file"),
        ("import", "take a checkpoint from a zip file"),
        ("remove", "delete a checkpoint"),
    ):
        action = actions.add_parser(name, help=help_text)
        if name == "import":
            action.add_argument("file", type=Path, metavar="FILE.zip")
        elif name != "list":
            action.add_argument("method", help="or 'default', for the default method itself")
        if name in ("show", "promote", "export", "remove"):
            action.add_argument("name", nargs="?" if name in ("show", "promote") else None)
        if name == "export":
            action.add_argument("file", type=Path, metavar="FILE.zip")
        if name == "promote":
            action.add_argument(
                "--as-default", action="store_true", help="make its method the default method too"
            )
        action.add_argument("--json", action="store_true", help="print one object")
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there."""
    store = CheckpointStore(settings.models_dir)
    match arguments.action:
        case None | "list":
            _say(arguments, {"models": _rows(store)})
        case "show":
            checkpoint = store.load(find_method(arguments.method, store).name, arguments.name)
            if arguments.json:
                print(json.dumps({"config": checkpoint.config, "card": checkpoint.card}))
            else:
                folder = store.folder / checkpoint.method / checkpoint.name
                print((folder / "README.md").read_text(encoding="utf-8"))
        case "promote":
            method = find_method(arguments.method, store).name
            name = arguments.name or store.promoted(method)
            store.promote(method, name, as_default=arguments.as_default)
            _say(arguments, {"method": method, "promoted": name})
        case "rollback":
            method = arguments.method
            if method != DEFAULT_METHOD:
                method = find_method(method, store).name
            _say(arguments, {"method": method, "promoted": store.roll_back(method)})
        case "export":
            method = find_method(arguments.method, store).name
            path = export_checkpoint(store, method, arguments.name, arguments.file)
            _say(arguments, {"file": str(path)})
        case "import":
            checkpoint = import_checkpoint(store, arguments.file, set(METHODS))
            _say(arguments, {"method": checkpoint.method, "name": checkpoint.name})
        case "remove":
            store.remove(find_method(arguments.method, store).name, arguments.name)
            _say(arguments, {"removed": arguments.name})


def _rows(store: CheckpointStore) -> list[dict[str, Any]]:
    try:
        default = store.default_method()
    except CheckpointNotFoundError:
        default = None
    rows = []
    for method in METHODS:
        for name in store.names(method):
            rows.append(
                {
                    "method": method,
                    "name": name,
                    "promoted": name == store.promoted(method),
                    "default": method == default and name == store.promoted(method),
                    "scores": dict(store.load(method, name).card.get("scores", {})),
                }
            )
    return rows


def _say(arguments: argparse.Namespace, value: dict[str, Any]) -> None:
    if arguments.json:
        print(json.dumps(value))
    elif "models" in value:
        for row in value["models"]:
            marks = " default" if row["default"] else " promoted" if row["promoted"] else ""
            scores = ", ".join(f"{k} {v:.4g}" for k, v in row["scores"].items())
            print(f"{row['method']}/{row['name']}{marks}  {scores}")
        if not value["models"]:
            print("No checkpoints yet.")
    else:
        print(", ".join(f"{key} {item}" for key, item in value.items()))
