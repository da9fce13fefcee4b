"""Hit sets that divide in two independent ways, each with questions that ask for one of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sklearn.metrics import adjusted_mutual_info_score

from benchmarks.tasks.crossed_questions import QUESTIONS, Nouns
from benchmarks.tasks.lots import Lots
from subclust.core.records import ClusteringInstance, Passage, Query

DEPENDENT = 0.1
"""Adjusted mutual information of the two divisions from which on a hit set is left out."""

N_WORDINGS = 2
"""Questions for each division of a hit set."""


@dataclass(frozen=True)
class CrossingShape:
    """What the hit sets of one table are like.

    Parameters
    ----------
    n_sets : int
        At most so many.
    rows, columns : tuple of two int
        Fewest and most of each in a hit set.
    per_cell : int
        Most passages with one row and one column.
    uses : int
        Hit sets in which a row may occur.
    """

    n_sets: int
    rows: tuple[int, int] = (3, 6)
    columns: tuple[int, int] = (2, 4)
    per_cell: int = 3
    uses: int = 2


@dataclass(frozen=True)
class Table:
    """Passages by row and column, such as article and kind of section.

    Parameters
    ----------
    cells : mapping of str to mapping of str to sequence of Passage
        By row, then column.
    nouns : Nouns
        What rows and columns are called.
    """

    cells: Mapping[str, Mapping[str, Sequence[Passage]]]
    nouns: Nouns


@dataclass(frozen=True)
class CrossedSet:
    """Passages with two divisions, each as long as the passages.

    Parameters
    ----------
    rows, columns : tuple of str
        Of each passage.
    """

    passages: tuple[Passage, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    nouns: Nouns


def draw_crossed(table: Table, shape: CrossingShape, seed: int, key: str) -> list[CrossedSet]:
    """Draw hit sets in which each row has passages in each column.

    Parameters
    ----------
    key : str
        Of the table among others.

    Returns
    -------
    list of CrossedSet
        The two divisions of each have an adjusted mutual information below `DEPENDENT`; no two
        have the same rows and columns.
    """
    used: dict[str, int] = dict.fromkeys(table.cells, 0)
    drawn: list[CrossedSet] = []
    seen: set[tuple[frozenset[str], frozenset[str]]] = set()
    for number in range(3 * shape.n_sets):
        lots = Lots(seed, f"{key} {number}")
        free = {row: cells for row, cells in table.cells.items() if used[row] < shape.uses}
        columns = _columns(free, shape, lots)
        rows = [row for row, cells in free.items() if set(columns) <= set(cells)]
        chosen = lots.some(sorted(rows), lots.between(*shape.rows))
        if not columns or len(chosen) < shape.rows[0] or len(drawn) == shape.n_sets:
            continue
        found = _fill(table, chosen, columns, shape.per_cell, lots)
        what = (frozenset(chosen), frozenset(columns))
        if what in seen or adjusted_mutual_info_score(found.rows, found.columns) >= DEPENDENT:
            continue
        seen.add(what)
        drawn.append(found)
        for row in chosen:
            used[row] += 1
    return drawn


def _columns(
    cells: Mapping[str, Mapping[str, Sequence[Passage]]], shape: CrossingShape, lots: Lots
) -> tuple[str, ...]:
    """Draw columns that enough rows have; the more rows, the likelier."""
    wide = lots.between(*shape.columns)
    counts: dict[tuple[str, ...], int] = {}
    for own in cells.values():
        for some in combinations(sorted(own), wide):
            counts[some] = counts.get(some, 0) + 1
    able = {some: n for some, n in sorted(counts.items()) if n >= shape.rows[0]}
    return list(able)[lots.pick(list(able.values()))] if able else ()


def _fill(
    table: Table, rows: Sequence[str], columns: Sequence[str], per_cell: int, lots: Lots
) -> CrossedSet:
    passages = [
        (passage, row, column)
        for row in rows
        for column in columns
        for passage in lots.some(table.cells[row][column], per_cell)
    ]
    return CrossedSet(
        tuple(one for one, _, _ in passages),
        tuple(row for _, row, _ in passages),
        tuple(column for _, _, column in passages),
        table.nouns,
    )


def asked(
    sets: Sequence[CrossedSet], split: str, seed: int, n_wordings: int = N_WORDINGS
) -> list[ClusteringInstance]:
    """Ask for both divisions of each hit set.

    Parameters
    ----------
    split : {"train", "validation", "test"}
        Whose wordings are used; no two splits have one in common.
    n_wordings : int
        Questions for each division.

    Returns
    -------
    list of ClusteringInstance
        ``2 * n_wordings`` in a row for each hit set, those by row first; the label of a passage is
        its place in the division that is asked for, and its title is its row where a row is an
        article. No two questions are the same.
    """
    made: list[ClusteringInstance] = []
    taken: set[str] = set()
    for number, one in enumerate(sets):
        lots = Lots(seed, f"questions {number}")
        for side, places in (("rows", one.rows), ("columns", one.columns)):
            forms = lots.some(QUESTIONS[side][split], len(QUESTIONS[side][split]))
            for form in forms[:n_wordings]:
                text = _worded(form, one, lots)
                made.append(_instance(text, one, places))
                taken.add(text)
    return made


def _instance(text: str, one: CrossedSet, places: Sequence[str]) -> ClusteringInstance:
    passages = tuple(
        replace(passage, label=place, path=place)
        for passage, place in zip(one.passages, places, strict=True)
    )
    return ClusteringInstance(Query(text), passages)


def _worded(form: str, one: CrossedSet, lots: Lots) -> str:
    def listed(names: Sequence[str]) -> str:
        order = lots.some(list(dict.fromkeys(names)), 3)
        return ", ".join(order[:-1]) + " and " + order[-1]

    nouns = one.nouns
    row, column = (pairs[lots.below(len(pairs))] for pairs in (nouns.row, nouns.column))
    shown = [column.lower() if nouns.lower else column for column in one.columns]
    return form.format(
        rows=listed(one.rows),
        columns=listed(shown),
        row=row[0],
        row_plural=row[1],
        column=column[0],
        column_plural=column[1],
    )


Namer = Callable[[Passage], str | None]
"""Returns the row, or the column, of a passage; None where it has none."""


def crossed_table(passages: Sequence[Passage], row: Namer, column: Namer, nouns: Nouns) -> Table:
    """Sort passages by row and column; those without one of them are left out."""
    cells: dict[str, dict[str, list[Passage]]] = {}
    for passage in sorted(passages, key=lambda passage: passage.id):
        here, there = row(passage), column(passage)
        if here and there:
            cells.setdefault(here, {}).setdefault(there, []).append(passage)
    return Table(dict(sorted(cells.items())), nouns)
