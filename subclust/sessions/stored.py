"""From an answer to the session that keeps it, and back; and what has changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from subclust.core.messages import Message
from subclust.core.records import Hit, MappedPassage, Passage, Query, Subtopic, SubtopicMap
from subclust.sessions.records import Origin, Session, StoredGroup, StoredHit, StoredPassage

_Address = Mapping[str, str | Sequence[str]]


def session_of(
    subtopics: SubtopicMap,
    hits: Sequence[Hit],
    origin: Origin,
    *,
    address: _Address,
    other_maps: Sequence[SubtopicMap] = (),
    corrections: Sequence[Any] = (),
) -> Session:
    """Put an answer into a session.

    Parameters
    ----------
    subtopics : SubtopicMap
        The groups as they are shown.
    hits : sequence of Hit
        With the scores of retrieval; what is not among them is kept without.
    origin : Origin
    address : mapping of str to str or sequence of str
        Parameters of the page's address.
    other_maps : sequence of SubtopicMap
        The same passages on further maps.
    corrections : sequence of JSON values
        That were made to them.

    Raises
    ------
    ValueError
        If something is beyond the bounds of a session.
    """
    scores = {hit.passage.id: hit.score for hit in hits}
    return Session(
        address={name: _values(value) for name, value in address.items()},
        question=subtopics.query.text,
        description=subtopics.query.description,
        context=subtopics.query.context,
        origin=origin,
        seed=subtopics.seed,
        n_clusters=subtopics.n_clusters,
        n_clusters_source=subtopics.n_clusters_source,
        projection=subtopics.projection,
        timings_ms=dict(subtopics.timings_ms),
        groups=[_stored(group, scores) for group in subtopics.subtopics],
        other_maps={drawn.projection: _places(drawn) for drawn in other_maps},
        nearest_cosine=subtopics.nearest_cosine,
        answered=subtopics.answered,
        set_aside=[
            StoredHit(
                **_fields(hit.passage), rank=hit.rank, score=hit.score, relevance=hit.relevance
            )
            for hit in subtopics.set_aside
        ],
        corrections=list(corrections),
    )


def kept_groups(session: Session, projection: str | None = None) -> SubtopicMap:
    """Return the groups of a session as they were.

    Parameters
    ----------
    session : Session
    projection : str, optional
        Of another map that it keeps; where it keeps none of that name, the one that was shown.
    """
    places = session.other_maps.get(projection or "", {})
    return SubtopicMap(
        query=Query(
            session.question,
            session.description,
            session.context,
            way=session.way,
            expected=tuple(session.address.get("also", ())),
        ),
        library=session.origin.library,
        method=session.origin.method,
        checkpoint=session.origin.checkpoint,
        seed=session.seed,
        n_clusters=session.n_clusters,
        n_clusters_source=session.n_clusters_source,
        subtopics=tuple(
            Subtopic(
                id=group.id,
                name=group.name,
                quality=group.quality,
                passages=tuple(_mapped(one, places.get(one.id)) for one in group.passages),
                term=group.term,
            )
            for group in session.groups
        ),
        timings_ms=session.timings_ms,
        projection=projection if places and projection else session.projection,
        nearest_cosine=session.nearest_cosine,
        answered=session.answered,
        set_aside=tuple(_hit(one) for one in session.set_aside),
    )


def kept_hits(session: Session) -> tuple[Hit, ...]:
    """Return the hits of a session, best first."""
    stored = (passage for group in session.groups for passage in group.passages)
    return tuple(_hit(one) for one in sorted(stored, key=lambda one: one.rank))


def _values(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _places(drawn: SubtopicMap) -> dict[str, tuple[float, float]]:
    members = (member for group in drawn.subtopics for member in group.passages)
    return {member.passage.id: (member.x, member.y) for member in members}


def _stored(group: Subtopic, scores: Mapping[str, float]) -> StoredGroup:
    return StoredGroup(
        id=group.id,
        name=group.name,
        quality=group.quality,
        term=group.term,
        passages=[
            StoredPassage(
                **_fields(member.passage),
                rank=member.rank,
                score=scores.get(member.passage.id),
                relevance=member.relevance,
                strength=member.strength,
                x=member.x,
                y=member.y,
            )
            for member in group.passages
        ],
    )


def _mapped(one: StoredPassage, place: tuple[float, float] | None) -> MappedPassage:
    x, y = place or (one.x, one.y)
    return MappedPassage(_passage(one), one.rank, one.strength, x, y, one.relevance)


def _hit(one: StoredHit) -> Hit:
    return Hit(_passage(one), one.rank, one.score or 0.0, one.relevance)


def _fields(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.id,
        "text": passage.text,
        "title": passage.title,
        "collection": passage.collection,
        "label": passage.label,
        "path": passage.path,
        "metadata": dict(passage.metadata),
    }


def _passage(one: StoredHit) -> Passage:
    return Passage(
        id=one.id,
        text=one.text,
        title=one.title,
        collection=one.collection,
        label=one.label,
        path=one.path,
        metadata=one.metadata,
    )


@dataclass(frozen=True)
class Change:
    """One thing that has changed since.

    Parameters
    ----------
    kind : {"library", "encoder", "model", "program"}
    then, now : str
        Name, or version, or for a library the number of its passages.
    """

    kind: Literal["library", "encoder", "model", "program"]
    then: str
    now: str


def changes(then: Origin, now: Origin) -> tuple[Change, ...]:
    """Compare what made a session's groups with what would make them now.

    Returns
    -------
    tuple of Change
        Empty where the same search would give the same groups.
    """
    found = []
    if (then.library, then.library_revision) != (now.library, now.library_revision):
        sizes = (Message("{count:,}", count=one.n_passages) for one in (then, now))
        found.append(Change("library", *sizes))
    if (then.encoder, then.encoder_revision) != (now.encoder, now.encoder_revision):
        readers = [_version(one.encoder, one.encoder_revision) for one in (then, now)]
        found.append(Change("encoder", *readers))
    if (then.method, then.model_revision) != (now.method, now.model_revision):
        found.append(Change("model", _model(then), _model(now)))
    if then.subclust != now.subclust:
        found.append(Change("program", then.subclust, now.subclust))
    return tuple(found)


def _model(origin: Origin) -> str:
    if origin.checkpoint is None:
        return origin.method
    return _version(f"{origin.method}/{origin.checkpoint}", origin.model_revision or "")


def _version(name: str, revision: str) -> str:
    return f"{name} ({revision[:8]})" if revision else name
