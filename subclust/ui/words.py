"""The page's words, where they take more than a line of code to choose."""

from collections.abc import Mapping
from typing import get_args

from subclust.methods import METHODS
from subclust.records import QueryContext, SubtopicMap
from subclust.ui.language import N_, _

EXAMPLES: tuple[str, ...] = (
    "causes of the American Revolutionary War",
    "life and death of Abraham Lincoln",
    "what causes autism and how is it treated",
    "anarchism in different countries",
    "landing on the Moon",
)
"""Questions that the demo library answers; the first is what a new visitor sees."""

ONE_HIT = (
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

LISTINGS: dict[str, str] = {"groups": "Groups", "hits": "Hits", "table": "Table"}
"""What can stand beside the map."""

MAPS: dict[str, str] = {"pca": "Overview", "umap": "Neighbourhoods"}

MAP_NOTES: dict[str, str] = {
    "pca": "Near means alike. The overview is true to the large differences; "
    "fine ones may be hidden.",
    "umap": "Each passage lies beside those it is most like; "
    "how far apart two groups lie says little.",
}

_STAGES = {
    "retrieve": "searching",
    "encode": "reading",
    "cluster": "grouping",
    "name": "naming",
    "project": "map",
}

TIGHT = 0.15
"""Mean strength from which a group is called tight."""

FAIRLY_TIGHT = 0.05


def counted(number: int, noun: str) -> str:
    """Write "1 passage", "2 queries", "1,200 passages"."""
    if number == 1:
        return f"1 {noun}"
    ends_in_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if ends_in_y else f"{number:,} {noun}s"


def method_label(name: str, default: str | None = None) -> str:
    """Give a method's label for people; an unknown one keeps its name.

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
    return METHODS[name].label if name in METHODS else name


def headline(subtopics: SubtopicMap) -> str:
    """Sum the answer up in one line."""
    n_passages = sum(subtopic.size for subtopic in subtopics.subtopics)
    return f"{counted(n_passages, 'passage')} in {counted(subtopics.n_clusters, 'group')}"


def timings(timings_ms: Mapping[str, float]) -> str:
    """Write how long each stage took, in milliseconds."""
    parts = [
        f"{words} {timings_ms[stage]:,.0f} ms"
        for stage, words in _STAGES.items()
        if timings_ms.get(stage, 0) >= 0.5
    ]
    return f"{timings_ms.get('total', 0.0):,.0f} ms in all" + (
        f" ({', '.join(parts)})" if parts else ""
    )
