"""``python -m subclust methods``."""

import argparse
import json
from dataclasses import asdict

from subclust.checkpoints import CheckpointStore
from subclust.core.settings import Settings
from subclust.methods import METHODS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``methods``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """List the methods and their checkpoints."""
    store = CheckpointStore.of(settings)
    rows = [{**asdict(card), "checkpoints": store.names(card.name)} for card in METHODS.values()]
    if arguments.json:
        print(json.dumps({"methods": rows}, ensure_ascii=False))
        return
    for row in rows:
        trained = f" [{', '.join(row['checkpoints']) or 'not trained yet'}]"
        print(f"{row['name']:16} {row['summary']}{trained if row['needs_checkpoint'] else ''}")
