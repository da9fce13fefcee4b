"""What an error or a sentence is about, without the words it is told in."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from subclust.core.messages import Message


@contextmanager
def raises(
    kind: type[Exception] | tuple[type[Exception], ...], /, **values: object
) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Expect an error of a class whose sentence has these values in its places, others beside.

    A place whose value differs from run to run, such as a temporary path, is given as `mock.ANY`.
    """
    with pytest.raises(kind) as caught:
        yield caught
    found = values_of(getattr(caught.value, "sentence", ""))
    assert {name: found[name] for name in values if name in found} == values, str(caught.value)


def numbers(text: str) -> list[str]:
    """Return the numbers in a text, as they are written, in their order."""
    return re.findall(r"(?<!\w)\d(?:[\d.,]*\d)?(?!\w)", text)


def values_of(sentence: str) -> dict[str, object]:
    """Return the values in a sentence's places, and in those of sentences within it."""
    found: dict[str, object] = {}
    for name, value in getattr(sentence, "values", {}).items():
        is_whole = isinstance(value, Message) and bool(value.values)
        found |= values_of(value) if is_whole else {name: value}
    return found
