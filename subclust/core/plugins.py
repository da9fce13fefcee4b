"""What other installed distributions add to the product, such as the benchmarks.

They name it as entry points of their own (``[project.entry-points."subclust.methods"]``), so that
nothing here imports them.
"""

import logging
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Literal


@cache
def plugged(kind: Literal["methods", "tasks", "recipes"]) -> tuple[Any, ...]:
    """Return what the entry points of a kind name, in the order of their names.

    Parameters
    ----------
    kind : {"methods", "tasks", "recipes"}
        A mapping of `MethodCard` or `TaskCard` by name, or a folder of recipes.

    Returns
    -------
    tuple
        Without those of a distribution that is no longer there or cannot be imported.
    """
    found = []
    for entry in sorted(entry_points(group=f"subclust.{kind}"), key=lambda entry: entry.name):
        try:
            found.append(entry.load())
        except ImportError as error:
            # Distributions can be broken or half removed; the product must start without them.
            logging.getLogger(__name__).warning("%s is left out: %s", entry.value, error)
    return tuple(found)
