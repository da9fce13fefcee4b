"""How the groups of a report came about, as pairs of words."""

from subclust import __version__
from subclust.exports.records import Report

_CONTEXTS = {
    "title": "the question",
    "description": "the question in more words",
    "passages": "what the found passages have in common",
}


UNANSWERED = (
    "Nothing in the library seems to answer the question; these are the passages nearest to it."
)
"""Said first of groups of what does not answer their question."""


def facts(report: Report) -> list[tuple[str, str | int]]:
    """List what is known, in the order in which it is told; nothing empty."""
    subtopics, origin = report.subtopics, report.origin
    found: list[tuple[str, str | int | None]] = [
        ("Question", subtopics.query.text),
        ("In more words", subtopics.query.description),
        ("Groups follow", _CONTEXTS[subtopics.query.context]),
        ("Passages", sum(group.size for group in subtopics.subtopics)),
        ("Answered", UNANSWERED if subtopics.answered is False else None),
        ("Groups", subtopics.n_clusters),
        ("Number of groups chosen by", _chosen_by(subtopics.n_clusters_source)),
        ("Library", subtopics.library),
        ("Passages in the library", origin.n_passages if origin else None),
        ("Library revision", origin.library_revision if origin else None),
        ("Method", subtopics.method),
        ("How it works", report.made_by),
        ("Model", subtopics.checkpoint),
        ("Model revision", origin.model_revision if origin else None),
        ("Encoder", origin.encoder if origin else None),
        ("Encoder revision", origin.encoder_revision if origin else None),
        ("Seed", subtopics.seed),
        ("Map", subtopics.projection),
        ("Made with", f"Subclust {origin.subclust if origin else __version__}"),
        ("Made on", report.day),
        ("Address", report.address),
    ]
    return [(name, value) for name, value in found if value not in (None, "")]


def _chosen_by(source: str) -> str:
    return "the reader" if source == "user" else f"the program ({source})"
