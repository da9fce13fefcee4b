"""The values of a recipe as TOML text."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from subclust.training.arguments import Recipe, TrainingArguments


def recipe_text(recipe: Recipe) -> str:
    """Write a recipe so that `Recipe.read` gives the same run again.

    Arguments that have their default, and the search space, are left out.

    Parameters
    ----------
    recipe : Recipe
        Of text, numbers, true and false, and lists and tables of these.

    Returns
    -------
    str
        TOML.
    """
    default = asdict(TrainingArguments())
    tables = recipe.to_dict()
    tables["training"] = {k: v for k, v in tables["training"].items() if v != default[k]}
    return "\n".join(
        f"[{name}]\n" + "".join(f"{_key(k)} = {toml_value(v)}\n" for k, v in table.items())
        for name, table in tables.items()
        if table
    )


def toml_value(value: Any) -> str:
    """Write one value of a recipe."""
    match value:
        case bool():
            return str(value).lower()
        case float() if not math.isfinite(value):
            return str(value)
        case str():
            return _text(value)
        case int() | float():
            return repr(value)
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{_key(k)} = {toml_value(v)}' for k, v in value.items())}}}"
    raise TypeError(f"{value!r} cannot stand in a recipe")


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
