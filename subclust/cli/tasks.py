"""``python -m subclust tasks``."""

import argparse
import json
from dataclasses import asdict

from subclust.benchmarks.retrieval_tasks import RETRIEVAL_TASKS
from subclust.benchmarks.tasks import TASKS
from subclust.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``tasks``."""
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """List the benchmark tasks and where their files are looked for."""
    cards = [*TASKS.values(), *RETRIEVAL_TASKS.values()]
    if arguments.json:
        print(json.dumps({"tasks": [asdict(card) for card in cards]}, ensure_ascii=False))
        return
    folder = settings.benchmark_data_dir or "(set SUBCLUST_BENCHMARK_DATA_DIR)"
    print(f"Files below {folder}:")
    for card in cards:
        print(f"{card.name:26} {card.split:10} {card.kind:10} {card.file}")
