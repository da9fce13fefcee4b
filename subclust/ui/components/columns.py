"""The columns of a comparison, as its address has them."""

from typing import Any
from urllib.parse import quote, unquote

from subclust.comparison import Column
from subclust.core.records import MAX_QUESTION, QUERY_CONTEXTS
from subclust.ui.components.address import whole_number
from subclust.ui.components.view import MAX_GROUPS, way_of


def write_column(column: Column) -> str:
    """Write a column as an address has it: ``method;groups:4;model:ours``."""
    parts = {
        "model": column.checkpoint or "",
        "groups": "" if column.n_clusters == "auto" else str(column.n_clusters),
        "context": "" if column.context == QUERY_CONTEXTS[0] else column.context,
        "q": column.query,
        "about": column.description,
        "by": column.way,
    }
    told = [f"{name}:{quote(value, safe='')}" for name, value in parts.items() if value]
    return ";".join([quote(column.method, safe=""), *told])


def read_column(text: str) -> Column:
    """Read what `write_column` wrote; what cannot be read keeps its default."""
    method, *told = text.split(";")
    parts = {name: unquote(value) for name, _sign, value in (one.partition(":") for one in told)}
    groups, context = parts.get("groups", ""), parts.get("context", "")
    known = {name: name for name in QUERY_CONTEXTS}
    changes: dict[str, Any] = {"context": known.get(context, QUERY_CONTEXTS[0])}
    if (n_clusters := whole_number(groups, 2, MAX_GROUPS)) is not None:
        changes["n_clusters"] = n_clusters
    return Column(
        method=unquote(method) or Column.method,
        checkpoint=parts.get("model") or None,
        query=parts.get("q", "")[:MAX_QUESTION],
        description=parts.get("about", "")[:MAX_QUESTION],
        way=way_of(parts.get("by", "")),
        **changes,
    )
