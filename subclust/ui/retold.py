"""Sentences that the stages wrote in English, told in the visitor's language.

What is below the interface knows no visitor, so its sentences are English, whether they are
printed, kept in reports or raised. A page tells them in another language by finding the template
that a sentence was made from.
"""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from subclust.ui.command_words import ON_PAGES
from subclust.ui.language import N_, _, number

_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")
_QUOTED = re.compile(r"'(.+)'|\"(.+)\"", re.DOTALL)
_QUOTATION = N_("“{text}”")
_NUMBERS = frozenset({"count", "most", "size", "total"})
"""Placeholders that hold a number, which is written as the visitor's language does."""

_OURS = "content"
"""The placeholder that holds words of ours and nothing else, so that its template fits no more."""


class Retold:
    """Tells sentences by the templates they were made from.

    Parameters
    ----------
    templates : sequence of str
        Marked with `N_`; of two that fit, the first counts.
    parts : Retold, optional
        Tells what stands in the places of a template, where it is words of ours.
    """

    def __init__(self, templates: Sequence[str], parts: "Retold | None" = None) -> None:
        self.templates = tuple(templates)
        self.parts = parts

    def __call__(self, sentence: str) -> str:
        """Say a sentence in the visitor's language; what no template fits stays as it is."""
        template, values = self._made_from(sentence)
        said = ON_PAGES.get(template, template)
        if not template or template == said == _(said):  # the visitor reads English
            return sentence
        return _(said).format(**{name: self._part(name, text) for name, text in values})

    def knows(self, sentence: str) -> bool:
        """Tell whether a sentence was made from one of the templates."""
        return bool(self._made_from(sentence)[0])

    def several(self, text: str) -> str:
        """Say a text of one or two sentences in the visitor's language."""
        if self.knows(text):
            return self(text)
        for end in re.finditer(r"\.\s", text):
            first, second = text[: end.start() + 1], text[end.end() :]
            if self.knows(first) and self.knows(second):
                return f"{self(first)} {self(second)}"
        return text

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(template, pattern_of(template)) for template in self.templates]

    # The templates are few and constants of modules, and so are their sets.
    @lru_cache(4096)  # noqa: B019
    def _made_from(self, sentence: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Give the template of a sentence and what stands in its places; ``""`` if none fits."""
        for template, pattern in self._patterns:
            found = pattern.fullmatch(sentence)
            if found and self._is_ours(found.groupdict().get(_OURS)):
                return template, tuple(found.groupdict().items())
        return "", ()

    def _is_ours(self, text: str | None) -> bool:
        return text is None or self.parts is None or self.parts.knows(text)

    def _part(self, name: str, text: str) -> str:
        if name in _NUMBERS and _NUMBER.fullmatch(text):
            return number(int(text.replace(",", "")))
        if quoted := _QUOTED.fullmatch(text):
            return _(_QUOTATION).format(text=quoted[1] or quoted[2])
        return self.parts.several(text) if self.parts else text


def pattern_of(template: str) -> re.Pattern[str]:
    """Make the pattern that fits what a template becomes when its places are filled in."""
    return re.compile(_PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(template)), re.DOTALL)
