"""Sentences in the languages of those who read them: gettext catalogues, numbers, quotations.

English is in the code. Another language is one file, `locale/LANGUAGE/LC_MESSAGES/subclust.po`, and
one line in `LANGUAGES`; it is compiled when it is first read, so nothing has to be built.
"""

import gettext
import re
import string
from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path

from subclust.core.messages import N_, Message

LANGUAGES: dict[str, str] = {"en": "English", "de": "Deutsch"}
"""What there is, each called as its readers call it; the first is that of the code."""

CATALOGUES = Path(__file__).parents[1] / "locale"

_QUOTATION = N_("“{text}”")
_FIGURES = re.compile(r"(?P<sign>\+?)(?P<width>\d*)(?P<grouped>,?)(?:\.(?P<decimals>\d)f|d)?")


def translated(sentence: str, language: str, other: Mapping[str, str] | None = None) -> str:
    """Return a sentence in a language.

    Parameters
    ----------
    sentence : str
        A `Message`, or a sentence as it is in the catalogue; any other is returned as it is.
    language : str
        A key of `LANGUAGES`.
    other : mapping of str to str, optional
        From a template to the one that is said in its place. Without it, as on a command line,
        English has plain quotation marks.
    """
    if isinstance(sentence, Message) and language == "en" and other is None:
        return str(sentence)
    instead = other or {}

    def translate(template: str) -> str:
        return catalogue(language).gettext(instead.get(template, template))

    if not isinstance(sentence, Message):
        return translate(sentence) if sentence else ""

    return sentence.said_in(translate, _Formatter(language))


def language_of(accepted: str) -> str:
    """Return the first language of an ``Accept-Language`` that there are sentences in, or "en"."""
    for wanted in accepted.split(","):
        language = wanted.split(";")[0].split("-")[0].strip().lower()
        if language in LANGUAGES:
            return language
    return "en"


def number(value: float, language: str, decimals: int = 0) -> str:
    """Return a number as a language writes it: 1,234.5 or 1.234,5."""
    from babel.numbers import format_decimal

    figures = "#,##0" + ("." + "0" * decimals if decimals else "")
    return format_decimal(value, format=figures, locale=language)


def spoken(language: str) -> tuple[Callable[[str], str], Callable[[str, str, int], str]]:
    """Return ``_`` and ``_n`` of a language; the second writes the count into its sentence."""
    words = catalogue(language)

    def n_words(one: str, many: str, count: int) -> str:
        return words.ngettext(one, many, count).format(count=number(count, language))

    return words.gettext, n_words


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language, read once a process."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    source = CATALOGUES / language / "LC_MESSAGES" / "subclust.po"
    if not source.exists():
        return gettext.NullTranslations()
    with source.open("rb") as file:
        messages = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class _Formatter(string.Formatter):
    """Fills in a template with numbers and quotations of a language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def format_field(self, value: object, format_spec: str) -> str:
        found = _FIGURES.fullmatch(format_spec)
        written = str(format(value, format_spec))
        if format_spec.endswith("g") and "e" not in written and isinstance(value, int | float):
            decimals = len(written.partition(".")[2])
            return number(float(written), self.language, decimals)
        if not format_spec or found is None or not isinstance(value, int | float):
            return written
        sign = "+" if found["sign"] and value >= 0 else ""
        written = f"{sign}{number(value, self.language, int(found['decimals'] or 0))}"
        return written.rjust(int(found["width"] or 0))

    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion == "r" and isinstance(value, str):
            return catalogue(self.language).gettext(_QUOTATION).format(text=value)
        return super().convert_field(value, conversion)
