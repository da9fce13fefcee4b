"""Records out of XML, one at a time, from files and answers that nobody vouches for."""

import html.entities
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, BinaryIO

from lxml import etree

from subclust.core.exceptions import FileFormatError
from subclust.core.messages import Message
from subclust.text.sources.base import (
    DAMAGES,
    Document,
    Refusal,
    Source,
    absent,
    cut_off,
    unreadable,
)
from subclust.text.sources.decoding import decoded_xml
from subclust.text.sources.record import excerpt, ids_of
from subclust.text.sources.unpacking import Metered, TooLongError, opened

MOST_DEPTH = 100
"""Elements within elements; no format needs a tenth of it."""

MOST_ELEMENTS = 300_000
"""Of one record; an article with many tables has some ten thousand."""

_AGAIN = Message("Export it again; if that does not help, tell whoever made the file.")


@dataclass(frozen=True)
class XmlRecord:
    """One record; its element is there until the next one is asked for.

    Parameters
    ----------
    element : lxml element
    tag : str
        Its name without name space.
    number : int
        From 1, among all records.
    line : int
        Where it begins.
    """

    element: Any
    tag: str
    number: int
    line: int

    @property
    def place(self) -> str:
        """Where it is, as its owner would look for it."""
        return Message("record {number} (line {line})", number=self.number, line=self.line)


Ids = tuple[str, ...] | None


def xml_records(
    stream: BinaryIO,
    tags: Collection[str],
    told: str,
    encoding: str | None = None,
    ids: "Callable[[XmlRecord], Ids]" = lambda _: None,
) -> Iterator[XmlRecord | Refusal]:
    """Read the records of an XML stream, in memory for one record.

    Nothing outside the stream is read, no entity that it declares is expanded, and depth and the
    size of one text are bounded: what defusedxml forbids, forbidden through lxml's own options,
    since defusedxml's lxml module is given up. A record that is not well formed is refused, and the
    ones after it are read.

    Parameters
    ----------
    stream : binary stream
    tags : collection of str
        Names of the elements that are records, without name space; of nested ones the outer counts.
    told : str
        Name of the file, or of what answered.
    encoding : str, optional
        What the stream is in, whatever it declares.
    ids : callable
        Returns those of a record that is refused, as a `Refusal` has them.

    Raises
    ------
    FileFormatError
        If it is no XML at all, or declares entities.
    """
    wanted = frozenset(tags)
    metered = Metered(stream)
    try:
        parsing = etree.iterparse(
            metered,
            events=("start", "end"),
            recover=True,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            dtd_validation=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
            encoding=encoding,
        )
        yield from _walked(parsing, metered, wanted, told, ids)
    except TooLongError as error:
        raise FileFormatError(
            "{file} holds a record that is larger than any in an export. {again}",
            file=told,
            again=_AGAIN,
        ) from error
    except (etree.XMLSyntaxError, LookupError) as error:
        raise FileFormatError(
            "{file} cannot be read as XML ({excerpt}). {again}",
            file=told,
            excerpt=excerpt(str(error)),
            again=_AGAIN,
        ) from error


def _walked(
    parsing: Any,
    metered: Metered,
    wanted: frozenset[str],
    told: str,
    ids: Callable[[XmlRecord], Ids],
) -> Iterator[XmlRecord | Refusal]:
    inside: Any | None = None
    depth = n_records = n_errors = n_elements = 0
    for event, element in _until_broken(parsing):
        # The limits hold for one record, not for the file.
        if inside is None:
            metered.n_bytes = n_elements = 0
        n_elements += 1
        if n_elements > 2 * MOST_ELEMENTS:  # each begins and ends
            raise TooLongError(
                Message("of more than {most_elements:,} elements", most_elements=MOST_ELEMENTS)
            )
        if event == "start":
            # libxml2 has read the DTD by the time that it reports the root.
            if not depth:
                _refuse_entities(element, told)
            depth += 1
            if depth > MOST_DEPTH:
                raise FileFormatError(
                    "{file} has more than {most_depth} elements within each other, which no "
                    "export has. {again}",
                    file=told,
                    most_depth=MOST_DEPTH,
                    again=_AGAIN,
                )
            if inside is None and local_name(element) in wanted:
                inside = element
            continue
        depth -= 1
        if inside is not None:
            if element is not inside:
                continue
            n_records += 1
            record = XmlRecord(inside, local_name(inside), n_records, inside.sourceline or 0)
            inside = None
            faults = _faults(parsing, n_errors)
            n_errors += len(faults)
            if faults:
                yield _refused(
                    record,
                    Message(
                        "It is not well formed: line {line}, {error}.",
                        line=faults[0].line,
                        error=excerpt(faults[0].message),
                    ),
                    Message("Correct that line, or export the record again."),
                    ids(record),
                )
            else:
                yield record
        # lxml would keep the whole tree: what has been read is emptied, and what precedes it
        # removed.
        element.clear(keep_tail=False)
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]
    yield from _cut_off(inside, n_records, _faults(parsing, n_errors))


def _cut_off(inside: Any | None, n_records: int, rest: Sequence[Any]) -> Iterator[Refusal]:
    """Yield the record in which a file ends, or where it is damaged after its last one."""
    if inside is not None:
        yield _refused(
            XmlRecord(inside, local_name(inside), n_records + 1, inside.sourceline or 0),
            Message("The file ends in the middle of it."),
            Message("Export or download the file again; what was imported is not imported twice."),
        )
    elif rest:
        yield Refusal(
            Message("line {line}, after record {number}", line=rest[0].line, number=n_records),
            Message(
                "The file is damaged or cut off there ({error}).", error=excerpt(rest[0].message)
            ),
            Message(
                "Export it again and import it once more; what was imported is not imported twice."
            ),
        )


def _refuse_entities(root: Any, told: str) -> None:
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise FileFormatError(
            "{file} declares its own entities, which exports do not need but attacks use, so it "
            "was not read; export it again.",
            file=told,
        )


def _until_broken(parsing: Any) -> Iterator[tuple[str, Any]]:
    """Return events until the end, or until what even a forgiving parser does not forgive."""
    n_events = 0
    while True:
        try:
            event = next(parsing)
        except StopIteration:
            return
        except etree.XMLSyntaxError:
            if not n_events:
                raise
            return
        n_events += 1
        yield event


def _faults(parsing: Any, n_known: int) -> list[Any]:
    """List what was found wrong since, but for what harms nothing."""
    log = parsing.error_log
    # lxml keeps one log for the whole file; only entries since the last record are this record's.
    if len(log) <= n_known:
        return []
    return [entry for entry in list(log)[n_known:] if entry.level >= etree.ErrorLevels.ERROR]


def _refused(record: XmlRecord, reason: str, advice: str, ids: Ids = None) -> Refusal:
    told = excerpt(text_of(record.element))
    return Refusal(record.place, reason, advice, record.tag, told, ids=ids)


def local_name(element: Any) -> str:
    """Return an element's name without its name space."""
    tag = element.tag
    return _without_space(tag) if isinstance(tag, str) else ""


@lru_cache(4096)
def _without_space(tag: str) -> str:
    return tag.rpartition("}")[2]


def children(element: Any, *names: str) -> list[Any]:
    """List the children of these names, whatever their name space."""
    return [child for child in element if local_name(child) in names]


def found(element: Any, *path: str) -> list[Any]:
    """List what a path of names leads to, whatever the name spaces."""
    reached = [element]
    for name in path:
        reached = [child for one in reached for child in children(one, name)]
    return reached


def text_of(element: Any) -> str:
    """Return all text in an element, blanks drawn together, named characters resolved."""
    if element is None:
        return ""
    if not len(element) and isinstance(element.tag, str):
        return " ".join((element.text or "").split())
    return " ".join("".join(_texts(element)).split())


def first_text(element: Any, *path: str) -> str:
    """Return the text of the first element that a path leads to and that has one."""
    return next((text for one in found(element, *path) if (text := text_of(one))), "")


def _texts(element: Any) -> Iterator[str]:
    pending: list[Any] = [element]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            yield one
            continue
        # The parser resolves no entities at all; those that HTML names are safe to resolve here.
        if one.tag is etree.Entity:
            yield html.entities.html5.get(f"{one.name};", f"&{one.name};")
            continue
        if one.text and isinstance(one.tag, str):
            yield one.text
        for child in reversed(one):
            if child.tail:
                pending.append(child.tail)
            pending.append(child)


class XmlSource(Source):
    """A file of records in XML: a subclass says which elements they are and makes documents."""

    tags: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the records in order.

        Raises
        ------
        FileFormatError
            If the file cannot be read as XML, or has none of the records.
        """
        if not self.path.is_file():
            raise absent(self.path)
        n_items = 0
        try:
            with opened(self.path) as stream:
                decoded = decoded_xml(stream, self)
                # The stream is UTF-8 by now, so what the file declares must not count any more.
                for record in xml_records(decoded, self.tags, self.path.name, "utf-8", self._ids):
                    if isinstance(record, Refusal):
                        n_items += 1
                        yield record
                    elif self.is_record(record.element):
                        n_items += 1
                        yield self.read(record)
        except DAMAGES as error:
            if not n_items:
                raise unreadable(self.path, error) from error
            yield cut_off(Message("after record {number}", number=n_items), error)
            return
        if not n_items:
            raise FileFormatError(
                "{file} holds nothing that could be read as {format}; choose another format, or "
                "another file.",
                file=self.path.name,
                format=self.label,
            )

    def is_record(self, element: Any) -> bool:
        """Return whether an element is a record; some formats have others of the same name."""
        return True

    def _ids(self, record: XmlRecord) -> Ids:
        item = self.read(record) if self.is_record(record.element) else None
        return None if item is None else ids_of(item, self.collection)

    @abstractmethod
    def read(self, record: XmlRecord) -> Document | Refusal:
        """Return the document of a record, or why it cannot become one."""
