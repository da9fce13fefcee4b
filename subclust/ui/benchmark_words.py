"""The Benchmarks page's words: what a report says, in the visitor's language.

What the papers say of themselves, and the names of methods and data sets, stay as they are printed.
"""

import re
from collections.abc import Sequence
from gettext import NullTranslations

from subclust.benchmarks.telling import Telling
from subclust.ui.language import LANGUAGES, N_, _, _n, catalogue, language, number

PARTS: tuple[str, ...] = (
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
    N_("the two sets that cannot be had here"),
    N_("Subtopics of a query"),
    N_("What the query adds"),
    N_("not run"),
    N_("not measured"),
    N_("no query"),
    N_("wrong query"),
    N_("without the query"),
    N_("memory above the model's, MB"),
    N_("processor time, seconds"),
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

HEADINGS: dict[str, str] = {
    "convergence": N_("how soon training pays"),
    "epoch-time": N_("the time of an epoch"),
    "spaces": N_("what each method sees"),
    "growth": N_("memory and time as subsets grow"),
    "per-query": N_("subject by subject"),
    "search": N_("the settings found by search"),
}
"""What stands above each kind of figure, and above a search."""


def telling() -> Telling:
    """Give the visitor's language to what reads a report aloud."""
    return Telling(said, number)


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


def place_of(asked: str | None, labels: Sequence[str]) -> int:
    """Find a label of whatever language among English ones; 0 where it is none of them."""
    known = [{said(label, name) for name in LANGUAGES} for label in labels]
    return next((at for at, forms in enumerate(known) if asked in forms), 0)


def headed(figure: str, kind: str) -> str:
    """Write the heading of a figure: "Figure 3: how soon training pays"."""
    return f"{said(figure)}: {_(HEADINGS[kind])}"


def trials(count: int) -> str:
    """Write how many trials a search had."""
    return _n("{count} trial", "{count} trials", count)


def passages_in_subtopics(passages: int, subtopics: int) -> str:
    """Write how many passages are in how many gold subtopics."""
    return _("{passages} in {subtopics}.").format(
        passages=_n("{count} passage", "{count} passages", passages),
        subtopics=_n("{count} gold subtopic", "{count} gold subtopics", subtopics),
    )


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
