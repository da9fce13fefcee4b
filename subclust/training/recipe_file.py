"""A recipe's file, and those that it extends, as one set of tables."""

import tomllib
from pathlib import Path
from typing import Any

from subclust.core.exceptions import TrainingError

EXTENDS = "extends"
"""Key of the name of another recipe in the same folder, above all tables."""


def read_tables(path: Path) -> dict[str, Any]:
    """Read the tables of a recipe, over those of the recipe that it extends.

    So a file that differs from another in one value, as the recipe of an ablation does, says that
    value and nothing else.

    Parameters
    ----------
    path : Path
        TOML.

    Returns
    -------
    dict of str to object
        Without `EXTENDS`; of a table that both have, the values of this file come first.

    Raises
    ------
    TrainingError
        If a file is not there or cannot be read, or one extends itself in the end.
    """
    return _tables(path, ())


def _tables(path: Path, before: tuple[Path, ...]) -> dict[str, Any]:
    by = f", which {before[-1].name} extends," if before else ""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise TrainingError(
            "There is no recipe {path}{place}; check its name.", path=path, place=by.rstrip(",")
        ) from error
    except (OSError, ValueError) as error:
        raise TrainingError(
            "The recipe {path}{by} cannot be read: {error}.", path=path, by=by, error=error
        ) from error
    if EXTENDS not in tables:
        return tables
    other = tables.pop(EXTENDS)
    if not isinstance(other, str) or other != Path(other).name or not other.endswith(".toml"):
        raise TrainingError(
            "The recipe {file}: {extends} must be the name of another recipe in the same folder, "
            "but is {other!r}.",
            file=path.name,
            extends=EXTENDS,
            other=other,
        )
    base = path.with_name(other)
    if base in (*before, path):
        raise TrainingError(
            "The recipe {file} extends {other}, which extends it in turn; name another one.",
            file=path.name,
            other=other,
        )
    return _over(_tables(base, (*before, path)), tables)


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    joined = dict(below)
    for name, table in above.items():
        both = isinstance(table, dict) and isinstance(below.get(name), dict)
        joined[name] = {**below[name], **table} if both else table
    return joined
