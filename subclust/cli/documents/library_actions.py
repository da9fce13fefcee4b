"""What ``library`` does with one library; listing all of them does without what this imports."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from subclust.cli.documents.filters import filter_of
from subclust.cli.documents.library_text import (
    say_browsed,
    say_compacted,
    say_duplicates,
    say_entry,
    say_imports,
    say_reembedded,
    say_versions,
)
from subclust.cli.jobs import progress_of, submit
from subclust.cli.printing import documents, passages, progress_bar
from subclust.core.exceptions import InputError, LibraryError, LibraryNotFoundError
from subclust.core.limits import limit_library, teams_of
from subclust.core.messages import Message
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.records.terms import Vocabulary
from subclust.core.settings import Settings
from subclust.deleting import check_unused
from subclust.deleting.removal import (
    delete_library,
    delete_passages,
    merge_duplicates,
    take_back_import,
)
from subclust.jobs import JobStore, at_work
from subclust.text.encoders import Encoder, encoder_in_use, load_encoder
from subclust.text.ingest.duplicates import duplicates
from subclust.text.ingest.reembed import ReembedReport, reembed, roll_back
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.backup import back_up, restore
from subclust.text.library.browse import PassageFilter, browse, count_matching
from subclust.text.library.catalogue import describe
from subclust.text.library.folder import check_name
from subclust.text.library.imports import brought_alone, read_imports
from subclust.text.library.names import name_of, rename_collection, rename_library, settle_name
from subclust.text.library.terms import keep_terms, read_terms
from subclust.text.library.versions import forget, versions

Said = tuple[dict[str, Any], str | list[str]]


def _show(arguments: argparse.Namespace, settings: Settings) -> Said:
    entry = describe(settings.library_dir, arguments.name, encoder_in_use(settings))
    return entry.to_dict(), say_entry(entry)


def _browse(arguments: argparse.Namespace, settings: Settings) -> Said:
    library = PassageLibrary.open(settings.library_dir, arguments.name)
    page = browse(library, filter_of(arguments), offset=arguments.offset, limit=arguments.limit)
    passages = [{**asdict(one), "metadata": dict(one.metadata)} for one in page.passages]
    value = {
        "library": library.name,
        "n_passages": page.n_passages,
        "offset": page.offset,
        "passages": passages,
    }
    return value, say_browsed(page)


def _remove(arguments: argparse.Namespace, settings: Settings) -> Said:
    folder, name, which = settings.library_dir, arguments.name, filter_of(arguments)
    if arguments.version is not None:
        if not which.is_empty:
            raise InputError("Remove a version or some passages, not both at once.")
        what, told = _remove_version(folder, name, arguments.version, arguments.yes)
    elif which.is_empty:
        what, told = _remove_all(settings, name, arguments.yes)
    else:
        what, told = _remove_some(settings, name, which, arguments.yes)
    value = {"library": name, **what, "removed": arguments.yes}
    if arguments.yes:
        return value, Message("{what}: removed.", what=told)
    return value, Message("{what} would be removed; add --yes to do it.", what=told)


def _remove_version(
    folder: Path, name: str, number: int, yes: bool
) -> tuple[dict[str, Any], Message]:
    if yes:
        forget(folder, name, number)
    elif number not in {one.number for one in versions(folder, name)}:
        raise InputError(
            "{name!r} has no version {number}; see 'library versions {name}'.",
            name=name,
            number=number,
        )
    told = Message("Version {number} of {library}", number=number, library=name)
    return {"version": number}, told


def _remove_some(
    settings: Settings, name: str, which: PassageFilter, yes: bool
) -> tuple[dict[str, Any], Message]:
    library = PassageLibrary.open(settings.library_dir, name)
    # Counted first: once they are deleted, nobody can tell how many documents they were.
    matching = count_matching(library, which)
    n_passages = delete_passages(settings, name, which) if yes else matching.n_passages
    value = {"n_passages": n_passages, "n_documents": matching.n_documents}
    return value, Message(
        "{passages} of {documents} of {library}",
        passages=passages(n_passages),
        documents=documents(matching.n_documents),
        library=name,
    )


def _remove_all(settings: Settings, name: str, yes: bool) -> tuple[dict[str, Any], Message]:
    n_passages = _n_passages(settings.library_dir, name)
    if yes:
        delete_library(settings, name)
    else:
        check_unused(settings, "library", name)
    told = Message(
        "The library {library} with its passages"
        if n_passages is None
        else "The library {library} with {passages}",
        library=name,
        passages=passages(n_passages or 0),
    )
    return {"n_passages": n_passages}, told


def _imports(arguments: argparse.Namespace, settings: Settings) -> Said:
    PassageLibrary.open(settings.library_dir, arguments.name)
    entries = read_imports(settings.library_dir, arguments.name)
    value = {"library": arguments.name, "imports": [asdict(one) for one in entries]}
    return value, say_imports(arguments.name, entries)


def _take_back(arguments: argparse.Namespace, settings: Settings) -> Said:
    folder, name, which = settings.library_dir, arguments.name, arguments.import_id
    value = {"library": name, "import": which, "removed": arguments.yes}
    if arguments.yes:
        n_passages = take_back_import(settings, name, which)
    else:
        n_passages = len(brought_alone(folder, name, which))
    told = Message(
        "Removed from {library}: {passages}. What was removed stays in the bin for 30 days."
        if arguments.yes
        else "This would remove {passages} from {library}; add --yes to do it.",
        passages=passages(n_passages),
        library=name,
    )
    return value | {"n_passages": n_passages}, told


def _duplicates(arguments: argparse.Namespace, settings: Settings) -> Said:
    name = arguments.name
    if arguments.queue:
        if not arguments.merge:
            raise InputError("Only a merge can be queued; add --merge, or leave --queue out.")
        return _queue(arguments, settings, "merge")
    library = PassageLibrary.open(settings.library_dir, name)
    n_merged = 0
    with _progress(arguments, settings, Message("Merging")) as progress:
        groups = duplicates(library)
        if arguments.merge:
            same = [group for group in groups if group.certainty == "same"]
            encoder = load_encoder(settings_of(settings, library))
            job = arguments.job or ""
            n_merged = merge_duplicates(settings, name, same, encoder, progress=progress, job=job)
    value = {"library": name, "groups": [asdict(one) for one in groups], "n_merged": n_merged}
    return value, say_duplicates(name, groups, n_merged if arguments.merge else None)


def _backup(arguments: argparse.Namespace, settings: Settings) -> Said:
    progress = progress_bar(Message("Backing up"))
    report = back_up(settings.library_dir, arguments.name, arguments.file, progress=progress)
    value = {**asdict(report), "file": str(report.file)}
    return value, Message(
        "{n_passages:,} passages of {library} were written to {file} ({size:,.1f} MB).",
        **vars(report),
        size=report.n_bytes / 1e6,
    )


def _restore(arguments: argparse.Namespace, settings: Settings) -> Said:
    report = restore(
        settings.library_dir,
        arguments.file,
        name=arguments.name and settle_name(settings.library_dir, arguments.name),
        progress=progress_bar(Message("Restoring")),
    )
    value = {**asdict(report), "file": str(report.file)}
    told = Message("The library {library} is there, with {n_passages:,} passages.", **vars(report))
    return value, told


def _reembed(arguments: argparse.Namespace, settings: Settings) -> Said:
    wanted = replace(settings, encoder=arguments.encoder or settings.encoder)
    if arguments.queue:
        load_encoder(wanted)  # what cannot be had is told now
        return _queue(arguments, settings, "reembed")
    with _progress(arguments, settings, Message("Embedding")) as progress:
        encoder = load_encoder(wanted)
        report = reembed(settings.library_dir, arguments.name, encoder, progress=progress)
    return _told(report, settings)


def _rollback(arguments: argparse.Namespace, settings: Settings) -> Said:
    if arguments.queue:
        return _queue(arguments, settings, "reembed")

    def load(name: str) -> Encoder:
        return load_encoder(replace(settings, encoder=name))

    with _progress(arguments, settings, Message("Embedding")) as progress:
        report = roll_back(settings.library_dir, arguments.name, load, progress=progress)
    return _told(report, settings)


def _versions(arguments: argparse.Namespace, settings: Settings) -> Said:
    found = versions(settings.library_dir, arguments.name)
    value = {"library": arguments.name, "versions": [asdict(one) for one in found]}
    return value, say_versions(found)


def _vocabulary(arguments: argparse.Namespace, settings: Settings) -> Said:
    folder, name = settings.library_dir, arguments.name
    PassageLibrary.open(folder, name)
    vocabulary = Vocabulary() if arguments.file is None else read_terms(arguments.file)
    keep_terms(folder, name, vocabulary)
    value = {"library": name, "n_terms": len(vocabulary.terms)}
    if vocabulary.terms:
        return value, Message("{n_terms:,} preferred terms name the groups of {library}.", **value)
    return value, Message("The library {library} has no preferred terms.", **value)


def _rename(arguments: argparse.Namespace, settings: Settings) -> Said:
    folder, name = settings.library_dir, arguments.name
    library = PassageLibrary.open(folder, name)
    if arguments.collection is not None:
        check_unused(settings, "library", name)
        n_passages = rename_collection(
            library, arguments.collection, arguments.title, progress_bar(Message("Renaming"))
        )
        value = {"library": name, "collection": arguments.title.strip(), "n_passages": n_passages}
        return value, Message(
            "{n_passages:,} passages of {library} are in the collection {collection}.", **value
        )
    rename_library(folder, name, arguments.title)
    title = name_of(folder, name)
    told = Message("The library {library} is now called {title!r}.", library=name, title=title)
    return {"library": name, "title": title}, told


def _limit(arguments: argparse.Namespace, settings: Settings) -> Said:
    folder, name = settings.library_dir, arguments.name
    PassageLibrary.open(folder, name)
    limit_library(folder, name, [team for team in arguments.to if team != "everybody"])
    teams = teams_of(folder, name)
    told = Message("The library {library} is for everybody.", library=name)
    if teams:
        named = {"library": name, "teams": ", ".join(teams)}
        told = Message("The library {library} is only for these teams: {teams}.", **named)
    return {"library": name, "teams": list(teams)}, told


def _compact(arguments: argparse.Namespace, settings: Settings) -> Said:
    library = PassageLibrary.open(settings.library_dir, arguments.name)
    before = describe(settings.library_dir, arguments.name)
    library.compact()
    after = describe(settings.library_dir, arguments.name)
    value = {
        "library": arguments.name,
        "n_fragments": after.n_fragments,
        "n_fragments_before": before.n_fragments,
        "n_bytes": after.n_bytes,
        "n_bytes_before": before.n_bytes,
    }
    return value, say_compacted(before, after)


def _n_passages(folder: Path, name: str) -> int | None:
    """Count the passages of a library; None where it is damaged, which can be removed too."""
    try:
        return PassageLibrary.open(folder, name).count()
    except LibraryNotFoundError:
        raise
    except LibraryError:
        return None


def _told(report: ReembedReport, settings: Settings) -> Said:
    return asdict(report), say_reembedded(report, settings.encoder)


def _queue(arguments: argparse.Namespace, settings: Settings, kind: str) -> Said:
    """Submit the work as a job, one at a time for a library."""
    check_name(arguments.name)
    if settings.jobs_backend != "local":
        raise InputError("This runs on the machine that holds the library; leave --queue out.")
    PassageLibrary.open(settings.library_dir, arguments.name)
    return submit(arguments, settings, kind=kind, title=arguments.name)


@contextmanager
def _progress(arguments: argparse.Namespace, settings: Settings, what: str) -> Iterator[Progress]:
    """Draw the progress, or write it to the record of the job that this process does."""
    progress = progress_of(arguments, settings, what)
    if arguments.job is None:
        yield progress
        return
    with at_work(JobStore(settings.jobs_dir), arguments.job, tuple(arguments.words)) as worker:
        worker.stage("encoding")
        yield progress


ACTIONS: dict[str, Callable[[argparse.Namespace, Settings], Said]] = {
    "show": _show,
    "browse": _browse,
    "remove": _remove,
    "imports": _imports,
    "take-back": _take_back,
    "duplicates": _duplicates,
    "backup": _backup,
    "restore": _restore,
    "reembed": _reembed,
    "rollback": _rollback,
    "versions": _versions,
    "rename": _rename,
    "limit": _limit,
    "vocabulary": _vocabulary,
    "compact": _compact,
}
"""By their words; ``list`` is beside what it alone needs."""
