"""``python -m subclust import``."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from subclust.cli.demo import prepare_for_default
from subclust.cli.progress import progress_bar
from subclust.encoders import load_encoder
from subclust.exports.refused import check_ending, mended_row, refused_row, write_refused
from subclust.ingest.local import ingest
from subclust.ingest.report import IngestReport
from subclust.settings import Settings
from subclust.sources import SOURCES
from subclust.sources.opening import open_source

_MOST_TOLD = 20
"""Refusals and groups that are told on standard error; all of them are in the table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``import``."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--library", required=True, help="its name; made when it is not there")
    parser.add_argument(
        "--format", default="auto", choices=["auto", *SOURCES],
        help="auto tells it by what the file holds",
    )  # fmt: skip
    parser.add_argument("--collection", help="part of the library; by default the file's name")
    parser.add_argument(
        "--refused", type=Path, metavar="FILE",
        help="table of what was refused and mended: .csv, .tsv, .xlsx or .json",
    )  # fmt: skip
    parser.add_argument(
        "--no-near-duplicates", action="store_true",
        help="do not look for passages that say nearly the same",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the report as one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Import each file and say what became of every row."""
    if arguments.refused:
        check_ending(arguments.refused)
    encoder = load_encoder(settings)
    reports: list[tuple[Path, str, IngestReport]] = []
    for path in arguments.files:
        source = open_source(path, arguments.format, arguments.collection)
        report = ingest(
            source,
            encoder,
            settings.library_dir,
            arguments.library,
            progress=progress_bar(f"Importing {path.name}"),
            find_near_duplicates=not arguments.no_near_duplicates,
        )
        reports.append((path, source.label, report))
        _tell(path, source.label, report, on_output=not arguments.json)
    if arguments.refused:
        write_refused([row for path, _, report in reports for row in _rows(path, report)],
                      arguments.refused)  # fmt: skip
    prepare_for_default(settings, encoder, arguments.library)
    if arguments.json:
        files = [_object(path, label, report) for path, label, report in reports]
        print(json.dumps({"library": arguments.library, "files": files}, ensure_ascii=False))


def _tell(path: Path, label: str, report: IngestReport, *, on_output: bool) -> None:
    """Say how many and why on standard output, and which ones on standard error."""
    if on_output:
        print(f"{path.name} ({label}): {report}")
        for reason, count in report.reasons.items():
            print(f"  {count:,} refused: {reason}")
        near = report.near_duplicates
        if near.n_groups:
            print(
                f"  {near.n_passages:,} passages in {near.n_groups:,} groups say nearly the same; "
                "all of them were imported."
            )
    for refusal in report.refusals[:_MOST_TOLD]:
        print(f"  {refusal}", file=sys.stderr)
    if report.n_refused > _MOST_TOLD:
        print(
            f"  … and {report.n_refused - _MOST_TOLD:,} more; --refused FILE writes all of them.",
            file=sys.stderr,
        )
    for mending in report.mendings[:_MOST_TOLD]:
        print(f"  {mending.place}, mended: {mending.what}", file=sys.stderr)
    for group in report.near_duplicates.groups[:_MOST_TOLD]:
        print(f"  nearly the same: {', '.join(group[:6])}", file=sys.stderr)


def _rows(path: Path, report: IngestReport) -> list[tuple[str, ...]]:
    return [
        *(refused_row(path.name, refusal) for refusal in report.refusals),
        *(mended_row(path.name, mending.place, mending.what) for mending in report.mendings),
    ]


def _object(path: Path, label: str, report: IngestReport) -> dict[str, Any]:
    near = report.near_duplicates
    return {
        "file": path.name,
        "format": label,
        "n_read": report.n_read,
        "n_imported": report.n_imported,
        "n_unchanged": report.n_unchanged,
        "n_refused": report.n_refused,
        "n_mended": report.n_mended,
        "reasons": dict(report.reasons),
        "refusals": [
            {
                "place": r.place,
                "field": r.field,
                "reason": r.reason,
                "advice": r.advice,
                "excerpt": r.excerpt,
            }
            for r in report.refusals
        ],
        "mended": [{"place": one.place, "what": one.what} for one in report.mendings],
        "near_duplicates": {
            "n_groups": near.n_groups,
            "n_passages": near.n_passages,
            "groups": [list(group) for group in near.groups],
        },
        "seconds": round(report.seconds, 3),
    }
