"""Libraries in words, for ``library`` without ``--json``."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from subclust.cli import printing
from subclust.cli.printing import counted, documents, passages, said
from subclust.core.messages import N_, Message, joined
from subclust.text.library.versions import BEING_BUILT, IN_USE, PREVIOUS, Version

if TYPE_CHECKING:  # a list of libraries is not to wait for them
    from subclust.text.ingest.duplicates import DuplicateGroup
    from subclust.text.ingest.reembed import ReembedReport
    from subclust.text.library.browse import Listing
    from subclust.text.library.catalogue import LibraryEntry
    from subclust.text.library.imports import ImportEntry

_MOST = 12
"""Values of a field that are told one by one."""


_STATES = {IN_USE: N_("in use"), PREVIOUS: N_("previous"), BEING_BUILT: N_("being built")}


def say_catalogue(entries: "Sequence[LibraryEntry]") -> list[str]:
    """Return a line for each library."""
    if not entries:
        return [
            Message(
                "There is no library; make one with 'python -m subclust import FILE --library "
                "NAME', or the demo with 'python -m subclust demo'."
            )
        ]
    return [line for entry in entries for line in _lines(entry)]


def say_entry(entry: "LibraryEntry") -> list[str]:
    """Return all that is known of a library."""
    known = [year for year in entry.years if year.isdigit()]
    unknown = sum(n for year, n in entry.years.items() if not year.isdigit())
    years = Message("none known")
    if known:
        years = Message(
            "{first} to {last}, {unknown:,} passages without" if unknown else "{first} to {last}",
            first=min(known),
            last=max(known),
            unknown=unknown,
        )
    disk = Message(
        "{size} in {parts}, and {size_other} of other versions"
        if entry.n_bytes_other
        else "{size} in {parts}",
        **_values(entry),
        parts=counted(entry.n_fragments, N_("{count:,} part"), N_("{count:,} parts")),
        size_other=_size(entry.n_bytes_other),
    )
    encoder = {
        True: N_("{encoder_name} ({encoder_revision}), that of the settings"),
        False: N_("{encoder_name} ({encoder_revision}), not that of the settings"),
        None: "{encoder_name} ({encoder_revision})",
    }[entry.is_current]
    vectors = Message(
        "{embedding_dim} numbers each, searched by an index"
        if entry.has_vector_index
        else "{embedding_dim} numbers each, compared one by one",
        **vars(entry),
    )
    version = Message(
        "{version}, and the one before it is kept" if entry.can_roll_back else "{version}",
        **vars(entry),
    )
    facts = [
        (Message("collections:"), _counted(entry.collections)),
        (Message("languages:"), _languages(entry)),
        (Message("years:"), years),
        (Message("sources:"), _counted(entry.sources)),
        (Message("encoder:"), Message(encoder, **vars(entry))),
        (Message("on disk:"), disk),
        (Message("vectors:"), vectors),
        (Message("version:"), version),
    ]
    width = max(len(said(name)) for name, _ in facts)
    told = [f"  {said(name):{width}} {said(fact)}" for name, fact in facts]
    return [*_lines(entry), *told, *_not_known(entry)]


def say_browsed(page: "Listing") -> list[str]:
    """Return a line for each passage of a page."""
    first, last = page.offset + 1, page.offset + len(page.passages)
    values = {"first": first, "last": last, "total": page.n_passages}
    if not page.passages:
        return [Message("{total:,} passages match; there is none from {first:,} on.", **values)]
    lines: list[str] = [Message("{first:,} to {last:,} of {total:,} passages", **values)]
    for one in page.passages:
        text = " ".join(one.text.split())
        lines.append(f"{one.id}  {one.title}: {text[:80]}{'…' * (len(text) > 80)}")
    return lines


def say_versions(found: Sequence[Version]) -> list[str]:
    """Return a line for each version."""
    return [
        Message(
            "{number}  {state}: {n_passages:,} passages, {encoder_name} ({encoder_revision}), "
            "{size}, written {written}",
            **_values(one) | {"state": Message(_STATES[one.state])},
        )
        for one in found
    ]


def say_imports(library: str, entries: "Sequence[ImportEntry]") -> list[str]:
    """Return a line for each import."""
    if not entries:
        return [Message("No import into {library} is on record.", library=library)]
    return [
        Message(
            "{id}  {files}: {passages}, {n_removed:,} removed, begun {started}, {state}"
            if one.n_removed
            else "{id}  {files}: {passages}, begun {started}, {state}",
            **vars(one)
            | {"files": ", ".join(one.files), "started": _when(one.started), "state": _state(one)},
            passages=passages(one.n_brought),
        )
        for one in entries
    ]


def _state(one: "ImportEntry") -> Message:
    if one.is_running or one.is_interrupted:
        return Message("in progress" if one.is_running else "NOT FINISHED")
    return Message("finished")


def say_duplicates(
    library: str, groups: "Sequence[DuplicateGroup]", n_merged: int | None
) -> list[str]:
    """Return each group with its evidence, and how many there are.

    Parameters
    ----------
    library : str
    groups : sequence of DuplicateGroup
    n_merged : int or None
        Records that became a part of another one; None where nothing was merged.
    """
    lines: list[str] = []
    for group in groups:
        evidence = {
            "agree": _fields(group.evidence.agree),
            "differ": _fields(group.evidence.differ),
        }
        lines.append(
            Message("certainly the same; agree: {agree}; differ: {differ}", **evidence)
            if group.certainty == "same"
            else Message("probably the same; agree: {agree}; differ: {differ}", **evidence)
        )
        lines += [f"  {id_}" for id_ in group.ids]
    n_same = sum(group.certainty == "same" for group in groups)
    counts = {"library": library, "same": n_same, "probable": len(groups) - n_same}
    if n_merged is not None:
        merged = Message(
            "{count:,} records of {library} were merged into others; the originals stay in the "
            "bin for 30 days.",
            count=n_merged,
            library=library,
        )
        return [*lines, merged]
    told = Message(
        "{library}: groups that are surely the same: {same:,}, probably: {probable:,}.", **counts
    )
    return [*lines, told]


def _fields(names: Sequence[str]) -> str:
    from subclust.text.ingest.duplicates import FIELD_WORDS

    return joined(Message(FIELD_WORDS[name]) for name in names) if names else "-"


def say_compacted(before: "LibraryEntry", after: "LibraryEntry") -> str:
    """Return what compacting has changed."""
    return Message(
        "{name}: {parts_before} parts became {n_fragments}, {size_before} became {size}.",
        **_values(after),
        parts_before=before.n_fragments,
        size_before=_size(before.n_bytes),
    )


def say_reembedded(report: "ReembedReport", encoder: str) -> str:
    """Return what came of embedding a library anew."""
    if not report.switched:
        return Message("{library} already has the embeddings of {encoder_name}.", **vars(report))
    done = Message(
        "{library} now has the embeddings of {encoder_name} (version {version}): {n_encoded:,} "
        "passages embedded, {n_reused:,} already there, in {seconds:.0f} s.",
        **vars(report),
    )
    if report.encoder_name == encoder:
        return done
    return Message(
        "{done} It is searched with {encoder_name} from now on, by the methods that need no "
        "training and by models that were trained over it.",
        **vars(report),
        done=done,
    )


def _lines(entry: "LibraryEntry") -> list[str]:
    if entry.problem:
        return [Message("{name}  {problem}", **vars(entry))]
    called = f"{entry.name} ({entry.title})" if entry.title not in ("", entry.name) else entry.name
    line = Message(
        "{library}  {documents}, {passages}, {size}, written {written}"
        if entry.is_current is not False
        else "{library}  {documents}, {passages}, {size}, written {written}; its vectors are of "
        "another encoder than that of the settings",
        **_values(entry),
        library=called,
        documents=documents(entry.n_documents),
        passages=passages(entry.n_passages),
    )
    unfinished = (
        Message(
            "  INCOMPLETE: the import of {files} was interrupted; import the files again to "
            "resume it, or undo it with 'library take-back {library} {id} --yes'",
            files=", ".join(one.files),
            library=entry.name,
            id=one.id,
        )
        for one in entry.unfinished
    )
    return [line, *unfinished]


def _languages(entry: "LibraryEntry") -> str:
    """Return the languages that records say, and those recognised where they say none."""
    if not entry.recognised:
        return _counted(entry.languages)
    return Message(
        "{said}; of those without, by their texts: {recognised}",
        said=_counted(entry.languages),
        recognised=_counted(entry.recognised),
    )


def _not_known(entry: "LibraryEntry") -> list[str]:
    """Return a sentence where the encoder was not trained with the passages' languages."""
    from subclust.core.records.languages import languages_in_words
    from subclust.text.languages import MULTILINGUAL

    if not entry.not_known:
        return []
    lines: list[str] = [
        Message(
            "The encoder {encoder_name} was not made for the languages of about {count:,} of "
            "{n_passages:,} passages ({names}); it finds and groups them less well.",
            **vars(entry),
            count=sum(entry.not_known.values()),
            names=languages_in_words(entry.not_known, printing.language),
        )
    ]
    if entry.encoder_name != MULTILINGUAL:
        lines.append(
            Message(
                "'python -m subclust library reembed {name} --encoder {other}' gives it an encoder "
                "of many languages.",
                name=entry.name,
                other=MULTILINGUAL,
            )
        )
    return lines


def _counted(counts: Mapping[str, int]) -> str:
    from subclust.text.library.facets import UNKNOWN

    if not counts:
        return Message("none")
    words = {"": Message("(no name)"), UNKNOWN: Message("unknown")}
    shown = list(counts.items())[:_MOST]
    told = joined(Message("{value} {n:,}", value=words.get(v, v), n=n) for v, n in shown)
    more = len(counts) - len(shown)
    return Message("{values} and {more:,} more", values=told, more=more) if more else told


def _values(one: "LibraryEntry | Version") -> dict[str, Any]:
    """Return what a sentence about a library or version may name."""
    return {**vars(one), "size": _size(one.n_bytes), "written": _when(one.written)}


def _size(n_bytes: int) -> Message:
    if n_bytes >= 1e9:
        return Message("{size:,.1f} GB", size=n_bytes / 1e9)
    return Message("{size:,.1f} MB", size=n_bytes / 1e6)


def _when(seconds: float | None) -> str:
    if seconds is None:
        return Message("at an unknown time")
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
