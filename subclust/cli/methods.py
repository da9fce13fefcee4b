"""``methods``: a list that imports little, since somebody waits for it."""

import argparse
from dataclasses import asdict

from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import said, show
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.methods import METHODS


def add_methods(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``methods``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run_methods(arguments: argparse.Namespace, settings: Settings) -> None:
    """List the methods and their checkpoints."""
    store = CheckpointStore.of(settings)
    rows, lines = [], []
    for card in METHODS.values():
        names = store.names(card.name)
        rows.append({**asdict(card), "checkpoints": names})
        trained = ", ".join(names) or said(Message("not trained yet"))
        line = f"{card.name:16} {said(card.summary)}"
        lines.append(f"{line} [{trained}]" if card.needs_checkpoint else line)
    show(arguments, {"methods": rows}, *lines)
