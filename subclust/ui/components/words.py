"""Words that pages share: labels, counts, times, errors, and texts of others in labels."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import get_args

from subclust.core.exceptions import SubclustError
from subclust.core.records import (
    MAX_QUESTION,
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    QueryContext,
    SubtopicMap,
    by_document,
)
from subclust.core.records.documents import Ranked
from subclust.figures.palette import in_words
from subclust.figures.wrapping import excerpt
from subclust.methods import METHODS
from subclust.ui.i18n.language import N_, _, _n, date_in_words, number, said

EXAMPLES: tuple[str, ...] = (
    "causes of the American Revolutionary War",
    "life and death of Abraham Lincoln",
    "what causes autism and how is it treated",
    "anarchism in different countries",
    "landing on the Moon",
)
"""Questions that the demo library answers; the first is what a new visitor sees."""

ONE_HIT = N_(
    "Only one passage was found, so there is nothing to group; "
    "try other or fewer words, or another library."
)

CONTEXTS: dict[QueryContext, str] = dict(
    zip(
        get_args(QueryContext),
        (
            N_("your question"),
            N_("your question in more words"),
            N_("what the found passages have in common"),
        ),
        strict=True,
    )
)
"""What guides a method that looks at the query, in the order of `QueryContext`."""

LISTINGS: dict[str, str] = {"groups": N_("Groups"), "hits": N_("Hits"), "table": N_("Table")}
"""What can stand beside the map."""

LEVEL_NAMES = {1: N_("Groups"), 2: N_("with parts"), 3: N_("parts of parts")}
"""How many levels of subtopics are shown."""

MAPS: dict[str, str] = {"pca": N_("Overview"), "umap": N_("Neighbourhoods")}

MAP_NOTES: dict[str, str] = {
    "pca": N_(
        "Passages close to each other are similar. The overview shows large differences; fine "
        "ones may be hidden."
    ),
    "umap": N_(
        "Each passage is next to those it is most like. The distance between two "
        "groups means little."
    ),
}

_STAGES = {
    "retrieve": N_("searching"),
    "encode": N_("reading"),
    "cluster": N_("grouping"),
    "name": N_("naming"),
    "project": N_("map"),
}

TIGHT = 0.31
"""Mean strength from which a group is called tight.

Of the groups that are as tight, two in three hold mostly passages under one heading, on labelled
queries and with the default method: ``python -m benchmarks quality``, whose result is kept in
``benchmarks/results/quality/``.
"""

FAIRLY_TIGHT = 0.09
"""Mean strength from which one is called fairly tight: so it is of every second; below, loose."""


def n_passages(count: int) -> str:
    """Write "1 passage", "12 passages"."""
    return _n("{count} passage", "{count} passages", count)


def n_documents(members: Collection[Ranked]) -> str:
    """Write "1 document", "12 documents"; empty where each passage is a document of its own."""
    count = len(by_document(members))
    return _n("{count} document", "{count} documents", count) if count < len(members) else ""


def sizes(members: Collection[Ranked]) -> str:
    """Write "31 passages", or "12 documents, 31 passages" where documents have several."""
    return ", ".join(filter(None, (n_documents(members), n_passages(len(members)))))


def with_current(known: list[str], name: str) -> list[str]:
    """Return choices with what an address asks for, so that it is shown, and answered."""
    return known if name in known else [*known, name]


def method_label(name: str, default: str | None = None) -> str:
    """Return a method's label for people, of "default" with that of the `default` now."""
    if name == "default":
        if default is None:
            return _("Recommended")
        return _("Recommended ({method})").format(method=method_label(default))
    return _(METHODS[name].label) if name in METHODS else name


def headline(subtopics: SubtopicMap) -> str:
    """Sum the answer up in one line."""
    return _("{passages} in {groups}").format(
        passages=sizes(subtopics.members.values()),
        groups=_n("{count} group", "{count} groups", subtopics.n_clusters),
    )


def timings(timings_ms: Mapping[str, float]) -> str:
    """Write how long each stage took, in milliseconds."""
    parts = [
        f"{_(words)} {number(timings_ms[stage])} ms"
        for stage, words in _STAGES.items()
        if timings_ms.get(stage, 0) >= 0.5
    ]
    told = _("{count} ms in all").format(count=number(timings_ms.get("total", 0.0)))
    return f"{told} ({', '.join(parts)})" if parts else told


def plain(text: str) -> str:
    """Escape what Streamlit would read as Markdown in a label.

    Addresses and names of icons are looked for once escapes are gone: a joiner without width, which
    nobody sees, keeps them words.
    """
    text = re.sub(r"(?i)(?<=:)(?=//|material/)|(?<=\bwww)(?=\.)", "\u2060", text)
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()#+-.!|<>~$:" else sign for sign in text)


def duration(seconds: float) -> str:
    """Write a duration as the visitor's language does: 3.5 min or 3,5 min."""
    value, unit = in_words(seconds).split(" ")
    return f"{number(float(value), len(value.partition('.')[2]))} {unit}"


_LONGEST_NAME = 60


def file_name(question: str, suffix: str) -> str:
    """Name a file after the question, in signs that every system takes."""
    words = re.sub(r"[^\w-]+", "-", question.strip().lower()).strip("-_")
    return (words[:_LONGEST_NAME].rstrip("-_") or "subclust") + suffix


def moment(when: float | str | None) -> str:
    """Write a time as "3 May 2026, 14:05 CEST"; a day alone as such, what is no time as it is.

    Seconds since 1970, or ISO 8601, of UTC where it names no zone.
    """
    found = _local(when)
    if isinstance(found, str):
        return found
    if not isinstance(found, datetime):
        return date_in_words(found)
    return f"{date_in_words(found)}, {found:%H:%M %Z}"


def day(when: float | str | None) -> str:
    """Write the day of a time as "3 May 2026"; see `moment`."""
    found = _local(when)
    return found if isinstance(found, str) else date_in_words(found)


def _local(when: float | str | None) -> date | str:
    if when is None or when == "":
        return ""
    if isinstance(when, str):
        try:
            if len(when) == len("2026-05-03"):
                return date.fromisoformat(when)
            found = datetime.fromisoformat(when)
        except ValueError:
            return when
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone()
    return datetime.fromtimestamp(when).astimezone()


def in_visitors_language(subtopics: SubtopicMap) -> SubtopicMap:
    """Call the other passages as the visitor does; the same map where it calls them so."""
    return _called(subtopics, _(OTHER_PASSAGES_NAME))


def as_recorded(subtopics: SubtopicMap) -> SubtopicMap:
    """Call the other passages as everything that is kept does, whoever reads it later."""
    return _called(subtopics, OTHER_PASSAGES_NAME)


def _called(subtopics: SubtopicMap, name: str) -> SubtopicMap:
    if all(one.id != OTHER_PASSAGES or one.name == name for one in subtopics.subtopics):
        return subtopics
    return replace(
        subtopics,
        subtopics=tuple(
            replace(one, name=name) if one.id == OTHER_PASSAGES else one
            for one in subtopics.subtopics
        ),
    )


ON_PAGES = {
    # How the question was read stands under it.
    "Nothing in the library {library!r} matches all of {text!r}. {read}": N_(
        "Nothing in the library {library!r} matches all of {text!r}."
    ),
    "{file} has no column named 'title', 'abstract' or 'text', nor one that means the same; its "
    "first row is: {names}. Say which column is which, as in --column title=HEAD, or with the "
    "number of a column where there are no heads.": N_(
        "{file} has no column named 'title', 'abstract' or 'text', nor one that means the same; "
        "its first row is: {names}. Call the column with the titles 'title' and try again."
    ),
    "The judgement cannot be read ({error}); judge the model again with 'python -m subclust "
    "judge'.": N_("The judgement cannot be read ({error}); train the model again."),
    "The demo library has not been built yet; run 'python -m subclust demo' once.": N_(
        "The demo library has not been built yet; add documents on the Library page."
    ),
    "{name} cannot be restored, since something of that name exists again; delete that first, "
    "which then goes to the bin too.": N_(
        "{name} cannot be restored, since something of that name exists again. Delete that first; "
        "it then stands under “Recently deleted”, too."
    ),
    "There is no library {name!r}; choose one of {there}, or make it with 'python -m subclust "
    "import FILE --library {same}'.": N_(
        "There is no library {name!r}; choose one of {there}, or make it on the Library page."
    ),
    "There is no library {name!r}, nor any other, in {folder}; make it with 'python -m subclust "
    "import FILE --library {same}', or the demo with 'python -m subclust demo'.": N_(
        "There is no library {name!r}, nor any other, in {folder}; make one on the Library page."
    ),
    "The library {name!r} was made with the encoder {encoder} (revision {revision}), but the "
    "encoder in use is {other} (revision {used}); choose that encoder, or recompute the "
    "library's embeddings with 'python -m subclust library reembed {same}'.": N_(
        "The library {name!r} was made with the encoder {encoder} (revision {revision}), but "
        "the encoder in use is {other} (revision {used}); recompute its embeddings on the "
        "Library page."
    ),
    "The libraries in {folder} lie in object storage, where they can be searched, browsed, "
    "exported and backed up, and added to with 'python -m subclust import FILE --library NAME "
    "--engine ray'; for anything else keep the library on a disk.": N_(
        "The libraries in {folder} lie in object storage, where they can be searched, browsed, "
        "exported and backed up; for anything else keep the library on a disk."
    ),
    "{file} is larger than {size} MB; split it, or import it on the machine itself with 'python "
    "-m subclust import'.": N_(
        "{file} is larger than {size} MB; split it, or ask whoever looks after this installation "
        "to import it."
    ),
    "The format of {file} is clear neither from its content nor from its extension; known "
    "extensions are {endings}. Rename the file, or name its format with --format.": N_(
        "The format of {file} is clear neither from its content nor from its extension; known "
        "extensions are {endings}. Rename the file."
    ),
    "There is no labelled set {name!r} (available: {there}); choose one of these, or add it "
    "with 'python -m subclust sets add'.": N_(
        "There is no labelled set {name!r} (available: {there}); choose one of these, or "
        "upload it on the Train page."
    ),
    "{file} has {count}: {place}{problem}; {advice}; run 'python -m subclust check {path}' for all "
    "of them.": N_(
        "{file} has {count}: {place}{problem}; {advice}; the Train page lists all of them once it "
        "is uploaded there."
    ),
    "An OAI-PMH repository cannot be searched, only harvested: run 'python -m subclust harvest "
    "oai-pmh', then search the library.": N_(
        "An OAI-PMH repository cannot be searched, only harvested: harvest it, then search the "
        "library."
    ),
    "There is no session {name!r}; it may have been deleted, or saved on another machine "
    "('python -m subclust sessions list' lists those here).": N_(
        "There is no session {name!r}; it may have been deleted, or saved on another machine."
    ),
    "There is no checkpoint {name!r} of the method {method} (available: {there}); choose one "
    "of these, or train one with 'python -m subclust train {same}'.": N_(
        "There is no model {name!r} for {method} (available: {there}); choose one of these, or "
        "train one on the Train page."
    ),
    "The method {method} has no trained checkpoint in {folder}; train one with 'python -m "
    "subclust train {same} --data FILE --name NAME', or choose another method.": N_(
        "The method {method} has no trained model in {folder}; train one on the Train page, or "
        "choose another method."
    ),
    "{card} already has a checkpoint named {job}; choose another name, or add --replace.": N_(
        "{card} already has a model named {job}; train again under another name."
    ),
    "{file} is larger than {limit}, which is unusual for a model; have whoever looks after this "
    "machine add it with 'python -m subclust models import'.": N_(
        "{file} is larger than {limit}, which is unusual for a model; ask whoever looks after "
        "this installation to add it."
    ),
    "The run cannot be resumed: {why}; start it again, without --resume.": N_(
        "The training cannot be resumed: {why}. Choose “Train again with changes” instead."
    ),
    "Clone the job with other settings, or see its log for more.": N_(
        "Try again with other settings, or see the log for more."
    ),
    "Close other programs and resume the job, or clone it with a smaller max_passages.": N_(
        "Close other programs and resume, or try again with a smaller max_passages."
    ),
    'rename it to "{column}", or add --column "{column}={other}"': N_('rename it to "{column}"'),
    "{reason} To use it anyway, give a reason of at least {count} characters (--reason on the "
    "command line).": N_(
        "{reason} To use it anyway, give a reason of at least {count} characters."
    ),
}
"""By the template of the sentence: what is said instead."""


def cut_words(question: str) -> str:
    """Return that only the beginning of a question is read; empty where it is not too long."""
    if len(question) < MAX_QUESTION:
        return ""
    told = _("At most {count} characters of a question are read.")
    return told.format(count=number(MAX_QUESTION))


def error_words(error: object) -> str:
    """Return an error, or its sentence, in the visitor's language."""
    sentence = error.sentence if isinstance(error, SubclustError) else error
    told = sentence if isinstance(sentence, str) else str(sentence)
    return said(told, ON_PAGES)


def way_out_words(error: str, way_out: str | None) -> str:
    """Return what to do about a failure; ``""`` where its reason ends with it."""
    # Without its first letter: within the sentence of the error it is in lower case.
    if not way_out or error.endswith(way_out[1:]):
        return ""
    return error_words(way_out)


_MOST_AUTHORS = 3
_LONGEST = 90
"""Characters of the authors, or of the name of a journal."""

_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d{2}(?!\d)")


def cited(metadata: Mapping[str, str]) -> str:
    """Return authors, year and where it was published; of the rest, the source.

    Examples
    --------
    >>> cited({"authors": "Garfield, Eugene", "year": "1955", "venue": "Science", "volume": "122",
    ...        "issue": "3159", "pages": "108-111"})
    'Garfield, Eugene (1955), Science 122(3159), 108–111'
    """
    authors, year = _authors(metadata.get("authors", "")), metadata.get("year", "")
    if found := _YEAR.search(year):
        year = found[0]
    made = f"{authors} ({year})" if authors and year else authors or year
    return ", ".join(filter(None, (made, *_published(metadata))))


def _authors(names: str) -> str:
    """Return the first three names; a name may be "Family, Given"."""
    several = [one for one in re.split(r"\s*;\s*|\s+and\s+", names) if one]
    if len(several) == 1:
        # "Given Family, Given Family": each part has a space.
        parts = re.split(r"\s*,\s*", names)
        several = parts if all(" " in one.strip() for one in parts) else several
    if len(several) > _MOST_AUTHORS:
        first = excerpt("; ".join(several[:_MOST_AUTHORS]), _LONGEST)
        return _("{authors} et al.").format(authors=first)
    return excerpt("; ".join(several), _LONGEST)


def _published(metadata: Mapping[str, str]) -> tuple[str, ...]:
    venue = excerpt(metadata.get("venue", ""), _LONGEST)
    if not venue:
        return (metadata.get("source", ""),)
    volume, issue = metadata.get("volume", ""), metadata.get("issue", "")
    numbered = f"{volume}({issue})" if volume and issue else volume or issue
    pages = re.sub(r"(?<=\d)\s*-+\s*(?=\w)", "–", metadata.get("pages", ""))
    return " ".join(filter(None, (venue, numbered))), pages


def judged(judgement: str | None) -> str:
    """Name what a person has said of a passage; nothing where nothing was said."""
    words = {"placed": _("placed"), "accepted": _("accepted"), "unsure": _("unsure")}
    return words.get(judgement or "", "")
