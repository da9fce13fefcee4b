"""What an import reads of one source: new passages in batches, and an account of all the rest."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from subclust.core.messages import Message
from subclust.core.records import FloatArray, Passage
from subclust.core.storage.spilling import SpillingDict
from subclust.text.ingest.account import Account
from subclust.text.ingest.identity import heading, same_record, titles_alike
from subclust.text.ingest.known import KnownPassages
from subclust.text.ingest.merging import differences, merged, parts_of, short
from subclust.text.ingest.units import AGAIN, END, PART, Batch, Taken, Unit, units_of
from subclust.text.sources.base import Document, Refusal, Source

_COMPARED_AT_ONCE = 256


@dataclass(slots=True)
class _Record:
    """What becomes of a document, while it is not decided of all of its units."""

    document: Document
    n_open: int = 0
    is_changed: bool = False
    is_there: bool = False
    new: list[Taken] = field(default_factory=list)


class Reading(Account):
    """One reading of a source, which is the same wherever it is done.

    Of records with one id, those of another title get an id of their own, and those of the same
    title become one. A record that the library has under the id of an earlier version keeps that.

    Parameters
    ----------
    source : iterable of Document and Refusal
        One that can be read twice is read again where a record came twice with other words; of
        another, all records are kept in memory.
    there : KnownPassages, optional
        What the library holds; such passages are not given.

    Attributes
    ----------
    waiting : list
        The batch that is being filled.
    stale : list of str
        Ids of passages that records had and have no longer, since they are cut otherwise now.
    refused : set of str
        Ids under which the library may hold records that were refused.
    """

    def __init__(
        self, source: Iterable[Document | Refusal], there: KnownPassages | None = None
    ) -> None:
        super().__init__()
        self.source = source
        self.there = there or KnownPassages()
        self.waiting: Batch = []
        self.stale: list[str] = []
        self.refused: set[str] = set()
        # Mark and title of each unit by its root, and the root that it has in the library.
        self._first = SpillingDict()
        self._moved: dict[str, str] = {}
        self._compared: list[tuple[Unit, _Record | None, list[str]]] = []
        self._later: dict[str, list[tuple[Unit, _Record]]] = {}
        self._kept: dict[str, Unit] = {}
        self._keeps = False

    def batches(
        self, batch_size: int, looked: Callable[[], object] = lambda: None
    ) -> Iterator[Batch]:
        """Read to the end.

        Parameters
        ----------
        batch_size : int
            Passages of each batch but the last, at least 1.
        looked : callable
            Called before each record.
        """
        items = iter(self.source)
        # An iterator cannot be read a second time, so its records are kept instead.
        self._keeps = items is self.source
        for item in items:
            looked()
            if isinstance(item, Refusal):
                self.refuse(item)
                continue
            self._read(item)
            yield from self._full(batch_size)
        self._compare()
        if isinstance(self.source, Source):
            self.decoding = self.source.decoding
        # Last: only now all records of an id are known. What is set apart then is compared in turn.
        self._merge_later()
        self._compare()
        yield from self._full(batch_size)
        if self.waiting:
            batch, self.waiting = self.waiting, []
            yield batch

    def refuse(self, refusal: Refusal) -> None:
        """Note a record that was refused, and which one of the library's it may be."""
        super().refuse(refusal)
        if self.there.marks:
            ids = refusal.ids or ()
            self.refused.update(
                ids, (self.there.also[one] for one in ids if one in self.there.also)
            )

    def _full(self, batch_size: int) -> Iterator[Batch]:
        while len(self.waiting) >= batch_size:
            batch, self.waiting = self.waiting[:batch_size], self.waiting[batch_size:]
            yield batch

    def _read(self, document: Document) -> None:
        self.n_documents += 1
        self.n_mended += bool(document.mended)
        for what in document.mended:
            self.remark(document, what)
        record = _Record(document)
        units = units_of(document)
        record.n_open = len(units)
        for unit in units:
            self._place(unit, record)

    def _place(self, unit: Unit, record: _Record) -> None:
        """Choose what becomes of a unit, or have it compared with what the library holds."""
        if unit.root in self._first:
            self._again(unit, record)
            return
        self._first[unit.root] = f"{unit.mark} {heading(unit.lead)}"
        if self._keeps:
            self._kept[unit.root] = unit
        if not self.there.marks:
            self._take(unit, record)
            return
        if self._is_held(unit, record):
            return
        candidates = [root for root in [unit.root, *self._roots(unit)] if self.there.holds(root)]
        if not candidates:
            self._take(unit, record)
            return
        self._compared.append((unit, record, candidates))
        if len(self._compared) >= _COMPARED_AT_ONCE:
            self._compare()

    def _roots(self, unit: Unit) -> list[str]:
        """List the ids under which the library may hold a unit besides its own."""
        own = [*(unit.apart_roots if self.there.has_suffixes else []), *unit.former_roots]
        also = self.there.also
        return [*own, *(also[one] for one in (unit.root, *own) if one in also)]

    def _is_held(self, unit: Unit, record: _Record | None) -> bool:
        """Return whether the library holds all of a unit, word for word; then it is noted."""
        for root in (unit.root, *unit.former_roots):
            is_former = root != unit.root
            if is_former and not self.there.may_hold(root, unit.lead.collection):
                continue
            moved = unit.moved(root)
            held = [
                self.there.held(passage, mark)
                for passage, mark in zip(moved.passages, moved.marks, strict=True)
            ]
            # An id that this source has brought already belongs to another of its records.
            if all(held) and not any(id_ in self.seen for id_ in held if id_ in moved.ids):
                if is_former:
                    self._moved[unit.root] = root
                self.seen.add(moved.ids)
                self.unchanged.add(id_ for id_ in held if id_ is not None)
                self._settle(record, is_there=True)
                return True
        return False

    def _compare(self) -> None:
        """Decide of the units whose ids the library holds with other words."""
        compared, self._compared = self._compared, []
        wanted = {id_ for unit, _, roots in compared for root in roots for id_ in unit.at(root)}
        held = self.there.fetch(sorted(id_ for id_ in wanted if id_ in self.there.marks))
        for unit, record, roots in compared:
            for root in roots:
                there = next((held[id_] for id_ in unit.at(root) if id_ in held), None)
                if there is None:
                    continue
                moved, parts = unit.moved(root), parts_of(there[0])
                is_part = short(moved.mark) in parts
                if not is_part and not same_record(unit.lead, there[0]):
                    continue
                if record is not None and any(id_ in self.seen for id_ in moved.ids):
                    if is_part:
                        self._settle(record)  # with another record of this source that came before
                        break
                    if parts:
                        self._later.setdefault(self._root_at(root), []).append((unit, record))
                        break
                    # Another record of this source has taken the place that it had before.
                    continue
                if root != unit.root:
                    self._moved[unit.root] = root
                self._update(
                    moved, record, {id_: held[id_] for id_ in moved.at(root) if id_ in held}
                )
                break
            else:
                there = next((held[id_] for id_ in unit.at(unit.root) if id_ in held), None)
                if record is None or there is None:
                    self._take(unit, record)
                else:
                    self._set_apart(unit, record, heading(there[0]))

    def _root_at(self, place: str) -> str:
        """Return the root that the record has in this source which has one in the library."""
        return next((root for root, there in self._moved.items() if there == place), place)

    def _update(
        self,
        unit: Unit,
        record: _Record | None,
        held: dict[str, tuple[Passage, FloatArray]],
    ) -> None:
        """Take a unit that the library holds with other words or fields."""
        there = tuple(passage for passage, _ in held.values())
        parts = parts_of(there[0])
        mine = unit.parts or frozenset([short(unit.mark)])
        if parts and mine <= parts:
            self.seen.add(unit.ids)
            if record is not None:
                self.unchanged.add(passage.id for passage in there)
                self._settle(record, is_there=True)
            return
        if parts:
            whole = merged(unit.passages, there, parts | mine)
            unit = unit.having(tuple(replace(p, collection=there[0].collection) for p in whole))
        if unit.is_whole:
            ids = self.there.ids_of(unit.root)
            self.stale += [id_ for id_ in ids if id_ not in unit.ids]
        if record is not None:
            record.is_changed = True
        self._take(unit, record, held)

    def _take(
        self,
        unit: Unit,
        record: _Record | None,
        held: dict[str, tuple[Passage, FloatArray]] | None = None,
    ) -> None:
        """Have the passages of a unit encoded and stored, but for those that are there."""
        # Another record of this source has taken these ids meanwhile.
        if record is not None and any(id_ in self.seen for id_ in unit.ids):
            unit = unit.moved(unit.apart_roots[1])
        new = []
        self.seen.add(unit.ids)
        for passage, mark in zip(unit.passages, unit.marks, strict=True):
            there = self.there.held(passage, mark) if self.there.marks else None
            if there is not None:
                self.unchanged.add([there])
                continue
            text = unit.text_of(passage)
            vector = None
            if held is not None and passage.id in held:
                old, embedding = held[passage.id]
                if unit.text_of(old) == text and self._as_many(unit):
                    vector = embedding
            new.append(Taken(passage, text, PART, vector, mark))
        if record is not None:
            record.new += new
            self._settle(record, is_there=not new)
            return
        # A record of this source was given before, and takes the place of that.
        waiting = {taken.passage.id: at for at, taken in enumerate(self.waiting)}
        for one in new:
            at = waiting.get(one.passage.id)
            if at is None:
                self.waiting.append(one._replace(kind=AGAIN))
            else:
                self.waiting[at] = one._replace(kind=self.waiting[at].kind)

    def _as_many(self, unit: Unit) -> bool:
        """Return whether the library has a unit as one passage, or as several, as it is now."""
        one = unit.root in self.there.marks
        return one if len(unit.passages) == 1 else f"{unit.root}#2" in self.there.marks

    def _again(self, unit: Unit, record: _Record) -> None:
        """Choose what becomes of a unit whose id came before."""
        mark, _, title = self._first[unit.root].partition(" ")
        if mark == unit.mark:
            what = Message("It is in the source twice, word for word; it was kept once.")
            self.remark(record.document, what)
            self._settle(record)
        elif not unit.is_whole:
            self._set_apart(unit, record, title)
        elif titles_alike(title, heading(unit.lead)):
            self._later.setdefault(unit.root, []).append((unit, record))
        else:
            self._set_apart(unit, record, title)

    def _set_apart(self, unit: Unit, record: _Record, title: str) -> None:
        """Give a unit an id of its own, since another record, of some title, has that one."""
        is_alike = titles_alike(title, heading(unit.lead))
        moved = unit.moved(unit.apart_roots[is_alike])
        self.remark(
            record.document,
            Message(
                "Another record has its title, but not all of its fields; both are kept, and this "
                "one has the id {new!r}."
                if is_alike
                else "Its id {id!r} is that of another record, {other!r}; both are kept, and this "
                "one has the id {new!r}.",
                id=unit.root,
                other=title,
                new=moved.root,
            ),
        )
        self._place(moved, record)

    def _merge_later(self) -> None:
        """Make one record of those that came twice with other words or fields."""
        later, self._later = self._later, {}
        if not later:
            return
        first = self._kept if self._keeps else self._read_again(set(later))
        for root, units in later.items():
            main = first[root]
            place = self._moved.get(root, root)
            whole = main.moved(place)
            parts = {short(whole.mark)}
            for unit, record in units:
                if not same_record(main.lead, unit.lead):
                    self._set_apart(unit, record, heading(main.lead))
                    continue
                moved = unit.moved(place)
                self.remark(
                    record.document,
                    Message(
                        "It repeats the record {id!r} with a different {names}; the two were "
                        "merged, with the fields of both.",
                        id=place,
                        names=differences(main.passages, unit.passages),
                    ),
                )
                self._settle(record)
                if short(moved.mark) not in parts:
                    parts.add(short(moved.mark))
                    whole = whole.having(merged(whole.passages, moved.passages, parts))
            if len(parts) > 1:
                self._replace(whole.with_parts(parts), place)

    def _replace(self, unit: Unit, place: str) -> None:
        """Put a merged record in the place of its first part."""
        n_before = len(self.waiting)
        if not self.there.holds(place):
            self._take(unit, None)
            return
        is_there = any(id_ in self.unchanged for id_ in unit.ids)
        self._compared.append((unit, None, [place]))
        self._compare()
        given = self.waiting[n_before:]
        if given and is_there:
            # Its first part was there already and unchanged; now it is another.
            self.waiting[-1] = given[-1]._replace(kind=END)
            self.n_unchanged -= 1
            self.n_imported += 1
            self.n_changed += 1
            for taken in given:
                self.unchanged.pop(taken.passage.id, None)

    def _read_again(self, roots: set[str]) -> dict[str, Unit]:
        """Read the source once more, up to the last of the records that came first of their id."""
        found: dict[str, Unit] = {}
        for item in self.source:
            if isinstance(item, Refusal):
                continue
            for unit in units_of(item):
                for one in (unit, *map(unit.moved, unit.apart_roots)):
                    its = one.root in roots and one.root not in found
                    if its and self._first[one.root].startswith(one.mark):
                        found[one.root] = one
            if len(found) == len(roots):
                break
        return found

    def _settle(self, record: _Record | None, *, is_there: bool = False) -> None:
        """Note that one more unit of a record is decided; with the last one, give its passages."""
        if record is None:
            return
        record.is_there |= is_there
        record.n_open -= 1
        if record.n_open:
            return
        if record.new:
            record.new[-1] = record.new[-1]._replace(kind=END)
            self.waiting += record.new
            self.n_imported += 1
            self.n_changed += record.is_changed
        elif record.is_there:
            self.n_unchanged += 1
        else:
            self.n_merged += 1
