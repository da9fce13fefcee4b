"""The language in which results are read: English, or whatever the interface makes of it."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from subclust.figures import in_words


class Telling(NamedTuple):
    """How sentences and numbers are said.

    Parameters
    ----------
    say : callable
        From an English sentence, perhaps with places in braces, to the same in another language.
    number : callable
        From a number and how many decimals, to the number as it is written.
    """

    say: Callable[[str], str]
    number: Callable[[float, int], str]

    def duration(self, seconds: float) -> str:
        """Write a duration in the largest unit of which it has at least one."""
        value, unit = in_words(seconds).split(" ")
        return f"{self.number(float(value), 1 if '.' in value else 0)} {unit}"

    def retell(self, sentence: str, templates: Iterable[str]) -> str:
        """Say a sentence that was recorded in English; as it is where it follows no template.

        Parameters
        ----------
        sentence : str
        templates : iterable of str
            English, with places in braces.
        """
        for template in templates:
            if found := re.fullmatch(_pattern(template), sentence, flags=re.S):
                return self.say(template).format(**found.groupdict())
        return sentence

    def share(self, value: float) -> str:
        """Write a share as percent."""
        return self.say("{percent}%").format(percent=self.number(100 * value, 0))


def _pattern(template: str) -> str:
    """Write the pattern of what a template gives, with a group of each place's name."""
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template))


def _as_it_is(sentence: str) -> str:
    return sentence


def _written(value: float, decimals: int = 0) -> str:
    return f"{value:,.{decimals}f}"


ENGLISH = Telling(_as_it_is, _written)
