"""Reading from a library's table: full text, vectors, filters."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray
from subclust.text.library.schema import STORED, FoundPassages, from_table, storable

SEARCHED_COLUMN = "searched_text"

_PROBES = 100
"""Lists of an index that are looked into."""

_REFINE = 2
"""Candidates for each hit that are compared by their full vectors."""

# Rows read beyond those asked for, since the last of these may share its score with others.
_BEYOND = 20

_IDS_PER_QUERY = 1000


def search_text(table: Any, text: str, k: int, condition: str | None) -> FoundPassages:
    """Rank rows by BM25 over title and text; the query is plain words, without any syntax.

    Parameters
    ----------
    table : lancedb table with a full-text index
    text : str
        Anything; without a word that could match nothing is found.
    k : int
        At least 1.
    condition : str or None
        SQL, applied before ranking.
    """
    from lancedb.query import MatchQuery

    _check_k(k)
    words: Any = MatchQuery  # a pydantic dataclass, whose defaults its type hides
    query = table.search(words(storable(text), SEARCHED_COLUMN), query_type="fts")
    return _ranked(_restricted(query, condition).select([*STORED, "_score"]), k, "_score")


def search_vector(
    table: Any, vector: FloatArray, k: int, condition: str | None, *, exact: bool = False
) -> FoundPassages:
    """Rank rows by cosine.

    Parameters
    ----------
    table : lancedb table
    vector : ndarray of shape (embedding_dim,)
        Finite.
    k : int
        At least 1.
    condition : str or None
        SQL, applied before ranking.
    exact : bool
        Compare every vector, also where there is an index.

    Raises
    ------
    InputError
        If the vector does not fit.
    """
    _check_k(k)
    embedding_dim = table.schema.field("embedding").type.list_size
    wanted = np.asarray(vector, dtype=np.float32)
    if wanted.shape != (embedding_dim,) or not np.isfinite(wanted).all():
        raise InputError(
            "A query vector for this library must hold {embedding_dim} finite numbers, but this "
            "one has shape {shape}.",
            embedding_dim=embedding_dim,
            shape=wanted.shape,
        )
    query = table.search(wanted, vector_column_name="embedding", query_type="vector")
    # `nprobes` and `refine_factor` have an effect only where there is an index.
    query = query.distance_type("cosine").nprobes(_PROBES).refine_factor(_REFINE)
    if exact:
        query = query.bypass_vector_index()
    return _ranked(_restricted(query, condition).select([*STORED, "_distance"]), k, "_distance")


def fetch(table: Any, condition: str | None) -> FoundPassages:
    """Read rows in order of id."""
    rows = fetch_column(table, STORED, condition).sort_by("id")
    return from_table(rows, np.zeros(len(rows)))


def reordered(
    parts: Sequence[FoundPassages], rows: Sequence[int], embedding_dim: int
) -> FoundPassages:
    """Take rows of the parts put end to end, in the order given."""
    passages = [passage for part in parts for passage in part.passages]
    vectors = [part.embeddings for part in parts] or [np.zeros((0, embedding_dim), np.float32)]
    return FoundPassages(
        tuple(passages[row] for row in rows),
        np.concatenate(vectors)[list(rows)],
        np.zeros(len(rows)),
    )


def fetch_column(table: Any, columns: Sequence[str], condition: str | None = None) -> pa.Table:
    """Read some columns of all rows that meet a condition."""
    query = _restricted(table.search(), condition)
    return query.select(list(columns)).limit(max(1, table.count_rows())).to_arrow()


def scan(
    table: Any, columns: Sequence[str], condition: str | None = None, *, batch_size: int = 4096
) -> Iterator[pa.RecordBatch]:
    """Read some columns of all rows that meet a condition, as they were when it began.

    Only a few batches are in memory at a time, each of at most `batch_size` rows.
    """
    n_rows = max(1, table.count_rows())
    query = _restricted(table.search(), condition).select(list(columns)).limit(n_rows)
    yield from query.to_batches(batch_size=batch_size)


def equals(**values: str | None) -> str | None:
    """Make the SQL condition that columns have these values; None is no condition.

    Returns
    -------
    str or None
        None where there is no condition at all.
    """
    parts = [f"{name} = {quoted(value)}" for name, value in values.items() if value is not None]
    return " AND ".join(parts) or None


def all_of(*conditions: str | None) -> str | None:
    """Join SQL conditions; None is no condition."""
    return " AND ".join(one for one in conditions if one is not None) or None


def one_of(column: str, values: Sequence[str]) -> str:
    """Make the SQL condition that a column has one of these values (at least one)."""
    return f"{column} IN ({', '.join(map(quoted, values))})"


def among(ids: Sequence[str]) -> Iterator[str]:
    """Make SQL conditions, each short enough for one query, that meet the rows of these ids."""
    for start in range(0, len(ids), _IDS_PER_QUERY):
        yield one_of("id", ids[start : start + _IDS_PER_QUERY])


def narrowed(collection: str | None, ids: Sequence[str] | None, where: str | None) -> str | None:
    """Make the SQL condition that rows meet all of what is given."""
    return all_of(equals(collection=collection), None if ids is None else one_of("id", ids), where)


def quoted(value: str) -> str:
    """Write a string as an SQL literal."""
    return "'" + storable(value).replace("'", "''") + "'"


def _check_k(k: int) -> None:
    if k < 1:
        raise InputError("The number of hits must be at least 1, but is {k}.", k=k)


def _restricted(query: Any, condition: str | None) -> Any:
    return query if condition is None else query.where(condition, prefilter=True)


def _ranked(query: Any, k: int, column: str) -> FoundPassages:
    """Read the k best rows; those of the same score are ranked, and cut off, by their id.

    The table gives rows of the same score in any order, and cuts off any of them. So a few more
    are read than were asked for, and all of those that share the last one's score.
    """
    wanted = k + _BEYOND
    while True:
        rows = query.limit(wanted).to_arrow()
        scores = rows.column(column).to_numpy().astype(np.float64)
        if column == "_distance":
            scores = 1.0 - scores
        ranked = np.sort(scores)[::-1]
        if len(rows) < wanted or ranked[k - 1] > ranked[-1]:
            break
        wanted *= 4
    order = np.lexsort((np.asarray(rows.column("id").to_pylist(), dtype=object), -scores))[:k]
    return from_table(rows.take(order), scores[order])
