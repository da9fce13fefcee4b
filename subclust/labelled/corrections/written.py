"""Edits as JSON objects and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from subclust.labelled.corrections.edits import (
    Edit,
    GroupRef,
    Judge,
    Merge,
    Move,
    Part,
    Rename,
    Separate,
    Split,
)

_NAMES: dict[type[Edit], str] = {
    Move: "move",
    Separate: "separate",
    Merge: "merge",
    Split: "split",
    Rename: "rename",
    Judge: "judge",
}


def to_object(edit: Edit) -> dict[str, Any]:
    """Write an edit as an object whose ``"kind"`` says what it is."""
    return {"kind": _NAMES[type(edit)]} | asdict(edit)


def from_object(value: Mapping[str, Any]) -> Edit:
    """Read what `to_object` wrote, also after it was JSON.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is something else.
    """
    match value["kind"]:
        case "move":
            return Move(_ids(value["passages"]), _group(value["to"]))
        case "separate":
            return Separate(_ids(value["passages"]), _text(value["name"]))
        case "merge":
            return Merge(_groups(value["groups"]), _group(value["into"]))
        case "split":
            parts = tuple(
                Part(_text(part["name"]), _ids(part["passages"])) for part in value["parts"]
            )
            return Split(_group(value["group"]), _text(value["name"]), parts)
        case "rename":
            return Rename(_group(value["group"]), _text(value["name"]))
        case "judge":
            if value["mark"] not in ("accepted", "unsure", "none"):
                raise ValueError(f"there is no mark {value['mark']!r}")
            return Judge(_ids(value["passages"]), value["mark"], _groups(value["groups"]))
    raise ValueError(f"there is no edit {value['kind']!r}")


def _groups(values: Sequence[Mapping[str, Any]]) -> tuple[GroupRef, ...]:
    return tuple(_group(value) for value in values)


def _group(value: Mapping[str, Any]) -> GroupRef:
    return GroupRef(_text(value["name"]), _ids(value["members"]))


def _ids(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
