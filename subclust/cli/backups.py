"""``python -m subclust backup-all`` and ``restore-all``."""

import argparse
from pathlib import Path

from subclust.backups import WholeReport, back_up_everything, restore_everything
from subclust.cli.printing import counted, progress_bar, said, show, tell
from subclust.core.exceptions import StorageError
from subclust.core.messages import N_, Message
from subclust.core.settings import Settings


def add_backup_all(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``backup-all``."""
    parser.add_argument("file", type=Path, metavar="FILE.zip")
    parser.add_argument("--json", action="store_true", help="print one object")


def add_restore_all(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``restore-all``."""
    add_backup_all(parser)
    parser.add_argument(
        "--replace",
        action="store_true",
        help="delete what the folders hold now; stop the app first",
    )


def run_backup_all(arguments: argparse.Namespace, settings: Settings) -> None:
    """Write the backup, then say what is in it.

    Raises
    ------
    StorageError
        If a library is damaged; all else is in the file then.
    """
    told = said(Message("Backing up"))
    report = back_up_everything(settings, arguments.file, progress=progress_bar(told))
    show(arguments, _object(report) | _left_out(report), _line(report))
    if report.accounts is not None:
        tell(
            Message(
                "The accounts in {file} are not in the backup, since they hold secrets; copy that "
                "file to a safe place yourself.",
                file=report.accounts,
            )
        )
    if report.earlier:
        tell(
            Message(
                "The earlier vectors of these libraries are not in the backup, only those in use: "
                "{names}.",
                names=", ".join(report.earlier),
            )
        )
    if report.damaged:
        raise StorageError(
            "{file} holds everything but these damaged libraries: {names}.",
            file=report.file,
            names=", ".join(report.damaged),
        )


def run_restore_all(arguments: argparse.Namespace, settings: Settings) -> None:
    """Restore the backup, then say what there is."""
    report = restore_everything(
        settings,
        arguments.file,
        replace=arguments.replace,
        progress=progress_bar(said(Message("Restoring"))),
    )
    show(arguments, _object(report), _line(report))


def _object(report: WholeReport) -> dict[str, object]:
    return {
        "file": str(report.file),
        "n_bytes": report.n_bytes,
        "n_files": report.n_files,
        "libraries": list(report.libraries),
        "damaged": list(report.damaged),
    }


def _left_out(report: WholeReport) -> dict[str, object]:
    accounts = None if report.accounts is None else str(report.accounts)
    return {"left_out": {"accounts": accounts, "earlier_vectors": list(report.earlier)}}


def _line(report: WholeReport) -> str:
    return Message(
        "{file}  {megabytes:,.1f} MB  {libraries}  {files}",
        file=report.file,
        megabytes=report.n_bytes / 1e6,
        libraries=counted(
            len(report.libraries), N_("{count:,} library"), N_("{count:,} libraries")
        ),
        files=counted(report.n_files, N_("{count:,} other file"), N_("{count:,} other files")),
    )
