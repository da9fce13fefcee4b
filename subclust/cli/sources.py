"""``python -m subclust sources``."""

import argparse
import json
import textwrap
from dataclasses import asdict

from subclust.cli.options import add_actions
from subclust.core.settings import Settings
from subclust.text.ingest.harvest import HarvestState
from subclust.text.sources import SOURCES
from subclust.text.sources.live import LIVE
from subclust.text.sources.live.opening import why_off

ACTIONS = {
    "list": "the live sources and whether each is switched on; no one is asked",
    "harvests": "what is or was harvested, and how far it has come",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``sources``."""
    add_actions(parser, ACTIONS)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """List live sources or harvests. Nothing is sent to anybody."""
    if arguments.action == "harvests":
        _harvests(arguments, settings)
        return
    rows = []
    for card in LIVE.values():
        access = settings.live_access(card.name)
        rows.append(
            {
                "name": card.name,
                "label": card.label,
                "summary": card.summary,
                "on": not why_off(settings, card),
                "why_off": why_off(settings, card),
                "contact": access.contact if access else "",
                "has_key": bool(access and access.key),
                "urls": list(access.urls)
                if access and access.urls
                else [card.url][: bool(card.url)],
                "pause_seconds": card.pause,
                "searchable": card.searchable,
                "rules": card.rules,
            }
        )
    if arguments.json:
        formats = [
            {"name": card.name, "label": card.label, "extensions": list(card.extensions)}
            for card in SOURCES.values()
        ]
        print(json.dumps({"live": rows, "formats": formats}, ensure_ascii=False))
        return
    for row in rows:
        print(f"{row['name']:12} {'on ' if row['on'] else 'off'}  {row['label']}: {row['summary']}")
        if row["why_off"]:
            print(textwrap.indent(textwrap.fill(str(row["why_off"]), 84), " " * 18))


def _harvests(arguments: argparse.Namespace, settings: Settings) -> None:
    states = HarvestState.all(settings.harvests_dir)
    damaged = HarvestState.damaged(settings.harvests_dir)
    if arguments.json:
        rows = [{"name": state.name, **asdict(state)} for state in states]
        value = {"harvests": rows, "damaged": [one.to_dict() for one in damaged]}
        print(json.dumps(value, ensure_ascii=False))
        return
    for state in states:
        print(f"{state.source:12} {state.collection}\n{'':12} {state}")
    print(*damaged, sep="\n", end="\n" if damaged else "")
