"""``python -m benchmarks tasks``."""

import argparse
import json
from dataclasses import asdict

from subclust.core.settings import Settings
from subclust.judging.tasks import task_cards


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tasks``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """List the labelled tasks and where their files are looked for."""
    cards = task_cards()
    if arguments.json:
        print(json.dumps({"tasks": [asdict(card) for card in cards]}, ensure_ascii=False))
        return
    print(f"{'task':30} {'split':10} {'queries':>8} {'passages':>9} {'subtopics':>10}  licence")
    for card in cards:
        labels = f"{card.n_labels:.1f}" if card.n_labels else "-"
        print(
            f"{card.name:30} {card.split:10} {card.n_queries:8,} {card.n_passages:9,} "
            f"{labels:>10}  {card.licence}"
        )
    folder = settings.benchmark_data_dir or "not set: SUBCLUST_BENCHMARK_DATA_DIR"
    print(
        f"Subtopics are the mean of a query. Folder of the files: {folder}; --json tells the rest."
    )
