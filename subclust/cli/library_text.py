"""Libraries in words, for ``library`` without ``--json``."""

import time
from collections.abc import Mapping, Sequence

from subclust.text.ingest.reembed import ReembedReport
from subclust.text.library.browse import Listing
from subclust.text.library.catalogue import LibraryEntry
from subclust.text.library.imports import ImportEntry
from subclust.text.library.versions import Version

_MOST = 12
"""Values of a field that are told one by one."""


def say_catalogue(entries: Sequence[LibraryEntry]) -> str:
    """Return a line for each library."""
    if not entries:
        return (
            "There is no library; make one with 'python -m subclust import FILE --library NAME', "
            "or the demo with 'python -m subclust demo'."
        )
    return "\n".join(_line(entry) for entry in entries)


def say_entry(entry: LibraryEntry) -> str:
    """Tell all that is known of a library."""
    years = {year: n for year, n in entry.years.items() if year.isdigit()}
    unknown = sum(entry.years.values()) - sum(years.values())
    span = f"{min(years)} to {max(years)}" if years else "none known"
    if unknown and years:
        span += f", {unknown:,} passages without"
    index = "searched by an index" if entry.has_vector_index else "compared one by one"
    kept = f", and {_size(entry.n_bytes_other)} of other versions" if entry.n_bytes_other else ""
    return "\n".join(
        [
            _line(entry),
            f"  collections: {_counted(entry.collections)}",
            f"  languages:   {_counted(entry.languages)}",
            f"  years:       {span}",
            f"  sources:     {_counted(entry.sources)}",
            f"  encoder:     {entry.encoder_name} ({entry.encoder_revision}){_current(entry)}",
            f"  on disk:     {_size(entry.n_bytes)} in {entry.n_fragments} parts{kept}",
            f"  vectors:     {entry.embedding_dim} numbers each, {index}",
            f"  version:     {entry.version}"
            + (", and the one before it is kept" if entry.can_roll_back else ""),
        ]
    )


def say_browsed(page: Listing) -> str:
    """Return a line for each passage of a page."""
    if not page.passages:
        return f"{page.n_passages:,} passages match; there is none from {page.offset + 1:,} on."
    last = page.offset + len(page.passages)
    lines = [f"{page.offset + 1:,} to {last:,} of {page.n_passages:,} passages"]
    for one in page.passages:
        text = " ".join(one.text.split())
        lines.append(f"{one.id}  {one.title}: {text[:80]}{'…' * (len(text) > 80)}")
    return "\n".join(lines)


def say_versions(found: Sequence[Version]) -> str:
    """Return a line for each version."""
    return "\n".join(
        f"{one.number}  {one.state}: {one.n_passages:,} passages, {one.encoder_name} "
        f"({one.encoder_revision}), {_size(one.n_bytes)}, written {_when(one.written)}"
        for one in found
    )


def say_imports(library: str, entries: Sequence[ImportEntry]) -> str:
    """Return a line for each import."""
    if not entries:
        return f"No import into {library} is on record."
    return "\n".join(
        f"{one.id}  {', '.join(one.files)}: {one.n_brought:,} passages, "
        f"begun {_when(one.started)}, "
        + ("at work" if one.is_running else "NOT FINISHED" if one.is_interrupted else "finished")
        for one in entries
    )


def say_compacted(before: LibraryEntry, after: LibraryEntry) -> str:
    """Return what compacting has changed."""
    return (
        f"{after.name}: {before.n_fragments} parts became {after.n_fragments}, "
        f"{_size(before.n_bytes)} became {_size(after.n_bytes)}."
    )


def say_reembedded(report: ReembedReport, encoder: str) -> str:
    """Return what came of embedding a library anew."""
    if not report.switched:
        return f"{report.library} has the vectors of {report.encoder_name} already."
    said = (
        f"{report.library} has the vectors of {report.encoder_name} now (version "
        f"{report.version}): {report.n_encoded:,} passages embedded, {report.n_reused:,} there "
        f"already, in {report.seconds:.0f} s."
    )
    if report.encoder_name != encoder:
        said += (
            f" It is searched with {report.encoder_name} from now on, by the methods that need no "
            "training and by models that were trained over it."
        )
    return said


def _line(entry: LibraryEntry) -> str:
    if entry.problem:
        return f"{entry.name}  {entry.problem}"
    outdated = "; its vectors are of another encoder than that of the settings"
    called = f"{entry.name} ({entry.title})" if entry.title not in ("", entry.name) else entry.name
    line = (
        f"{called}  {entry.n_passages:,} passages of {entry.n_documents:,} documents, "
        f"{_size(entry.n_bytes)}, written {_when(entry.written)}"
        f"{outdated if entry.is_current is False else ''}"
    )
    unfinished = (
        f"  NOT WHOLE: the import of {', '.join(one.files)} was broken off; import it again to go "
        f"on, or take it back with 'library take-back {entry.name} {one.id} --yes'"
        for one in entry.unfinished
    )
    return "\n".join([line, *unfinished])


def _counted(counts: Mapping[str, int]) -> str:
    told = [f"{value or '(no name)'} {n:,}" for value, n in list(counts.items())[:_MOST]]
    more = len(counts) - len(told)
    return ", ".join(told) + (f" and {more:,} more" if more > 0 else "") if told else "none"


def _current(entry: LibraryEntry) -> str:
    return {True: ", that of the settings", False: ", not that of the settings", None: ""}[
        entry.is_current
    ]


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:,.1f} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:,.1f} MB"


def _when(seconds: float | None) -> str:
    if seconds is None:
        return "at a time nobody knows"
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
