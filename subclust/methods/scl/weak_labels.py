"""What is known of a few texts: their labels, or which pairs belong together and which do not."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from subclust.core.exceptions import TrainingError
from subclust.core.records import BoolArray, IntArray
from subclust.core.storage.cells import unguarded

_COLUMNS = ("first_id", "second_id", "same")
_SAID = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True)
class WeakLabels:
    """Groups of texts that belong together, and which of these do not.

    Parameters
    ----------
    groups : ndarray of shape (n_texts,)
        Number of a text's group; -1 where nothing is known of it.
    apart : frozenset of (int, int), or None
        Pairs of groups that are known to differ, the smaller number first; None where all do.
    """

    groups: IntArray
    apart: frozenset[tuple[int, int]] | None = None

    def same(self, rows: IntArray) -> BoolArray:
        """Return which pairs of some texts belong together; a text with itself is no pair."""
        groups = self.groups[rows]
        known: BoolArray = (groups[:, None] == groups[None, :]) & (groups >= 0)[:, None]
        np.fill_diagonal(known, False)
        return known

    def different(self, rows: IntArray, others: IntArray | None = None) -> BoolArray:
        """Return which pairs of some texts are known not to belong together.

        Parameters
        ----------
        rows : ndarray of shape (n_rows,)
        others : ndarray of shape (n_others,), optional
            The second texts of the pairs; the same ones by default.

        Returns
        -------
        ndarray of shape (n_rows, n_others)
        """
        first = self.groups[rows]
        second = first if others is None else self.groups[others]
        both = (first >= 0)[:, None] & (second >= 0)[None, :]
        unlike: BoolArray = both & (first[:, None] != second[None, :])
        if self.apart is None:
            return unlike
        numbers, one = np.unique(first, return_inverse=True)
        columns, other = np.unique(second, return_inverse=True)
        unlike &= self._apart_among(numbers, columns)[one][:, other]
        return unlike

    def most_apart(self) -> int:
        """Count groups that are all known to differ from each other: so many there are at least.

        Of pairs, they are gathered around each group in turn, so that there may be more such groups
        than are found.
        """
        if self.apart is None:
            return len(np.unique(self.groups[self.groups >= 0]))
        beside: dict[int, set[int]] = {}
        for one, other in sorted(self.apart):
            beside.setdefault(one, set()).add(other)
            beside.setdefault(other, set()).add(one)
        return max((_set_around(group, beside) for group in beside), default=0)

    @cached_property
    def _pairs_apart(self) -> IntArray:
        """The pairs of `apart` in both orders, shape (n_pairs, 2)."""
        pairs = np.array(sorted(self.apart or ()), dtype=np.int64).reshape(-1, 2)
        return np.concatenate([pairs, pairs[:, ::-1]])

    def _apart_among(self, numbers: IntArray, columns: IntArray) -> BoolArray:
        """Return which groups are known to differ, shape (n_numbers, n_columns); both sorted."""
        table = np.zeros((len(numbers), len(columns)), dtype=np.bool_)
        pairs = self._pairs_apart
        pairs = pairs[np.isin(pairs[:, 0], numbers) & np.isin(pairs[:, 1], columns)]
        at = np.searchsorted(numbers, pairs[:, 0]), np.searchsorted(columns, pairs[:, 1])
        table[at] = True
        return table

    def rows_of_groups(self) -> list[IntArray]:
        """List the texts of each group of two or more, in order of the groups."""
        numbers, sizes = np.unique(self.groups[self.groups >= 0], return_counts=True)
        return [np.flatnonzero(self.groups == number) for number in numbers[sizes > 1]]


def drawn_labels(gold: IntArray | None, share: float, seed: int) -> WeakLabels:
    """Take the labels of a share of the texts, drawn by the seed; the others are not looked at.

    Parameters
    ----------
    gold : ndarray of shape (n_texts,) or None
    share : float
        Above 0 to 1.

    Raises
    ------
    TrainingError
        If there are no labels, or too few are drawn to learn from.
    """
    if gold is None:
        raise TrainingError(
            "No text of the collection has a label; label some of them, or give pairs with "
            "--set objective.pairs=FILE."
        )
    n_drawn = round(share * len(gold))
    rows = np.random.default_rng(seed).permutation(len(gold))[:n_drawn]
    groups = np.full(len(gold), -1, dtype=np.int64)
    groups[rows] = gold[rows]
    return _usable(WeakLabels(groups), f"{n_drawn} labels")


def given_labels(labels: Sequence[str | None]) -> WeakLabels:
    """Take the labels of those texts that have one, such as a librarian's handful.

    Raises
    ------
    TrainingError
        If they are too few to learn from.
    """
    numbers = {label: row for row, label in enumerate(sorted({one for one in labels if one}))}
    groups = [numbers[label] if label else -1 for label in labels]
    return _usable(
        WeakLabels(np.asarray(groups, dtype=np.int64)),
        f"{sum(group >= 0 for group in groups)} labels",
    )


def read_pairs(path: Path, ids: Sequence[str]) -> WeakLabels:
    """Read pairs, as ``python -m subclust corrections pairs`` writes them.

    What is the same as the same belongs together, too, and what differs from a text differs from
    all that belong to it.

    Parameters
    ----------
    path : Path
        JSON Lines with ``first_id``, ``second_id`` and ``same`` (true or false), or a CSV file
        whose first row has these names, where ``same`` may be 1 or 0, too; pairs of which a text is
        not in the collection are passed over.
    ids : sequence of str
        Of the texts.

    Raises
    ------
    TrainingError
        If it cannot be read, pairs contradict each other, or there are too few to learn from.
    """
    position = {id: number for number, id in enumerate(ids)}
    told = [
        (position[first], position[second], same)
        for first, second, same in _pairs_in(path)
        if first in position and second in position
    ]
    root = list(range(len(ids)))

    def find(number: int) -> int:
        while root[number] != number:
            # Path halving: without it, long chains of pairs take quadratic time.
            root[number] = root[root[number]]
            number = root[number]
        return number

    for first, second, same in told:
        if same:
            root[find(first)] = find(second)
    groups = np.full(len(ids), -1, dtype=np.int64)
    for first, second, _ in told:
        groups[first], groups[second] = find(first), find(second)
    apart = set()
    for first, second, same in told:
        if same:
            continue
        one, other = int(groups[first]), int(groups[second])
        if one == other:
            raise TrainingError(
                "{path}: {id} and {id_2} are said to be of different subtopics, but other "
                "pairs put them into the same one; remove one of these pairs.",
                path=path,
                id=ids[first],
                id_2=ids[second],
            )
        apart.add((min(one, other), max(one, other)))
    return _usable(WeakLabels(groups, frozenset(apart)), f"{len(told)} pairs of {path}")


def _pairs_in(path: Path) -> list[tuple[str, str, bool]]:
    try:
        # Excel writes a byte order mark before CSV in UTF-8.
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TrainingError(
            "The pairs in {path} cannot be read: {error}.", path=path, error=error
        ) from error
    rows = _rows_of_table if path.suffix.lower() == ".csv" else _rows_of_lines
    found = []
    for line, row in rows(path, text):
        same = row["same"]
        if not isinstance(same, bool):
            raise TrainingError(
                "{path}, line {line}: same must be true or false.", path=path, line=line
            )
        found.append((str(row["first_id"]), str(row["second_id"]), same))
    return found


def _rows_of_lines(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row: Mapping[str, object] = json.loads(line)
            yield number, {column: row[column] for column in _COLUMNS}
        except (ValueError, KeyError, TypeError) as error:
            raise TrainingError(
                '{path}, line {number}, is no pair; each line must be like {{"first_id": "a", '
                '"second_id": "b", "same": true}}.',
                path=path,
                number=number,
            ) from error


def _rows_of_table(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [column for column in _COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise TrainingError(
            "{path} has no column {names}; its first row must name {others}.",
            path=path,
            names=", ".join(missing),
            others=", ".join(_COLUMNS),
        )
    try:
        for row in reader:
            if any(row[column] is None for column in _COLUMNS):
                raise TrainingError(
                    "{path}, line {line_num}, is cut short.", path=path, line_num=reader.line_num
                )
            same = str(row["same"]).strip().lower()
            # Our exports guard cells that look like formulas; the ids themselves have no guard.
            ids = {column: unguarded(str(row[column])) for column in _COLUMNS}
            yield reader.line_num, {**ids, "same": _SAID.get(same, same)}
    except csv.Error as error:
        raise TrainingError(
            "{path}, line {line_num}, cannot be read: {error}.",
            path=path,
            line_num=reader.line_num,
            error=error,
        ) from error


def _set_around(group: int, beside: Mapping[int, set[int]]) -> int:
    """Count a set of groups that differ from each other, gathered around one of them."""
    found = {group}
    for other in sorted(beside[group], key=lambda one: (-len(beside[one] & beside[group]), one)):
        if found <= beside[other]:
            found.add(other)
    return len(found)


def _usable(labels: WeakLabels, what: str) -> WeakLabels:
    known = np.flatnonzero(labels.groups >= 0)
    one_each = known[np.unique(labels.groups[known], return_index=True)[1]]
    if not labels.rows_of_groups() or not labels.different(one_each).any():
        raise TrainingError(
            "The {what} are too few to learn from: at least two texts that belong together and "
            "one that does not are needed; give more, or choose scl, which needs none.",
            what=what,
        )
    return labels
