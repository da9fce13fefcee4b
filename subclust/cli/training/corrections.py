"""``python -m subclust corrections``."""

import argparse
import json
import textwrap
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from subclust.cli.options import add_actions, add_sharing, sharing_line, sharing_of
from subclust.cli.printing import said, show
from subclust.core.exceptions import InputError
from subclust.core.messages import N_, Message
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
from subclust.labelled.corrections.replay import Judgement
from subclust.labelled.sets.files import told_plainly, written_whole

_ACTIONS = {
    "list": "all that were saved; the same as no action",
    "show": "the groups after the corrections, and what they were made on",
    "export": "a labelled set to train on: query, text, label",
    "pairs": "pairs of passages of the same and of different subtopics, and contradictions",
    "share": "say who may load them, where people sign in",
    "delete": "delete what was saved under a name; 'bin' puts it back for 30 days",
}

_JUDGEMENTS: dict[Judgement, str] = {
    "placed": N_("placed"),
    "accepted": N_("accepted"),
    "unsure": N_("unsure"),
}


def add_corrections(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``corrections``."""
    for name, action in add_actions(parser, _ACTIONS).items():
        if name in ("show", "share", "delete"):
            action.add_argument("name", metavar="NAME")
        if name == "share":
            add_sharing(action)
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


def run_corrections(arguments: argparse.Namespace, settings: Settings) -> None:
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
            value = {
                "corrections": [one.facts() for one in found],
                "damaged": [one.to_dict() for one in damaged],
            }
            lines = [*map(_line, found), *map(str, damaged)]
            show(arguments, value, *(lines or [Message("No corrections are saved yet.")]))
        case "show":
            saved = store.load(arguments.name)
            show(arguments, {"facts": saved.facts(), **saved.to_dict()}, *_in_words(saved))
        case "export":
            _export(arguments, [store.load(name) for name in arguments.names])
        case "pairs":
            _pairs(arguments, [store.load(name) for name in arguments.names])
        case "share":
            saved = store.share(arguments.name, *sharing_of(arguments))
            value = {field: getattr(saved, field) for field in ("name", "owner", "shared", "team")}
            show(arguments, value, sharing_line(saved.name, saved))
        case "delete":
            delete_corrections(settings, arguments.name)
            told = Message("Deleted {name}.", name=arguments.name)
            show(arguments, {"deleted": arguments.name}, told)


def _export(arguments: argparse.Namespace, saved: list[SavedCorrections]) -> None:
    made = training_set(saved, only_judged=arguments.judged)
    sentences, disputed = [str(one) for one in made.told], contradictions(saved)
    if not made.instances:
        raise InputError(
            "There is nothing to learn from in these corrections. {why}", why=made.told[-1]
        )
    value = {
        "n_queries": len(made.instances),
        "n_passages": made.n_passages,
        "told": sentences,
        "contradictions": [one.to_dict() for one in disputed],
    }
    if arguments.to is None:
        rows = as_json_lines(made.instances).decode().splitlines()
        show(arguments, value | {"queries": [json.loads(row) for row in rows]}, *rows)
        return
    _write(arguments.to, {"csv": as_csv, "jsonl": as_json_lines}, made.instances)
    value["file"] = str(arguments.to)
    wrote = Message("Wrote {file}: {n_queries:,} questions, {n_passages:,} passages.", **value)
    show(arguments, value, wrote, *sentences, *(str(one.told) for one in disputed))


def _pairs(arguments: argparse.Namespace, saved: list[SavedCorrections]) -> None:
    pairs, disputed = undisputed_pairs(saved), contradictions(saved)
    value: dict[str, Any] = {
        "n_same": sum(pair.same for pair in pairs),
        "n_different": sum(not pair.same for pair in pairs),
        "contradictions": [one.to_dict() for one in disputed],
    }
    if arguments.to is None:
        rows = pairs_as_json_lines(pairs).decode().splitlines()
        show(arguments, value | {"pairs": [pair.to_dict() for pair in pairs]}, *rows)
        return
    _write(arguments.to, {"csv": pairs_as_csv, "jsonl": pairs_as_json_lines}, pairs)
    value["file"] = str(arguments.to)
    wrote = Message(
        "Wrote {file}: {n_same:,} pairs of the same subtopic, {n_different:,} of different ones.",
        **value,
    )
    show(arguments, value, wrote, *(str(one.told) for one in disputed))


def _write(path: Path, formats: dict[str, Callable[[Any], bytes]], rows: Any) -> None:
    ending = path.suffix.lower().removeprefix(".")
    if ending not in formats:
        raise InputError(
            "{file} must end in .csv or .jsonl, which says how to write it.", file=path.name
        )
    with (
        told_plainly(Message("{file} cannot be written", file=path)),
        written_whole(path) as partial,
    ):
        partial.write_bytes(formats[ending](rows))


def _line(saved: SavedCorrections) -> Message:
    return Message(
        "{name}: {n_edits:,} corrections of “{query}” in {library} ({n_passages:,} passages in "
        "{n_groups:,} groups, {n_judged:,} judged), {when}",
        **saved.facts(),
        when=f"{datetime.fromtimestamp(saved.saved):%Y-%m-%d %H:%M}",
    )


def _in_words(saved: SavedCorrections) -> Iterator[str]:
    basis = saved.basis
    yield _line(saved)
    yield Message(
        "made on groups by {method}, model {model}; data {data}, encoder {encoder}, Subclust "
        "{subclust}"
        if basis.checkpoint
        else "made on groups by {method}; data {data}, encoder {encoder}, Subclust {subclust}",
        **vars(basis)
        | {"model": f"{basis.checkpoint} {basis.model}".rstrip(), "data": basis.data[:12]},
    )
    for group in saved.groups:
        yield f"\n{group.name} ({len(group.passages)})"
        for passage in group.passages:
            told = f" [{said(_JUDGEMENTS[passage.judgement])}]" if passage.judgement else ""
            text = textwrap.shorten(passage.text, 90, placeholder=" …")
            yield f"    {passage.id}{told}: {text}"
