"""One way of grouping the hits: a column of a comparison."""

from dataclasses import asdict, dataclass
from typing import Any

from subclust.core.records import Query, QueryContext
from subclust.grouping.clustering.base import NumberOfClusters

LETTERS = "ABCD"
"""What columns are called."""

MIN_COLUMNS = 2
MAX_COLUMNS = len(LETTERS)


@dataclass(frozen=True)
class Column:
    """How one column groups the hits that all columns share.

    Parameters
    ----------
    method : str
        ``"default"`` or a name of the registry.
    checkpoint : str or None
        A trained model of the method; None is the one in use.
    n_clusters : int or "auto"
    context : {"title", "description", "passages"}
        What a trained method takes as the query.
    query : str
        Another query to group the same hits under; empty is the one that found them.
    description : str
        The query in more words, for the context ``"description"``.
    """

    method: str = "default"
    checkpoint: str | None = None
    n_clusters: NumberOfClusters = "auto"
    context: QueryContext = "title"
    query: str = ""
    description: str = ""

    def asked(self, query: str) -> Query:
        """Put the query under which this column groups the hits of another one."""
        text = self.query.strip() or query.strip()
        return Query(text, self.description.strip() or None, self.context)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)
