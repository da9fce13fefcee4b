"""What a labelled set is read into: which column holds what, and its passages one at a time."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from subclust.core.exceptions import InputError
from subclust.core.records import Passage

REQUIRED_COLUMNS = ("query", "text", "label")
_OPTIONAL_COLUMNS = ("id", "title", "description", "path")
COLUMNS = (*REQUIRED_COLUMNS, *_OPTIONAL_COLUMNS)
# What other programs and people call them; only ever suggested, never taken.
_SYNONYMS = {
    "query": "question questions search searchterm searchquery request researchquestion prompt",
    "text": "abstract abstractnote passage content body summary paragraph snippet fulltext "
    "passagetext",
    "label": "category class subtopic topic cluster group subject heading tag theme section "
    "goldlabel classification",
}
_LIKE_ENOUGH = 0.75


@dataclass(frozen=True, slots=True)
class LabelledPassage:
    """A passage of a labelled set, and where it stands.

    Parameters
    ----------
    row : int
        Row of the table, or line.
    position : int or None
        Of the passage in its line, from 1; None in a table.
    description : str or None
        Of the query.
    has_id : bool
        Whether the file gives its id; else the id is made of its place.
    """

    row: int
    position: int | None
    query: str
    description: str | None
    passage: Passage
    has_id: bool

    @property
    def group(self) -> int | str:
        """What the passages of one instance have in common: the line, or in a table the query."""
        return self.query if self.position is None else self.row


@dataclass
class LabelledFile:
    """A labelled set that is being read.

    Parameters
    ----------
    passages : iterator of LabelledPassage
        Can be read once.
    in_lines : bool
        Whether a line is a query, as in JSON Lines; else a row is a passage.
    sure, columns, n_rows
        Whether what was read is what the file means; the header of a table; rows (of a table) or
        passages (of JSON Lines) met so far, usable or not. Final when all passages are read.
    """

    passages: Iterator[LabelledPassage] = field(default_factory=lambda: iter(()))
    in_lines: bool = False
    sure: bool = True
    columns: tuple[str, ...] = ()
    n_rows: int = 0


def check_names(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Return the column of each of our names: as the person says, else the name itself.

    Raises
    ------
    InputError
        If a name is not one of `COLUMNS`.
    """
    for name in columns or {}:
        if name not in COLUMNS:
            raise InputError(
                "A labelled set has no {name!r}; columns can be given for {names}.",
                name=name,
                names=", ".join(COLUMNS),
            )
    return {name: (columns or {}).get(name, name) for name in COLUMNS}


def suggestion(name: str, there: Iterable[str]) -> str | None:
    """Return the one of some names that may stand for one of ours; None where none does."""
    synonyms = _SYNONYMS.get(name, "").split()
    best: tuple[float, str] | None = None
    for candidate in there:
        letters = re.sub(r"[\W\d_]+", "", candidate).casefold()
        singular = re.sub(r"ies$", "y", letters).removesuffix("s")
        forms = {letters, singular, letters.removesuffix("es")}
        if not letters:
            continue
        if name in forms:
            merit = 3.0
        elif forms & set(synonyms):
            merit = 2.0
        else:
            merit = difflib.SequenceMatcher(None, letters[:40], name).ratio()
        if merit >= _LIKE_ENOUGH and (best is None or merit > best[0]):
            best = merit, candidate
    return best[1] if best else None


def plainly(name: str) -> str:
    """Return a column name as it is compared: without outer blanks, in lower case."""
    return name.strip().lower()
