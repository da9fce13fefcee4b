"""``python -m subclust import``."""

import argparse
import json
import sys
from pathlib import Path

from subclust.cli.demo import prepare_for_default
from subclust.cli.progress import progress_bar
from subclust.encoders import load_encoder
from subclust.ingest.local import ingest
from subclust.settings import Settings
from subclust.sources import SOURCES
from subclust.sources.opening import open_source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``import``."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--library", required=True, help="its name; made when it is not there")
    parser.add_argument("--format", default="auto", choices=["auto", *SOURCES])
    parser.add_argument("--collection", help="part of the library; by default the file's name")
    parser.add_argument("--json", action="store_true", help="print the report as one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import each file and say what became of every row."""
    encoder = load_encoder(settings)
    reports = []
    for path in arguments.files:
        source = open_source(path, arguments.format, arguments.collection)
        report = ingest(
            source,
            encoder,
            settings.library_dir,
            arguments.library,
            progress=progress_bar(f"Importing {path.name}"),
        )
        reports.append(report)
        if not arguments.json:
            print(f"{path.name}: {report}")
        for refusal in report.refusals:
            print(f"  {refusal.place}: {refusal.reason} {refusal.advice}", file=sys.stderr)
    prepare_for_default(settings, encoder, arguments.library)
    if arguments.json:
        rows = [
            {
                "file": path.name,
                "n_read": report.n_read,
                "n_imported": report.n_imported,
                "n_unchanged": report.n_unchanged,
                "n_refused": report.n_refused,
                "refusals": [
                    {"place": r.place, "reason": r.reason, "advice": r.advice}
                    for r in report.refusals
                ],
            }
            for path, report in zip(arguments.files, reports, strict=True)
        ]
        print(json.dumps({"library": arguments.library, "files": rows}, ensure_ascii=False))
