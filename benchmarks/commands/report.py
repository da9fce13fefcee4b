"""``python -m benchmarks report``."""

import argparse
import json
from pathlib import Path

from benchmarks.report import REPORTS_DIR, build_reports, check_reports, write_reports
from benchmarks.report.summary import check_summary, write_summary
from benchmarks.saved import SavedResults
from subclust.core.settings import Settings


def add_report(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``report``."""
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing, but see that the reports are those of the results",
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the reports lie")
    parser.add_argument("--json", action="store_true", help="print one object")


def run_report(arguments: argparse.Namespace, settings: Settings) -> None:
    """Set the saved results beside what the papers published."""
    folder = arguments.out or REPORTS_DIR
    reports = build_reports(SavedResults())
    written: list[Path] = []
    if arguments.check:
        check_reports(reports, folder)
        check_summary(reports)
    else:
        written = write_reports(reports, folder)
        if arguments.out is None:
            written.append(write_summary(reports))
    if arguments.json:
        print(json.dumps({"reports": reports}, ensure_ascii=False))
    elif arguments.check:
        print(f"The reports in {folder} are those of the results.")
    else:
        print("\n".join(f"Wrote {path}" for path in written))
