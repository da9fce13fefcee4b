"""What the papers published beside what we measured."""

from subclust.benchmarks.report.build import (
    REPORTS_DIR,
    build_report,
    build_reports,
    check_reports,
    report_files,
    write_reports,
)
from subclust.benchmarks.report.csv_rows import as_csv
from subclust.benchmarks.report.drawn import AXES, curves_of, growth_of, longest_of, spaces_of
from subclust.benchmarks.report.markdown import as_markdown
from subclust.benchmarks.report.metrics import METRICS, metric_name, short_name
from subclust.benchmarks.report.reading import read_column
from subclust.benchmarks.report.reading_figures import (
    growth_sentences,
    space_sentence,
    speed_sentences,
    whole_rule,
)
from subclust.benchmarks.report.sentences import SENTENCES

__all__ = [
    "AXES",
    "METRICS",
    "REPORTS_DIR",
    "SENTENCES",
    "as_csv",
    "as_markdown",
    "build_report",
    "build_reports",
    "check_reports",
    "curves_of",
    "growth_of",
    "growth_sentences",
    "longest_of",
    "metric_name",
    "read_column",
    "report_files",
    "short_name",
    "space_sentence",
    "spaces_of",
    "speed_sentences",
    "whole_rule",
    "write_reports",
]
