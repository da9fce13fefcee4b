"""``python -m subclust corrections``."""

import argparse
import json
import textwrap
from datetime import datetime
from pathlib import Path
from typing import Any

from subclust.cli.options import add_actions
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.deleting.removal import delete_corrections
from subclust.labelled.corrections import (
    CorrectionStore,
    SavedCorrections,
    as_csv,
    as_json_lines,
    contradictions,
    pairs_as_csv,
    pairs_as_json_lines,
    training_set,
    undisputed_pairs,
)
from subclust.labelled.sets.files import told_plainly, written_whole

_ACTIONS = {
    "list": "all that were saved; the same as no action",
    "show": "the groups after the corrections, and what they were made on",
    "export": "a labelled set to train on: query, text, label",
    "pairs": "pairs of passages of the same and of different subtopics, and contradictions",
    "delete": "delete what was saved under a name; 'bin' puts it back for seven days",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``corrections``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        if name in ("show", "delete"):
            action.add_argument("name", metavar="NAME")
        if name in ("export", "pairs"):
            action.add_argument(
                "names", nargs="+", metavar="NAME", help="of one question or of several"
            )
            action.add_argument(
                "--to",
                type=Path,
                metavar="FILE",
                help=".csv or .jsonl; printed as JSON Lines if not given",
            )
        if name == "export":
            action.add_argument(
                "--judged", action="store_true", help="only passages that were placed or accepted"
            )


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what is there.

    Raises
    ------
    SubclustError
        If there are no such corrections, they are damaged, or the file cannot be written.
    """
    store = CorrectionStore(settings.corrections_dir)
    match arguments.action:
        case None | "list":
            found, damaged = store.all(), store.damaged()
            lines = [*map(_line, found), *map(str, damaged)] or ["No corrections are saved yet."]
            value = {
                "corrections": [one.facts() for one in found],
                "damaged": [one.to_dict() for one in damaged],
            }
            _say(arguments, value, "\n".join(lines))
        case "show":
            saved = store.load(arguments.name)
            _say(arguments, {"facts": saved.facts(), **saved.to_dict()}, _in_words(saved))
        case "export":
            _export(arguments, [store.load(name) for name in arguments.names])
        case "pairs":
            _pairs(arguments, [store.load(name) for name in arguments.names])
        case "delete":
            delete_corrections(settings, arguments.name)
            _say(arguments, {"deleted": arguments.name}, f"Deleted {arguments.name}.")


def _export(arguments: argparse.Namespace, saved: list[SavedCorrections]) -> None:
    made = training_set(saved, only_judged=arguments.judged)
    sentences, disputed = [str(one) for one in made.told], contradictions(saved)
    if not made.instances:
        raise InputError(
            "There is nothing to learn from in these corrections. {why}", why=made.told[-1]
        )
    written = {"csv": as_csv, "jsonl": as_json_lines}
    value = {
        "n_queries": len(made.instances),
        "n_passages": made.n_passages,
        "told": sentences,
        "contradictions": [one.to_dict() for one in disputed],
    }
    if arguments.to is None:
        rows = as_json_lines(made.instances).decode().splitlines()
        _print(arguments, value | {"queries": [json.loads(row) for row in rows]}, rows)
        return
    _write(arguments.to, written[_format(arguments.to)](made.instances))
    told = [
        f"Wrote {arguments.to}: {len(made.instances):,} queries, {made.n_passages:,} passages.",
        *sentences,
        *(str(one.told) for one in disputed),
    ]
    _say(arguments, value | {"file": str(arguments.to)}, "\n".join(told))


def _pairs(arguments: argparse.Namespace, saved: list[SavedCorrections]) -> None:
    pairs, disputed = undisputed_pairs(saved), contradictions(saved)
    value: dict[str, Any] = {
        "n_same": sum(pair.same for pair in pairs),
        "n_different": sum(not pair.same for pair in pairs),
        "contradictions": [one.to_dict() for one in disputed],
    }
    if arguments.to is None:
        rows = pairs_as_json_lines(pairs).decode().splitlines()
        _print(arguments, value | {"pairs": [pair.to_dict() for pair in pairs]}, rows)
        return
    written = {"csv": pairs_as_csv, "jsonl": pairs_as_json_lines}
    _write(arguments.to, written[_format(arguments.to)](pairs))
    told = [
        f"Wrote {arguments.to}: {value['n_same']:,} pairs of the same subtopic, "
        f"{value['n_different']:,} of different ones.",
        *(str(one.told) for one in disputed),
    ]
    _say(arguments, value | {"file": str(arguments.to)}, "\n".join(told))


def _format(path: Path) -> str:
    ending = path.suffix.lower().removeprefix(".")
    if ending not in ("csv", "jsonl"):
        raise InputError(
            "{file} must end in .csv or .jsonl, which says how to write it.", file=path.name
        )
    return ending


def _write(path: Path, content: bytes) -> None:
    with (
        told_plainly(Message("{file} cannot be written", file=path)),
        written_whole(path) as partial,
    ):
        partial.write_bytes(content)


def _line(saved: SavedCorrections) -> str:
    facts = saved.facts()
    return (
        f"{saved.name}: {facts['n_edits']:,} corrections of “{saved.basis.query}” in "
        f"{saved.basis.library} ({facts['n_passages']:,} passages in {facts['n_groups']:,} groups, "
        f"{facts['n_judged']:,} judged), {datetime.fromtimestamp(saved.saved):%Y-%m-%d %H:%M}"
    )


def _in_words(saved: SavedCorrections) -> str:
    basis = saved.basis
    model = f", model {basis.checkpoint} {basis.model}".rstrip() if basis.checkpoint else ""
    lines = [
        _line(saved),
        f"made on groups by {basis.method}{model}; data {basis.data[:12]}, encoder "
        f"{basis.encoder}, Subclust {basis.subclust}",
    ]
    for group in saved.groups:
        lines.append(f"\n{group.name} ({len(group.passages)})")
        for passage in group.passages:
            told = f" [{passage.judgement}]" if passage.judgement else ""
            text = textwrap.shorten(passage.text, 90, placeholder=" …")
            lines.append(f"    {passage.id}{told}: {text}")
    return "\n".join(lines)


def _print(arguments: argparse.Namespace, value: dict[str, Any], rows: list[str]) -> None:
    _say(arguments, value, "\n".join(rows))


def _say(arguments: argparse.Namespace, value: dict[str, Any], words: str) -> None:
    print(json.dumps(value, ensure_ascii=False) if arguments.json else words)
