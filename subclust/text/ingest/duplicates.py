"""Records of one work in a library, as two databases have it: found with evidence, and made one."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from subclust.core.messages import N_
from subclust.core.records import FloatArray, IntArray, Passage
from subclust.core.records.documents import document_of
from subclust.core.records.names import counting_key
from subclust.text.encoders.base import Encoder
from subclust.text.ingest.identity import title_words
from subclust.text.ingest.merging import OTHER, merged, parts_of, short
from subclust.text.ingest.same_work import Certainty, Likeness, compare
from subclust.text.ingest.units import Unit, encoded_text
from subclust.text.ingest.work import Work
from subclust.text.library import PassageLibrary
from subclust.text.library.schema import STORED, passages_of
from subclust.text.library.search import among, scan

_LETTERS = 16
"""At the beginning or the end of a title, by which records are brought together."""

_TELLING = frozenset(("doi", "isbn", "authors", "type"))
_ALL_PAIRS = 60
_COLUMN_YEARS = 3
"""Years of a journal in which a title stands that is one of its columns, as "Book reviews"."""

_NEIGHBOURS = 30

FIELD_WORDS = {
    "title": N_("title"),
    "authors": N_("authors"),
    "year": N_("year"),
    "venue": N_("journal or book"),
    "volume": N_("volume"),
    "issue": N_("issue"),
    "pages": N_("pages"),
    "doi": N_("DOI"),
    "isbn": N_("ISBN"),
    "edition": N_("edition"),
    "type": N_("kind of document"),
}
"""What is compared, for people."""


@dataclass(frozen=True)
class Evidence:
    """What of the records of a group is compared.

    Parameters
    ----------
    agree : tuple of str
        Fields that are alike in all of those that have them.
    differ : tuple of str
        Fields that two of them have and that differ.
    """

    agree: tuple[str, ...]
    differ: tuple[str, ...]


@dataclass(frozen=True)
class DuplicateGroup:
    """Records of one work.

    Parameters
    ----------
    ids : tuple of str
        Of the documents; the first one keeps its id where they are merged.
    evidence : Evidence
    certainty : {"same", "probable"}
        What is the same may be merged by itself; of a group that is the same, a probable one has
        the first record only.
    """

    ids: tuple[str, ...]
    evidence: Evidence
    certainty: Certainty


@dataclass(frozen=True)
class Merge:
    """What takes the place of the passages of a group.

    Parameters
    ----------
    kept : str
        Id of the document.
    passages : tuple of Passage
    embeddings : ndarray of shape (n_passages, embedding_dim)
    ids : tuple of str
        Of all passages that the records had.
    """

    kept: str
    passages: tuple[Passage, ...]
    embeddings: FloatArray
    ids: tuple[str, ...]


def duplicates(library: PassageLibrary) -> list[DuplicateGroup]:
    """Find the records of a library that are of one work, surely or probably.

    The library is read twice, a few thousand passages at a time; kept are those records that share
    the beginning or the end of a title, a DOI, an ISBN, or a place in a volume with another one.

    Returns
    -------
    list of DuplicateGroup
        Those that are the same first, each in order of ids.
    """
    return groups_of(lambda: _works(library))


def groups_of(works: Callable[[], Iterable[Work]]) -> list[DuplicateGroup]:
    """Group records; `works` is called twice and gives the same ones."""
    found: dict[tuple[str, str], Likeness] = {}
    there: dict[str, Work] = {}
    for block in _blocks(works):
        for one, other in _pairs(block):
            pair = (one.id, other.id)
            if pair in found or one.id == other.id:
                continue
            likeness = compare(one, other)
            if likeness is not None:
                found[pair] = likeness
                there[one.id], there[other.id] = one, other
    same = _joined(pair for pair, likeness in found.items() if likeness.certainty == "same")
    groups, first = [], {id_: id_ for id_ in there}
    for ids in same:
        members = sorted((there[id_] for id_ in ids), key=_rank)
        likenesses = [compare(one, other) for one, other in combinations(members, 2)]
        told = [one for one in likenesses if one is not None and not _is_doubtful(one)]
        if len(told) == len(likenesses):
            evidence = _evidence(told)
            group = DuplicateGroup(tuple(one.id for one in members), evidence, "same")
            first |= dict.fromkeys(group.ids, group.ids[0])
        else:  # of a chain, some are two works
            group = _probable(members, found, first)
        groups.append(group)
    decided = {id_ for group in groups if group.certainty == "probable" for id_ in group.ids}
    links = {
        tuple(sorted((first[one], first[other]), key=counting_key))
        for (one, other), likeness in found.items()
        if likeness.certainty == "probable" and first[one] != first[other]
        and not {one, other} <= decided
    }  # fmt: skip
    for ids in _joined((one, other) for one, other in links):
        groups.append(_probable(sorted((there[id_] for id_ in ids), key=_rank), found, first))
    return sorted(groups, key=lambda g: (g.certainty != "same", counting_key(g.ids[0])))


def merging(
    library: PassageLibrary, groups: Sequence[DuplicateGroup], encoder: Encoder
) -> Iterator[Merge]:
    """Prepare to make each group one record; nothing is written.

    The record has the id of the first one, the fields of all, and the other ids in its field
    ``also``; of two titles it has the longer. A passage whose words change is encoded.

    Raises
    ------
    LibraryError
        If the library was made with another encoder.
    InputError
        If a record is not there any more.
    """
    library.check_encoder(encoder.name, encoder.revision)
    ids = _ids_of(library, {id_ for group in groups for id_ in group.ids})
    for group in groups:
        known: dict[str, FloatArray] = {}
        held: list[str] = []
        parts = [library.get(ids.get(id_, [id_])) for id_ in group.ids]
        for part in parts:
            held += [passage.id for passage in part.passages]
            texts = [encoded_text(part.passages, passage) for passage in part.passages]
            known |= dict(zip(texts, part.embeddings, strict=True))
        place = group.ids[0]
        whole, marks = parts[0].passages, _marks(place, parts[0].passages, place)
        for id_, part in zip(group.ids[1:], parts[1:], strict=True):
            marks |= _marks(id_, part.passages, place)
            whole = _one_of_two(whole, part.passages, marks, id_)
        texts = [encoded_text(whole, passage) for passage in whole]
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known |= dict(zip(new, encoder.encode(new), strict=True))
        yield Merge(place, whole, np.stack([known[text] for text in texts]), tuple(held))


def first_passages(library: PassageLibrary, documents: Iterable[str]) -> dict[str, Passage]:
    """Read the first passage of each document, which has the fields of its record."""
    found: dict[str, Passage] = {}
    wanted = [id_ for one in documents for id_ in (one, f"{one}#1")]
    for condition in among(wanted):
        with library.told():
            for batch in scan(library.table, STORED[:-1], condition):
                found |= {passage.id: passage for passage in passages_of(batch)}
    return {id_.removesuffix("#1"): one for id_, one in found.items()} | found


def _works(library: PassageLibrary) -> Iterator[Work]:
    """Read each document once, by its first passage; what has no title is passed over."""
    for passages in library.skim():
        for passage in passages:
            head, mark, number = passage.id.rpartition("#")
            is_part = bool(mark) and number.isdigit() and "position" in passage.metadata
            if passage.title and (not is_part or number == "1"):
                yield Work.of(passage, head if is_part else passage.id)


def _blocks(works: Callable[[], Iterable[Work]]) -> Iterator[list[Work]]:
    """Bring together what may be one work."""
    every, years = array("q"), array("q")
    for work in works():
        every.extend(_keys(work))
        if work.year and work.venue:
            years.extend((_title_key(work), hash(tuple(work.venue)), work.year))
    # Hashes instead of texts take 8 bytes a key. They differ between processes, but none leaves
    # this one.
    keys, counts = np.unique(np.frombuffer(every, np.int64), return_counts=True)
    shared = keys[counts > 1]
    columns = _columns(np.frombuffer(years, np.int64).reshape(-1, 3))
    blocks: dict[int, list[Work]] = defaultdict(list)
    for work in works():
        work.is_column = _title_key(work) in columns
        mine = np.array(_keys(work), np.int64)
        for key in mine[np.isin(mine, shared, assume_unique=False)] if len(shared) else ():
            blocks[int(key)].append(work)
    yield from blocks.values()


def _title_key(work: Work) -> int:
    return hash("".join(work.words))


def _columns(told: IntArray) -> frozenset[int]:
    """Return the titles that stand in one journal in several years.

    Parameters
    ----------
    told : ndarray of shape (n_works, 3)
        Title, journal and year.
    """
    places = np.unique(np.unique(told, axis=0)[:, :2], axis=0, return_counts=True)
    (titles, n_years) = places[0][:, 0], places[1]
    return frozenset(titles[n_years >= _COLUMN_YEARS].tolist())


def _keys(work: Work) -> list[int]:
    title = "".join(work.words)
    keys: list[tuple[str, ...]] = []
    if not work.is_generic:
        keys += [("title", title[:_LETTERS]), ("end", title[-_LETTERS:])]
        keys.append(("title", "".join(work.main)[:_LETTERS]))
    if work.doi:
        keys.append(("doi", work.doi))
    keys += [("isbn", one) for one in work.isbns]
    page, year = work.pages[0], str(work.year or "")
    if page and year:
        if work.authors:
            keys.append(("author", work.authors[0], year, page))
        if volume := " ".join(title_words(work.fields.get("volume", ""))):
            keys.append(("volume", volume, year, page))
    return list({hash(key) for key in keys})


def _pairs(block: list[Work]) -> Iterator[tuple[Work, Work]]:
    # All pairs of a large block would take too long; when sorted, records of one work are
    # neighbours.
    if len(block) <= _ALL_PAIRS:
        yield from combinations(sorted(block, key=lambda work: counting_key(work.id)), 2)
        return
    block = sorted(block, key=lambda w: (w.words, w.authors[:1], w.year or 0, counting_key(w.id)))
    for at, one in enumerate(block):
        for other in block[at + 1 : at + 1 + _NEIGHBOURS]:
            yield (one, other) if counting_key(one.id) < counting_key(other.id) else (other, one)


def _joined(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Join pairs that share an id."""
    parents: dict[str, str] = {}

    def root(one: str) -> str:
        while parents.setdefault(one, one) != one:
            parents[one] = one = parents[parents[one]]
        return one

    for one, other in pairs:
        parents[root(other)] = root(one)
    groups: dict[str, list[str]] = defaultdict(list)
    for one in parents:
        groups[root(one)].append(one)
    return [group for group in groups.values() if len(group) > 1]


def _rank(work: Work) -> tuple[object, ...]:
    """Order records by which should keep its id: one that is published, with a DOI, with most."""
    n_fields = sum(map(bool, work.fields.values()))
    return work.is_preprint, not work.doi, -n_fields, -len(work.title), counting_key(work.id)


def _is_doubtful(likeness: Likeness) -> bool:
    """Return whether two records cannot be in one group, whatever third one is like both."""
    return likeness.certainty != "same" and not _TELLING.isdisjoint(likeness.differ)


def _probable(
    members: list[Work], found: dict[tuple[str, str], Likeness], first: dict[str, str]
) -> DuplicateGroup:
    ids = {one.id for one in members}
    told = [
        likeness
        for (one, other), likeness in found.items()
        if first[one] != first[other] and {first[one], first[other]} <= ids
    ]
    return DuplicateGroup(tuple(one.id for one in members), _evidence(told), "probable")


def _evidence(likenesses: Sequence[Likeness]) -> Evidence:
    differ = {name for one in likenesses for name in one.differ}
    agree = {name for one in likenesses for name in one.agree} - differ
    return Evidence(tuple(sorted(agree)), tuple(sorted(differ)))


def _ids_of(library: PassageLibrary, documents: set[str]) -> dict[str, list[str]]:
    """Return the ids of the passages of documents, in order."""
    ids: dict[str, list[str]] = defaultdict(list)
    with library.told():
        for batch in scan(library.table, ["id"]):
            for id_ in batch.column("id").to_pylist():
                for document in {id_, document_of(id_)} & documents:
                    ids[document].append(id_)
    # A record that somebody numbered like a part of another one is none.
    return {
        document: [document] if document in found else sorted(found, key=counting_key)
        for document, found in ids.items()
    }


def _marks(id_: str, passages: tuple[Passage, ...], place: str) -> set[str]:
    """Return the marks by which an import knows a record again under the id that is kept."""
    parts = parts_of(passages[0])
    return set(parts) or {short(Unit(id_, passages).moved(place).mark)}


def _one_of_two(
    one: tuple[Passage, ...], other: tuple[Passage, ...], marks: set[str], id_: str
) -> tuple[Passage, ...]:
    whole = merged(one, other, marks, [id_])
    titles = [one[0].title, other[0].title]
    if title_words(titles[0]) == title_words(titles[1]):
        return whole
    longer, shorter = sorted(titles, key=len, reverse=True)
    name = OTHER.format(name="title")
    return tuple(
        replace(
            passage,
            title=longer,
            text=longer if passage.text == shorter else passage.text,  # there is no abstract
            metadata={name: shorter, **passage.metadata},
        )
        for passage in whole
    )
