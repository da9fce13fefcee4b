"""One record of two: the fields of both, never fewer."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from subclust.core.messages import Message, joined
from subclust.core.records import Passage
from subclust.text.ingest.identity import title_words
from subclust.text.sources.record import carried

MERGED = "merged"
"""Field that lists the marks of the records that were made one, so that each is known again."""

ALSO = "also"
"""Field that lists the ids of records that became a part of this one."""

OTHER = "other {name}"
"""What the second value of a field is called that can have one only."""

_BOOKKEEPING = (MERGED, ALSO, "position", "characters")
_SINGLE = frozenset(
    "year date doi venue volume issue pages publisher issn isbn url language pmid source "
    "licence authors type number edition".split()
)
_KNOWN_SHARE = 0.8
_MARK = 16


def parts_of(passage: Passage) -> frozenset[str]:
    """Return the marks of the records that a passage was merged from; none where it was not."""
    return frozenset(passage.metadata.get(MERGED, "").split())


def short(mark: str) -> str:
    """Return as much of a fingerprint as is kept of a part."""
    return mark[:_MARK]


def merged(
    one: tuple[Passage, ...],
    other: tuple[Passage, ...],
    marks: Iterable[str],
    also: Iterable[str] = (),
) -> tuple[Passage, ...]:
    """Make one record of two; where they differ in what can be one only, the first counts.

    Parameters
    ----------
    one, other : tuple of Passage
        Of each record; what comes has the id of the first.
    marks : iterable of str
        Of the records that they were, in full or as `short` leaves them.
    also : iterable of str
        Ids that it had.
    """
    longest = max((one, other), key=lambda part: sum(len(passage.text) for passage in part))
    fields = _fields(one[0].metadata, other[0].metadata)
    kept = {MERGED: " ".join(sorted({short(mark) for mark in marks}))}
    if ids := list(dict.fromkeys([*_listed(one[0]), *_listed(other[0]), *also])):
        kept[ALSO] = "\n".join(ids)
    fields |= kept
    title = one[0].title or other[0].title
    root = one[0].id if len(one) == 1 else one[0].id.rpartition("#")[0]
    if len(one) == len(other) == 1:
        text = _text(one[0], other[0], title)
        label = one[0].label or other[0].label
        path = one[0].path or other[0].path
        whole = replace(one[0], text=text, title=title, label=label, path=path, metadata=fields)
        return (whole,)
    return tuple(
        replace(
            passage,
            id=f"{root}#{number}" if len(longest) > 1 else root,
            title=title,
            collection=one[0].collection,
            metadata=(fields if number == 1 else carried(fields) | kept)
            | {k: v for k, v in passage.metadata.items() if k in _BOOKKEEPING[2:]},
        )
        for number, passage in enumerate(longest, start=1)
    )


def differences(one: tuple[Passage, ...], other: tuple[Passage, ...]) -> Message:
    """Return the names of the fields in which two records differ."""
    lead, second_lead = one[0], other[0]
    names = [n for n in ("title", "label") if getattr(lead, n) != getattr(second_lead, n)]
    if [passage.text for passage in one] != [passage.text for passage in other]:
        names.append("abstract")
    first, second = lead.metadata, second_lead.metadata
    keys = dict.fromkeys([*first, *second])
    names += [key for key in keys if key not in _BOOKKEEPING and first.get(key) != second.get(key)]
    return joined([Message("{name}", name=name) for name in names])


def _listed(passage: Passage) -> list[str]:
    return passage.metadata.get(ALSO, "").splitlines()


def _fields(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    fields = {name: value for name, value in one.items() if name not in _BOOKKEEPING}
    for name, value in other.items():
        mine = fields.get(name, "")
        if name in _BOOKKEEPING or not value or value.casefold() == mine.casefold():
            continue
        if not mine:
            fields[name] = value
        elif name in _SINGLE:
            if name == "authors" and len(value.split(";")) > len(mine.split(";")):
                fields[name], value = value, mine
            second = OTHER.format(name=name)
            fields[second] = _union(fields.get(second, ""), value)
        else:
            fields[name] = _union(mine, value)
    return fields


def _union(mine: str, value: str) -> str:
    """Join two lists; what is in both counts once."""
    parts: dict[str, str] = {}
    for part in [*mine.split("; "), *value.split("; ")]:
        parts.setdefault(part.casefold(), part)
    return "; ".join(filter(None, parts.values()))


def _text(one: Passage, other: Passage, title: str) -> str:
    """Return the longer text, and the other one below it where it says something else."""
    texts = [p.text for p in (one, other) if p.text not in (p.title, title)]
    if not texts:
        return title
    longer, shorter = max(texts, key=len), min(texts, key=len)
    words, known = title_words(shorter), set(title_words(longer))
    if sum(word in known for word in words) >= _KNOWN_SHARE * len(words):
        return longer
    return f"{texts[0]}\n\n{texts[1]}"
