"""What a saved session holds, and the bounds within which a file is taken for one.

Records of pydantic: what comes from a file has these fields, these types and these sizes, or is
refused with the place of its first mistake.
"""

from collections.abc import Collection, Hashable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from subclust.core.records import QueryContext

MAX_PASSAGES = 5000
MAX_NAME = 120

Finite = Annotated[float, Field(allow_inf_nan=False)]
Strength = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=MAX_PASSAGES)]
Short = Annotated[str, StringConstraints(max_length=1000)]
Long = Annotated[str, StringConstraints(max_length=1_000_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{12}$")]
Moment = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class Origin(_Strict):
    """What made the groups, so that a later look can tell whether it would make them again.

    Parameters
    ----------
    subclust : str
        Version of the program.
    library, library_revision : str
        Its name, and a digest of its passages.
    n_passages : int
        In the whole library.
    encoder, encoder_revision : str
    method : str
    checkpoint, model_revision : str or None
        Name of the trained model and a digest of its weights, None where there is none.
    """

    subclust: Short
    library: Short
    library_revision: Short
    n_passages: Annotated[int, Field(ge=0)]
    encoder: Short
    encoder_revision: Short
    method: Short
    checkpoint: Short | None
    model_revision: Short | None


class StoredPassage(_Strict):
    """A passage with its place among the hits, in its group and on the map."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    text: Long
    title: Long
    collection: Short
    label: Long | None
    path: Long | None
    metadata: dict[Short, Long]
    rank: Annotated[int, Field(ge=1)]
    score: Finite | None
    strength: Strength
    x: Finite
    y: Finite


class StoredGroup(_Strict):
    """A group with its passages, in their order."""

    id: Annotated[int, Field(ge=-1)]
    name: Long
    quality: Finite
    passages: Annotated[list[StoredPassage], Field(min_length=1, max_length=MAX_PASSAGES)]


class SessionHeader(_Strict):
    """What a list of sessions shows; it can be changed without touching the rest.

    Parameters
    ----------
    subclust_session : int
        Version of the file's form.
    id : str
        Twelve letters and digits; it stays when the session is renamed.
    name : str
    saved : str
        When, in universal time.
    question, library, method : str
    n_passages, n_groups : int
    sha256 : str
        Of the bytes of the rest.
    """

    subclust_session: Literal[1]
    id: Id
    name: Name
    saved: Moment
    question: Long
    library: Short
    method: Short
    n_passages: Count
    n_groups: Count
    sha256: Digest


class Session(_Strict):
    """An answer as it was: the question, its hits, their groups and every map that was drawn.

    Parameters
    ----------
    address : dict of str to list of str
        Parameters of the page's address that showed it.
    question, description : str, str or None
    context : {"title", "description", "passages"}
    origin : Origin
    seed : int
    n_clusters : int
    n_clusters_source : str
    projection : str
        Name of the map whose coordinates the passages have.
    timings_ms : dict of str to float
    groups : list of StoredGroup
        As they were shown, corrections included.
    other_maps : dict of str to dict of str to (float, float)
        Coordinates of each passage on further maps, by the map's name and the passage's id.
    nearest_cosine, answered : float or None, bool or None
        How near the library came to the question, and whether it seemed to answer it; None in
        sessions that were saved before this was looked at.
    corrections : list
        What somebody had changed by hand, in the form of `subclust.labelled.corrections`.
    """

    address: dict[Short, list[Long]]
    question: Long
    description: Long | None
    context: QueryContext
    origin: Origin
    seed: int
    n_clusters: Count
    n_clusters_source: Short
    projection: Short
    timings_ms: dict[Short, Finite]
    groups: Annotated[list[StoredGroup], Field(min_length=1, max_length=MAX_PASSAGES)]
    other_maps: dict[Short, dict[Short, tuple[Finite, Finite]]] = {}
    nearest_cosine: Finite | None = None
    answered: bool | None = None
    corrections: Annotated[list[JsonValue], Field(max_length=100_000)] = []

    @model_validator(mode="after")
    def _fits_together(self) -> "Session":
        passages = [passage for group in self.groups for passage in group.passages]
        ids = {passage.id for passage in passages}
        if len(passages) > MAX_PASSAGES:
            raise ValueError(f"it has {len(passages)} passages, and {MAX_PASSAGES} are the most")
        _all_different("passages have the same id", [passage.id for passage in passages])
        _all_different("passages have the same rank", [passage.rank for passage in passages])
        _all_different("groups have the same number", [group.id for group in self.groups])
        for name, places in self.other_maps.items():
            if set(places) != ids:
                raise ValueError(f"the map {name!r} has other passages than the groups")
        return self


def _all_different(wrong: str, values: Collection[Hashable]) -> None:
    if len(set(values)) < len(values):
        raise ValueError(f"two {wrong}")
