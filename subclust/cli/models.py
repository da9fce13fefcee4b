"""``models`` and ``encoders``: what there is to choose from, and its upkeep."""

import argparse
import getpass
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore
from subclust.checkpoints.archive import export_checkpoint, import_checkpoint
from subclust.checkpoints.card import VERDICTS
from subclust.checkpoints.promoting import promote_checkpoint
from subclust.checkpoints.summary import compare_checkpoints, summarise
from subclust.cli.options import add_actions
from subclust.cli.printing import said, show
from subclust.core.messages import N_, Message
from subclust.core.settings import Settings
from subclust.deleting import models_needed
from subclust.deleting.removal import delete_model
from subclust.methods import METHODS, find_method, load_method
from subclust.text.encoders.backends import BACKENDS, choose_backend, ranked, this_processor


def add_encoders(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``encoders``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run_encoders(arguments: argparse.Namespace, settings: Settings) -> None:
    """List what can compute the embeddings here, what does, and why not the others."""
    processor = this_processor()
    device = settings.resolve_device()
    chosen = choose_backend(settings.encoder_backend, device)
    reasons = {name: backend.why_not(processor) for name, backend in BACKENDS.items()}
    measured = [backend.name for backend in ranked(processor)]
    value = {
        "encoder": settings.encoder,
        "asked": settings.encoder_backend,
        "in_use": chosen.name if chosen else None,
        "device": device,
        "processor": processor.kind,
        "bfloat16": processor.bfloat16,
        "measured": measured,
        "not_usable": {name: why for name, why in reasons.items() if why},
    }
    lines = []
    for name, backend in BACKENDS.items():
        state, why = Message("can be used"), reasons[name] or ""
        if backend is chosen or why:
            state = Message("in use" if backend is chosen else "not here")
        lines.append(f"{name:14} {backend.label:24} {said(state):12} {said(why)}".rstrip())
    lines.append(
        Message(
            "{encoder} is computed by {backend} ({setting} is set)."
            if chosen
            else "{encoder} is computed by PyTorch, as {device} computes best ({setting} is set).",
            encoder=settings.encoder,
            backend=chosen.label if chosen else "",
            device=device,
            setting=settings.encoder_backend,
        )
    )
    if not measured:
        lines.append(
            Message(
                "Nothing was measured on such a processor ({processor}): auto stays with PyTorch. "
                "'python -m benchmarks encoders --save' measures it.",
                processor=processor.kind,
            )
        )
    show(arguments, value, *lines)


_HELP = {
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


def add_models(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``models``."""
    for name, action in add_actions(parser, _HELP).items():
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
            # It may also follow the method after a slash, as in the list.
            action.add_argument("name", nargs="?")
            action.set_defaults(wrong_usage=action.error)
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


def run_models(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there."""
    store = CheckpointStore.of(settings)
    if arguments.action in ("show", "promote", "export", "remove"):
        _name_apart(arguments)
    value, lines = _ACTIONS[arguments.action or "list"](arguments, settings, store)
    show(arguments, value, *lines)


def _name_apart(arguments: argparse.Namespace) -> None:
    """Take METHOD/NAME apart where both are one word."""
    if arguments.name is None:
        arguments.method, _, name = arguments.method.partition("/")
        arguments.name = name or None
    if arguments.name is None and arguments.action in ("export", "remove"):
        arguments.wrong_usage("the following arguments are required: name")


Said = tuple[dict[str, Any], Iterable[str]]


def _list(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    found = [summarise(store, method, name) for method in METHODS for name in store.names(method)]
    value = {"models": [one.to_dict() for one in found]}
    return value, [*map(_line, value["models"])] or [Message("No checkpoints yet.")]


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
    return value, [(folder / "README.md").read_text(encoding="utf-8")]


def _compare(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    first, second = (_address(given, store) for given in (arguments.first, arguments.second))
    value = compare_checkpoints(store, first, second)
    return value, _comparison(value)


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
    return _facts(method=method, promoted=name)


def _rollback(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    method = arguments.method
    if method != DEFAULT_METHOD:
        method = find_method(method, store).name
    promoted = store.roll_back(method, who=arguments.by or _account())
    return _facts(method=method, promoted=promoted)


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
    return {"history": rows}, [*map(_event, rows)] or [Message("Nothing has been promoted yet.")]


def _export(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    method = find_method(arguments.method, store).name
    path = export_checkpoint(store, method, arguments.name, arguments.file)
    return _facts(file=str(path))


def _import(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    checkpoint = import_checkpoint(store, arguments.file, set(METHODS), name=arguments.name)
    return _facts(method=checkpoint.method, name=checkpoint.name)


def _remove(arguments: argparse.Namespace, settings: Settings, store: CheckpointStore) -> Said:
    method = find_method(arguments.method, store).name
    delete_model(settings, method, arguments.name)
    return _facts(removed=arguments.name)


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


_FACTS = {
    "method": N_("method {value}"),
    "promoted": N_("promoted {value}"),
    "file": N_("file {value}"),
    "name": N_("name {value}"),
    "removed": N_("removed {value}"),
}


def _facts(**value: Any) -> Said:
    """Return what was done, as it is printed with and without ``--json``."""
    told = (said(Message(_FACTS[key], value=item)) for key, item in value.items())
    return value, [", ".join(told)]


def _line(row: Mapping[str, Any]) -> str:
    """Return a checkpoint's line."""
    marks = ""
    if row["default"] or row["promoted"]:
        marks = f" {said(Message('default' if row['default'] else 'promoted'))}"
    scores = ", ".join(f"{k} {v:.4g}" for k, v in row["scores"].items())
    verdict = row["judgement"].get("verdict")
    judged = ""
    if verdict:
        told = Message("judged: {verdict}", verdict=said(VERDICTS.get(verdict, verdict)))
        judged = f"  {said(told)}"
    return f"{row['method']}/{row['name']}{marks}  {scores}{judged}"


def _event(row: Mapping[str, Any]) -> str:
    """Return the line of a promotion."""
    parts = [
        row["when"] or Message("before times were recorded"),
        f"{row['method']}: {row['name']}",
    ]
    if row["who"]:
        parts.append(Message("by {who}", who=row["who"]))
    if row["why"]:
        parts.append(Message("because: {reason}", reason=row["why"]))
    if row["undone"]:
        who = Message(" by {who}", who=row["undone_by"]) if row["undone_by"] else ""
        parts.append(Message("rolled back {time}{who}", time=row["undone"], who=who))
    use = f" ({said(Message('in use'))})" if row["in_use"] else ""
    return ", ".join(map(said, parts)) + use


def _comparison(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield scores side by side, then the facts and settings that differ."""
    first, second = (f"{one['method']}/{one['name']}" for one in (value["first"], value["second"]))
    judged = value["judged"]
    same = judged is not None or value["same_data"]
    rows = [("", first, second, said(Message("second minus first")) if same else "")]
    for row in value["scores"] if judged is None else judged["scores"]:
        told = same and row["difference"] is not None
        difference = f"{row['difference']:+.4g}" if told else ""
        rows.append((row["score"], _short(row["first"]), _short(row["second"]), difference))
    for row in value["differences"]:
        rows.append((row["field"], _short(row["first"]), _short(row["second"]), ""))
    widths = [min(max(len(row[i]) for row in rows), 44) for i in range(3)]
    for *cells, last in rows:
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        yield "  ".join([*padded, last]).rstrip()
    if judged is not None:
        yield Message("Both were measured on {data}.", data=judged["measured_on"])
    elif not value["same_data"]:
        yield Message(
            "The scores were not measured on the same held-out questions, so they do not show "
            "which of the two is better."
        )


def _short(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
