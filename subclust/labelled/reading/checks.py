"""What can be wrong with a labelled set that can be read: with a passage, a query, or two sets."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance
from subclust.labelled.reading.labelled import LabelledPassage
from subclust.labelled.reading.problems import Problem, Sink, place, printable, quoted

_BROKEN = re.compile(r"[\x00\ufffe\uffff\ud800-\udfff]")
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Replacement characters, Windows-1252 that was read as Latin-1, and UTF-8 read as Windows-1252.
_LOST = re.compile(r"[\ufffd\x80-\x9f]|Ã[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ]|â€[œ™“”˜¦\x9d]")
_SUSPECT = re.compile(f"{_BROKEN.pattern}|{_CONTROL.pattern}|{_LOST.pattern}")
_SPREADSHEET_ERROR = re.compile(
    r"#(?:N/A|REF!|VALUE!|DIV/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA|BUSY!|FIELD!)"
)
_FORMULA = re.compile(r"=\s*[A-Z][A-Z.]*\(.*\)|=\$?[A-Z]{1,3}\$?\d+")
_NO_LABEL = {"nan", "null", "n/a", "-", "--", "—", "?", "??", "???", "tbd", "todo", "#"}
_LONGEST_MEAN_WORD = 15


Member = tuple[LabelledPassage, str]
"""A passage, and its text as texts are compared."""


@dataclass(frozen=True)
class Reporter:
    """Reports problems of passages."""

    file: str
    in_lines: bool
    sink: Sink

    def __call__(
        self, kind: str, given: LabelledPassage, column: str, found: str = "", other: str = ""
    ) -> None:
        """Report one problem of a passage."""
        self._report(kind, given, given.position, column, found, other)

    def query(
        self, kind: str, given: LabelledPassage, column: str, found: str = "", other: str = ""
    ) -> None:
        """Report one problem of a query, at its first passage, or at its line."""
        self._report(kind, given, None, column, found, other)

    def _report(
        self,
        kind: str,
        given: LabelledPassage,
        position: int | None,
        column: str,
        found: str,
        other: str,
    ) -> None:
        self.sink(
            Problem(
                kind,
                self.file,
                given.row,
                position,
                column,
                found,
                other,
                given.query,
                self.in_lines,
            )
        )

    def place(self, given: LabelledPassage) -> str:
        """Name the place of a passage."""
        return place(given.row, given.position, self.in_lines)


@dataclass
class PassageChecks:
    """Looks at one passage after the other.

    Parameters
    ----------
    max_words : int or None
        Longer texts are reported; None for no limit.
    """

    report: Reporter
    max_words: int | None
    ids: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __call__(self, given: LabelledPassage) -> str:
        """Check a passage by itself; give its text as texts are compared."""
        passage = given.passage
        label = passage.label or ""
        for column, value in (
            ("query", given.query),
            ("text", passage.text),
            ("label", label),
            ("title", passage.title),
        ):
            self._characters(given, column, value)
        for column, value in (("query", given.query), ("text", passage.text), ("label", label)):
            if value.lstrip()[:1] in ("#", "="):
                self._spreadsheet(given, column, value.strip())
        words = passage.text.split()
        self._length(given, words)
        if not any(map(str.isalpha, passage.text)):
            self.report("no-words", given, "text", quoted(passage.text))
        if label.strip().lower() in _NO_LABEL:
            self.report("no-label-meant", given, "label", quoted(label))
        path = passage.path or ""
        if path != label and not path.startswith(f"{label} / "):
            told = quoted(label)[1:-1]
            self.report("path-without-label", given, "path", quoted(path), told)
        if "\n" in passage.text and not self.report.in_lines:
            self._swallowed(given)
        text = _comparable(words)
        if text == passage.text:
            text = passage.text  # so that it is not in memory twice
        if given.has_id:
            there = self.report.place(given)
            first = self.ids.setdefault(passage.id, (text, there))
            if first[0] != text:
                self.report("same-id", given, "id", quoted(passage.id), first[1])
        return text

    def _characters(self, given: LabelledPassage, column: str, value: str) -> None:
        if value.isascii() and value.isprintable() or not _SUSPECT.search(value):
            return
        for kind, pattern in (
            ("broken-characters", _BROKEN),
            ("control-characters", _CONTROL),
            ("lost-characters", _LOST),
        ):
            match = pattern.search(value)
            if match:
                around = value[max(0, match.start() - 12) : match.end() + 12]
                self.report(kind, given, column, quoted(around))

    def _spreadsheet(self, given: LabelledPassage, column: str, value: str) -> None:
        if _SPREADSHEET_ERROR.fullmatch(value):
            self.report("error-cell", given, column, quoted(value))
        elif not self.report.in_lines and _FORMULA.fullmatch(value):
            self.report("formula-text", given, column, quoted(value))

    def _length(self, given: LabelledPassage, words: list[str]) -> None:
        if self.max_words is None:
            return
        n_words = len(words)
        if len(given.passage.text) > (_LONGEST_MEAN_WORD + 1) * n_words:
            # Written without blanks, as in Chinese and Thai: each character is read like a word.
            n_words = sum(map(len, words))
        if n_words > self.max_words:
            self.report(
                "long-text",
                given,
                "text",
                Message("{count:,}", count=n_words),
                Message("{count:,}", count=self.max_words),
            )

    def _swallowed(self, given: LabelledPassage) -> None:
        for separator in ",;\t|":
            start = given.passage.text.find(f"\n{given.query}{separator}")
            if start >= 0:
                told = quoted(given.passage.text[start : start + 40])
                self.report("swallowed-row", given, "text", told)
                return


def _comparable(words: Sequence[str]) -> str:
    """Return a text as texts are compared, from its words: blanks and the form of accents aside."""
    text = " ".join(words)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def check_query(members: Sequence[Member], report: Reporter, *, whole: bool) -> None:
    """Check the passages of one query.

    Parameters
    ----------
    members : sequence of (LabelledPassage, str)
        At least one.
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
    """Report queries that differ from an earlier one in nothing that anybody means."""
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
    """
    queries: set[str] = set()
    passages: dict[str, str] = {}
    for instance in held_out:
        queries.add(instance.query.text)
        for passage in instance.passages:
            passages.setdefault(_comparable(passage.text.split()), instance.query.text)
    for members in groups:
        first = members[0][0]
        if first.query in queries:
            report.query("held-out-query", first, "query", quoted(first.query), name)
            continue
        for given, text in members:
            if text in passages:
                there = Message("{file}, question {query}", file=name, query=quoted(passages[text]))
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
