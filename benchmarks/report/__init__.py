"""What the papers published beside what we measured."""

from benchmarks.report.build import (
    REPORTS_DIR,
    build_report,
    build_reports,
    check_reports,
    report_files,
    write_reports,
)
from benchmarks.report.markdown import as_markdown
from benchmarks.report.reading import read_column

__all__ = [
    "REPORTS_DIR",
    "as_markdown",
    "build_report",
    "build_reports",
    "check_reports",
    "read_column",
    "report_files",
    "write_reports",
]
