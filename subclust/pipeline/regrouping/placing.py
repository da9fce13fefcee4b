"""Where hits lie on the map, and whatever else of them is the same under every query."""

from collections.abc import Callable

from subclust.core.exceptions import InputError
from subclust.core.records import FloatArray, Ranking
from subclust.grouping.projection import PROJECTORS
from subclust.text.encoders import Encoder


def worked_out_once(
    ranking: Ranking, name: tuple[object, ...], work_out: Callable[[], FloatArray]
) -> FloatArray:
    """Work out of some hits what is the same under every query, the first time alone."""
    found = ranking.worked_out.get(name)
    if found is None:
        found = ranking.worked_out[name] = work_out()
    return found


def placed(
    ranking: Ranking,
    encoder: Encoder,
    embeddings: FloatArray,
    projection: str,
    random_state: int,
) -> FloatArray:
    """Return the coordinates of each hit, once for all queries; shape (n_hits, 2)."""
    return worked_out_once(
        ranking,
        ("places", encoder.revision, projection, random_state),
        lambda: place_on_map(embeddings, projection, random_state),
    )


def place_on_map(embeddings: FloatArray, projection: str, random_state: int) -> FloatArray:
    """Return the coordinates of each passage; shape (n_passages, 2).

    Raises
    ------
    InputError
        If there is no such projection.
    """
    if projection not in PROJECTORS:
        raise InputError(
            "There is no map {projection!r}; choose one of {names}.",
            projection=projection,
            names=", ".join(PROJECTORS),
        )
    projector = PROJECTORS[projection]()
    projector.random_state = random_state
    return projector.fit_transform(embeddings)
