"""The Benchmarks page's words: what tables say, in the visitor's language.

What the papers say of themselves, and the names of methods and data sets, stay as they are printed.
"""

import re
from collections.abc import Iterator, Sequence
from gettext import NullTranslations

from subclust.core.messages import Message
from subclust.ui.i18n import language as languages
from subclust.ui.i18n.language import LANGUAGES, N_, _, catalogue, language, number

PARTS: tuple[str, ...] = (
    N_("it"),
    N_("the app's default and the best of what was run here"),
    N_("the app's default"),
    N_("the best run here"),
    N_("all pairs"),
    N_("balanced"),
    N_("coarse"),
    N_("fine-grained"),
    N_("flat"),
    N_("hierarchical"),
    N_("spectral"),
    N_("titles"),
    N_("titles and snippets"),
    N_("unseen intents"),
    N_("validation"),
    N_("whole"),
    N_("as the subset asks for"),
    N_("CLINC150 in large subsets"),
    N_("Stack Overflow titles"),
    N_("arXiv titles"),
    N_("arXiv titles of an archive"),
    N_("Subtopics of a query"),
    N_("not run"),
    N_("not measured"),
    N_("without the query"),
)
"""Parts of the labels of tables, columns and data."""

_PLACES: tuple[tuple[str, str], ...] = (
    (r"Table (\S+)", N_("Table {number}")),
    (r"As table (\S+)", N_("As table {number}")),
    (r"Figure (\S+)", N_("Figure {number}")),
    (r"Section (\S+)", N_("Section {number}")),
    (r"fold (\d+)", N_("fold {number}")),
    (r"arXiv fold (\d+)", N_("arXiv fold {number}")),
    (r"(\S+) for queries((?: \(.+\))?)", N_("{method} for queries{model}")),
    (r"(\S+) by sentence((?: \(.+\))?)", N_("{method} by sentence{model}")),
)


def said(text: str, name: str | None = None) -> str:
    """Say a text of a report: whole where it is in the catalogue, else a label part by part.

    Parameters
    ----------
    text : str
        English.
    name : str, optional
        A language other than the visitor's.
    """
    if not text:
        return ""
    words = catalogue(name or language())
    whole = words.gettext(text)
    return whole if whole != text else ", ".join(_part(part, words) for part in text.split(", "))


def sentence_words(sentence: Message) -> str:
    """Return what a column shows in the visitor's language, its labels part by part."""
    return languages.said(sentence, {label: said(label) for label in _labels(sentence)})


def _labels(sentence: Message) -> Iterator[str]:
    for value in sentence.values.values():
        if isinstance(value, Message):
            yield from _labels(value) if value.values else (value.template,)


def place_of(asked: str | None, labels: Sequence[str]) -> int:
    """Find a label of whatever language among English ones; 0 where it is none of them."""
    known = [{said(label, name) for name in LANGUAGES} for label in labels]
    return next((at for at, forms in enumerate(known) if asked in forms), 0)


def p_in_words(value: float | None) -> str:
    """Write a p value; small ones have no meaning digit by digit."""
    if value is None:
        return _("unknown")
    small = _("below {value}").format(value=number(0.001, 3))
    return small if value < 0.001 else number(value, 3)


def _part(text: str, words: NullTranslations) -> str:
    for pattern, told in _PLACES:
        if found := re.fullmatch(pattern, text):
            return words.gettext(told).format(
                number=found[1], method=found[1], model=found[found.re.groups]
            )
    if found := re.fullmatch(r"(\d+) groups", text):
        count = int(found[1])
        return words.ngettext("{count} group", "{count} groups", count).format(count=count)
    return words.gettext(text)
