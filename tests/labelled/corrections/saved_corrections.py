"""Corrections as they are saved, of the small maps."""

from corrected_maps import make_map

from subclust.labelled.corrections import (
    Basis,
    History,
    SavedCorrections,
    data_version,
    kept_groups,
    replay,
)


def basis_of(subtopics):
    return Basis(
        query=subtopics.query.text,
        library=subtopics.library,
        encoder="hashing-256",
        data=data_version(subtopics),
        method=subtopics.method,
        checkpoint=None,
        model="",
        seed=0,
        n_clusters=subtopics.n_clusters,
        subclust="0.1.0",
        address={"q": subtopics.query.text},
    )


def saved_as(name, groups, *makers, query="the American war", saved=1.0):
    """Save edits of a map, each made on what the ones before it had left."""
    start, edits = make_map(groups, query), []
    for make in makers:
        edits.append(make(replay(start, edits).subtopics))
    corrected = replay(start, edits)
    return SavedCorrections(
        name, 1, saved, basis_of(start), History(tuple(edits)), kept_groups(corrected)
    )
