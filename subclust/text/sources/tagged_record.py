"""A record of tagged lines while it is being read."""

from dataclasses import dataclass, field

MOST_CHARACTERS = 4 << 20
"""Of one record."""


@dataclass
class OpenRecord:
    """A record that is being read.

    Parameters
    ----------
    line : int
        Where it begins.
    lines : list of (str, list of str)
        Each tag in order, and the parts of its value.
    tags : set of str
    last : str
        The tag that lines without one belong to.
    gap, gap_line : int
        From where on its lines may turn out to be another record's; -1 where nothing parts them.
    before : frozenset of str
        The tags in front of the gap.
    """

    line: int
    lines: list[tuple[str, list[str]]] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    last: str = ""
    n_characters: int = 0
    gap: int = -1
    gap_line: int = 0
    before: frozenset[str] = frozenset()
    end: str = ""
    mended: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """Return the first tag; empty if there is none."""
        return self.lines[0][0] if self.lines else ""

    def add(self, tag: str, value: str) -> None:
        """Add a line with a tag."""
        self.n_characters += len(value) + 1
        if self.n_characters <= MOST_CHARACTERS:
            self.lines.append((tag, [value]))
        self.tags.add(tag)
        self.last = tag

    def extend(self, value: str, *, apart: bool) -> None:
        """Add a line to the last tag's value, or as one more value of it."""
        self.gap = -1
        if apart:
            self.add(self.last, value)
            return
        self.n_characters += len(value) + 1
        if self.n_characters <= MOST_CHARACTERS and self.lines:
            self.lines[-1][1].append(value)

    def part(self, line: int) -> None:
        """Note that another record may begin here."""
        self.gap, self.gap_line, self.before = len(self.lines), line, frozenset(self.tags)

    def rest(self) -> "OpenRecord":
        """Take away what follows the gap, as a record of its own."""
        rest = OpenRecord(self.gap_line)
        for tag, parts in self.lines[self.gap :]:
            rest.add(tag, parts[0])
            rest.lines[-1][1].extend(parts[1:])
        del self.lines[self.gap :]
        return rest

    @property
    def values(self) -> dict[str, list[str]]:
        """Return the values of each tag, in order."""
        values: dict[str, list[str]] = {}
        for tag, parts in self.lines:
            values.setdefault(tag, []).append(
                parts[0] if len(parts) == 1 else " ".join(parts).strip()
            )
        return values
