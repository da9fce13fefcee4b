"""What is in a library, in words."""

import html
from collections.abc import Mapping

from babel import Locale

from subclust.text.library.catalogue import OTHERS, UNKNOWN, LibraryEntry
from subclust.ui.components.times import moment
from subclust.ui.i18n.language import N_, _, _n, language, number
from subclust.ui.models.words import size_in_words

LEAD = N_(
    "Your documents, as libraries that can be searched and grouped. Look into them, add to them, "
    "ask services for more, and keep a copy of them in one file."
)

_MOST_NAMED = 4
_TWO_LETTERS = {
    "ara": "ar", "chi": "zh", "zho": "zh", "cze": "cs", "ces": "cs", "dan": "da", "dut": "nl",
    "nld": "nl", "eng": "en", "fin": "fi", "fre": "fr", "fra": "fr", "ger": "de", "deu": "de",
    "gre": "el", "ell": "el", "heb": "he", "hun": "hu", "ita": "it", "jpn": "ja", "kor": "ko",
    "lat": "la", "nor": "no", "pol": "pl", "por": "pt", "rus": "ru", "spa": "es", "swe": "sv",
    "tur": "tr",
}  # fmt: skip
"""The codes that catalogues have for languages, and those that babel names them by."""


def language_name(code: str) -> str:
    """Name a language in the visitor's; a code that nobody knows stays as it is."""
    if code in (UNKNOWN, OTHERS):
        return _("language not given") if code == UNKNOWN else _("others")
    short = code.strip().lower().replace("_", "-")
    short = _TWO_LETTERS.get(short, short)
    known = Locale.parse(language()).languages.get(short.split("-")[0])
    return str(known) if known else code


def named(counts: Mapping[str, int], name: str = "value") -> str:
    """List what there is most of, with how often: "English 2,950, German 23 and 3 more".

    Parameters
    ----------
    counts : mapping of str to int
        Most first.
    name : {"language", "value"}
    """
    said = [
        f"{language_name(key) if name == 'language' else _said(key)} {number(count)}"
        for key, count in list(counts.items())[:_MOST_NAMED]
    ]
    told = ", ".join(said)
    if len(counts) > _MOST_NAMED:
        told = _("{these} and {count} more").format(
            these=told, count=number(len(counts) - _MOST_NAMED)
        )
    return told


def years_words(years: Mapping[str, int]) -> str:
    """Say from when to when the documents are; empty where no year is given."""
    given = [year for year in years if year.isdecimal()]
    if not given:
        return ""
    first, last = min(given, key=int), max(given, key=int)
    return first if first == last else f"{first}–{last}"


def card_words(entry: LibraryEntry) -> str:
    """Say in a line what a library holds."""
    if entry.problem:
        return _("cannot be opened")
    facts = [
        _n("{count} passage", "{count} passages", entry.n_passages),
        years_words(entry.years),
        size_in_words(entry.n_bytes),
    ]
    if entry.unfinished:
        facts.insert(0, _("not whole: an import was broken off"))
    if entry.is_current is False:
        facts.append(_("prepared with another language model"))
    return " · ".join(filter(None, facts))


def facts_html(entry: LibraryEntry) -> str:
    """Write what a library holds as a list of facts."""
    facts = [
        (_("Passages"), number(entry.n_passages)),
        (_("Documents"), number(entry.n_documents)),
        (_("Collections"), named(entry.collections)),
        (_("Languages"), named(entry.languages, "language")),
        (_("Years"), _years(entry.years)),
        (_("Sources"), named(entry.sources) if set(entry.sources) - {UNKNOWN} else ""),
        (_("On disk"), _disk(entry)),
        (_("Last written"), moment(entry.written)),
        (_("Language model"), entry.encoder_name),
    ]
    rows = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(told)}</dd></div>"
        for name, told in facts
        if told
    )
    return f"<dl class='sc-about'>{rows}</dl>"


def _said(key: str) -> str:
    return {UNKNOWN: _("not given"), OTHERS: _("others")}.get(key, key)


def _years(years: Mapping[str, int]) -> str:
    told = years_words(years)
    without = years.get(UNKNOWN, 0)
    if told and without:
        missing = _n("{count} without a year", "{count} without a year", without)
        return f"{told}, {missing}"
    return told


def _disk(entry: LibraryEntry) -> str:
    told = size_in_words(entry.n_bytes)
    if entry.n_bytes_other:
        told = _("{size}, and {other} for other language models").format(
            size=told, other=size_in_words(entry.n_bytes_other)
        )
    return told
