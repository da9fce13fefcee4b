"""Sentences for people, which know what they were made of, so that each is said in any language."""

import string
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from numbers import Integral, Real
from typing import Any, cast

Value = str | int | float | None
"""What stands in a place of a sentence; a `Message` is said in the other language, too."""


_SUFFIX = "_message"


class Message(str):
    """A sentence in English, with the template and the values that it was made of.

    It is a string like any other, to print, compare or keep. Whoever shows it to somebody who reads
    another language says it anew (`said_in`).

    Parameters
    ----------
    template : str
        In English, with named places as of `str.format`: ``"{file!r} has {count:,} rows."``
    **values : object
        For each place; what is neither text nor number is kept as its text. Whatever else
        has no place is left out, so that all values of a record may be given.

    Examples
    --------
    >>> told = Message("{file} has {count:,} rows; split it.", file="a.csv", count=20_000)
    >>> told
    'a.csv has 20,000 rows; split it.'
    >>> told.values
    {'file': 'a.csv', 'count': 20000}
    """

    __slots__ = ("template", "values")
    template: str
    values: dict[str, Value]

    def __new__(cls, template: str, /, **values: object) -> "Message":
        """Write the sentence."""
        self = super().__new__(cls, template.format_map(values))
        self.template = template
        named = {name for _, name, _, _ in string.Formatter().parse(template)}
        self.values = {
            name: _plain(value)
            for name, value in values.items()
            if name in named or isinstance(value, str | int | float | None)
        }
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the template and the values when it goes to another process."""
        return _made, (self.template, self.values)

    def said_in(self, translate: Callable[[str], str], formatter: string.Formatter) -> str:
        """Return it in another language.

        Parameters
        ----------
        translate : callable
            From a template to that of the other language.
        formatter : string.Formatter
            Writes numbers (``{count:,}``) and quotations (``{name!r}``) as that language does.
        """
        values = {
            name: value.said_in(translate, formatter) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return formatter.vformat(translate(self.template), (), values)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON; `from_dict` reads it."""
        values = {
            name: value.to_dict() if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return {"template": self.template, "values": values}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> "Message":
        """Read what `to_dict` returned.

        Raises
        ------
        KeyError, TypeError, ValueError
            If it is anything else.
        """
        values = {
            name: cls.from_dict(one) if isinstance(one, dict) else one
            for name, one in value["values"].items()
        }
        return cls(value["template"], **values)


def joined(parts: Iterable[object], between: str = ", ") -> Message:
    """Join texts into one, in which each `Message` is still said in the other language."""
    values = {f"part_{number}": part for number, part in enumerate(parts)}
    return Message(between.join(f"{{{name}}}" for name in values), **values)


def with_templates(value: Any) -> Any:
    """Return a JSON value in which what each message was made of stands beside it.

    The message ``"error"`` of an object stays a text; ``"error_message"`` is its `to_dict`. Of a
    list ``"notes"`` with messages, ``"notes_message"`` has those in their places, and None in
    the places of other texts.
    """
    if isinstance(value, list | tuple):
        return [with_templates(one) for one in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for name, one in value.items():
        if isinstance(one, Message):
            made[f"{name}{_SUFFIX}"] = one.to_dict()
        elif isinstance(one, list | tuple) and any(isinstance(item, Message) for item in one):
            made[f"{name}{_SUFFIX}"] = [
                item.to_dict() if isinstance(item, Message) else None for item in one
            ]
    return {name: with_templates(one) for name, one in value.items()} | made


def with_messages(value: Any) -> Any:
    """Return the value that `with_templates` was given; what it did not make stays as it is."""
    if isinstance(value, list):
        return [with_messages(one) for one in value]
    if not isinstance(value, dict):
        return value
    whole = {name: with_messages(one) for name, one in value.items() if not _is_made(name, one)}
    for name, one in value.items():
        if _is_made(name, one):
            with suppress(KeyError, TypeError, ValueError, IndexError, AttributeError):
                plain = name.removesuffix(_SUFFIX)
                if isinstance(one, list):
                    pairs = zip(whole[plain], one, strict=True)
                    whole[plain] = [
                        text if made is None else Message.from_dict(made) for text, made in pairs
                    ]
                else:
                    whole[plain] = Message.from_dict(one)
    return whole


def _is_made(name: str, value: Any) -> bool:
    """Return whether `with_templates` made a value, and not, say, a column "error_message"."""
    return name.endswith(_SUFFIX) and isinstance(value, dict | list)


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for it
    """Mark a sentence or template for translation where it is kept."""
    return text


def _made(template: str, values: Mapping[str, Value]) -> Message:
    return Message(template, **values)


def _plain(value: object) -> Value:
    # A bool is an Integral, too, and would become 1 or 0 below.
    if value is None or isinstance(value, str | bool):
        return cast(Value, value)
    if isinstance(value, Exception) and value.args and isinstance(value.args[0], Message):
        return value.args[0]
    # NumPy's scalars are registered as Integral and Real, but json cannot write them.
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    return str(value)
