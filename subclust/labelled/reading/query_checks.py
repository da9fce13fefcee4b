"""What can be wrong with a query and all its passages, and between two labelled sets."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.labelled.reading.labelled import LabelledPassage
from subclust.labelled.reading.passage_checks import Reporter, comparable
from subclust.labelled.reading.problems import printable, quoted

Member = tuple[LabelledPassage, str]
"""A passage, and its text as texts are compared."""


def check_query(members: Sequence[Member], report: Reporter, *, whole: bool) -> None:
    """Check the passages of one query.

    Parameters
    ----------
    members : sequence of (LabelledPassage, str)
        At least one.
    report : Reporter
    whole : bool
        Whether these are all passages of the query that the file has: False where others cannot
        be read, so that nothing can be said of their number.
    """
    first = members[0][0]
    labels = Counter(given.passage.label or "" for given, _ in members)
    if len(members) == 1 and whole:
        report.query("one-passage", first, "query", quoted(first.query))
    elif len(labels) == 1 and whole:
        report.query("one-label", first, "label", quoted(first.query), quoted(first.passage.label))
    elif len(labels) > 1:
        _near_labels(members, labels, report)
    _same_passages(members, report)
    _descriptions(members, report)


def check_query_names(firsts: Mapping[str, LabelledPassage], report: Reporter) -> None:
    """Report queries that differ from an earlier one in nothing that anybody means.

    Parameters
    ----------
    firsts : mapping of str to LabelledPassage
        The first passage of each different query.
    report : Reporter
    """
    seen: dict[str, str] = {}
    for query, first in firsts.items():
        earlier = seen.setdefault(_folded(query), query)
        if earlier != query:
            report.query("near-query", first, "query", _as_it_is(query), printable(earlier)[:80])


def check_against(
    groups: Iterable[Sequence[Member]],
    held_out: Iterable[ClusteringInstance],
    name: str,
    report: Reporter,
) -> None:
    """Report queries and passages that a held-out set has too.

    Passages of a query that both have are not reported one by one: it is not trained on.

    Parameters
    ----------
    groups : iterable of sequences of (LabelledPassage, str)
        The passages of each query.
    held_out : iterable of ClusteringInstance
    name : str
        Of the held-out set.
    report : Reporter
    """
    queries: set[str] = set()
    passages: dict[str, str] = {}
    for instance in held_out:
        queries.add(instance.query.text)
        for passage in instance.passages:
            passages.setdefault(comparable(passage.text.split()), instance.query.text)
    for members in groups:
        first = members[0][0]
        if first.query in queries:
            report.query("held-out-query", first, "query", quoted(first.query), name)
            continue
        for given, text in members:
            if text in passages:
                there = Message("{file}, query {query}", file=name, query=quoted(passages[text]))
                report("held-out-passage", given, "text", quoted(text), there)


def _near_labels(members: Sequence[Member], labels: Counter[str], report: Reporter) -> None:
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(_folded(label), []).append(label)
    if len(alike) == len(labels):
        return
    # The most frequent form stays, and the first of two that are equally frequent.
    stays = {key: max(forms, key=labels.__getitem__) for key, forms in alike.items()}
    for given, _ in members:
        label = given.passage.label or ""
        usual = stays[_folded(label)]
        if label != usual:
            report("near-label", given, "label", _as_it_is(label), printable(usual)[:80])


def _same_passages(members: Sequence[Member], report: Reporter) -> None:
    seen: dict[str, LabelledPassage] = {}
    for given, text in members:
        first = seen.setdefault(text, given)
        if first is given:
            continue
        label = given.passage.label
        if first.passage.label == label:
            report("same-passage", given, "text", quoted(text), report.place(first))
        else:
            report("two-labels", given, "label", quoted(label), report.place(first))


def _descriptions(members: Sequence[Member], report: Reporter) -> None:
    told = [given for given, _ in members if given.description is not None]
    for given in told[1:]:
        if given.description != told[0].description:
            found = quoted(given.description)
            report("other-description", given, "description", found, report.place(told[0]))


def _folded(text: str) -> str:
    """Return a text without the differences that nobody means: capitals, blanks, accents' form."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _as_it_is(text: str) -> str:
    """Quote a text with its blanks, which is what it differs by."""
    return f"“{printable(text)[:80]}”"
