"""``python -m subclust check``."""

import argparse
import json
from pathlib import Path

from subclust.cli.options import add_columns, columns_of
from subclust.core.exceptions import FileFormatError
from subclust.core.settings import Settings
from subclust.labelled.reading.checker import CheckReport, check_labelled_set, words_read
from subclust.labelled.reading.problems import ProblemGroup
from subclust.labelled.sets import LabelledSetStore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``check``."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="labelled set (.jsonl, .jsonl.gz, .csv, .tsv, .xlsx), or set:NAME",
    )
    parser.add_argument(
        "--against",
        metavar="FILE",
        help="held-out queries, which should have nothing in common with the others",
    )
    add_columns(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Print every problem of a labelled set, those of one kind together.

    Raises
    ------
    FileFormatError
        If there are errors, after they have been printed.
    """
    store = LabelledSetStore(settings.sets_dir)
    kept = store.find(arguments.file)
    report = check_labelled_set(
        Path(arguments.file) if kept is None else kept.path,
        columns=columns_of(arguments) if kept is None else None,
        against=_file(arguments.against, store) if arguments.against else None,
        max_words=words_read(settings.max_seq_length),
    )
    if arguments.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
    else:
        print(in_words(report))
    if report.errors:
        raise FileFormatError(
            "{file} has 1 error; correct it and check the file again."
            if len(report.errors) == 1
            else "{file} has {count:,} errors; correct them and check the file again.",
            file=report.file,
            count=len(report.errors),
        )


def _file(name: str, store: LabelledSetStore) -> Path:
    kept = store.find(name)
    return Path(name) if kept is None else kept.path


def in_words(report: CheckReport) -> str:
    """Write a report for a screen."""
    lines = [
        f"{report.file}: {report.n_passages:,} of {report.n_rows:,} passages can be used, "
        f"{report.n_queries:,} queries with {report.n_labels:,} subtopics."
    ]
    for title, severity in (
        ("Errors, to be corrected first", "error"),
        ("Warnings, used all the same", "warning"),
    ):
        groups = [group for group in report.groups if group.severity == severity]
        if groups:
            lines += ["", f"{title}:", *(_line(group) for group in groups)]
    if not report.problems:
        lines.append("Nothing is wrong with it.")
    return "\n".join(lines)


def _line(group: ProblemGroup) -> str:
    return "- {}.\n  {}.".format(
        *(text[0].upper() + text[1:] for text in (group.line, group.advice))
    )
