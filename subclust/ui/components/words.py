"""The page's words, where they take more than a line of code to choose."""

from collections.abc import Mapping
from typing import get_args

from subclust.core.records import QueryContext, SubtopicMap
from subclust.methods import METHODS
from subclust.ui.i18n.language import N_, _, _n, number

EXAMPLES: tuple[str, ...] = (
    "causes of the American Revolutionary War",
    "life and death of Abraham Lincoln",
    "what causes autism and how is it treated",
    "anarchism in different countries",
    "landing on the Moon",
)
"""Questions that the demo library answers; the first is what a new visitor sees."""

ONE_HIT = N_(
    "Only one passage was found, so there is nothing to group; "
    "try other or fewer words, or another library."
)

CONTEXTS: dict[QueryContext, str] = dict(
    zip(
        get_args(QueryContext),
        (
            N_("your question"),
            N_("your question in more words"),
            N_("what the found passages have in common"),
        ),
        strict=True,
    )
)
"""What guides a method that looks at the query, in the order of `QueryContext`."""

LISTINGS: dict[str, str] = {"groups": N_("Groups"), "hits": N_("Hits"), "table": N_("Table")}
"""What can stand beside the map."""

MAPS: dict[str, str] = {"pca": N_("Overview"), "umap": N_("Neighbourhoods")}

MAP_NOTES: dict[str, str] = {
    "pca": N_(
        "Near means alike. The overview is true to the large differences; fine ones may be hidden."
    ),
    "umap": N_(
        "Each passage lies beside those it is most like; how far apart two groups lie says little."
    ),
}

_STAGES = {
    "retrieve": N_("searching"),
    "encode": N_("reading"),
    "cluster": N_("grouping"),
    "name": N_("naming"),
    "project": N_("map"),
}

TIGHT = 0.31
"""Mean strength from which a group is called tight.

Of the groups that are as tight, two in three hold mostly passages under one heading, on labelled
queries and with the default method: ``python -m benchmarks quality``, whose result is kept in
``benchmarks/results/quality/``.
"""

FAIRLY_TIGHT = 0.09
"""Mean strength from which one is called fairly tight: so it is of every second; below, loose."""


def counted(number: int, noun: str) -> str:
    """Write "1 passage", "2 queries", "1,200 passages"."""
    if number == 1:
        return f"1 {noun}"
    ends_in_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if ends_in_y else f"{number:,} {noun}s"


def method_label(name: str, default: str | None = None) -> str:
    """Return a method's label for people; an unknown one keeps its name.

    Parameters
    ----------
    name : str
        ``"default"`` or a name of the registry.
    default : str, optional
        Name of the method that is the default now.
    """
    if name == "default":
        if default is None:
            return _("Recommended")
        return _("Recommended ({method})").format(method=method_label(default))
    return _(METHODS[name].label) if name in METHODS else name


def headline(subtopics: SubtopicMap) -> str:
    """Sum the answer up in one line."""
    n_passages = sum(subtopic.size for subtopic in subtopics.subtopics)
    return _("{passages} in {groups}").format(
        passages=_n("{count} passage", "{count} passages", n_passages),
        groups=_n("{count} group", "{count} groups", subtopics.n_clusters),
    )


def timings(timings_ms: Mapping[str, float]) -> str:
    """Write how long each stage took, in milliseconds."""
    parts = [
        f"{_(words)} {number(timings_ms[stage])} ms"
        for stage, words in _STAGES.items()
        if timings_ms.get(stage, 0) >= 0.5
    ]
    told = _("{count} ms in all").format(count=number(timings_ms.get("total", 0.0)))
    return f"{told} ({', '.join(parts)})" if parts else told
