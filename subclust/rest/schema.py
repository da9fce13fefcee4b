"""What the API answers: the objects that commands print with ``--json``.

Fields may be added; none is changed or removed.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Shown(BaseModel):
    """An object to which fields may be added."""

    model_config = ConfigDict(extra="allow")


class ShownPassage(Shown):
    """A passage that was found."""

    id: str
    document: str = Field(description="The same for passages of one document.")
    title: str
    text: str
    rank: int = Field(description="Among all that were found, from 1.")
    relevance: float | None = Field(description="Probability that it is about the question.")


class MappedPassage(ShownPassage):
    """A passage in a group."""

    strength: float = Field(description="How well it fits its group, -1 to 1.")
    x: float
    y: float


class Subtopic(Shown):
    """A group of passages."""

    id: int = Field(description="-1 holds the passages that fit no group.")
    name: str
    term: str | None = Field(description="Id of the preferred term that is its name.")
    size: int
    quality: float = Field(description="How well it holds together, -1 to 1.")
    relevance: float | None = Field(description="Mean relevance of its passages.")
    passages: list[MappedPassage]


class Way(Shown):
    """A way in which the passages divide."""

    key: str = Field(description="For `divide_by`.")
    text: str
    kind: str
    names: list[str]
    sizes: list[int]
    clarity: float


class Groups(Shown):
    """The answer to a question, as `search --json` prints it."""

    query: str
    library: str
    method: str
    checkpoint: str | None
    seed: int
    answered: bool | None = Field(description="False where nothing seems to be about the question.")
    nearest_cosine: float | None
    n_clusters: int
    n_clusters_source: str
    timings_ms: dict[str, float]
    subtopics: list[Subtopic]
    n_set_aside: int = Field(description="Passages that are probably about something else.")
    set_aside: list[ShownPassage]
    read: dict[str, Any] | None = Field(
        None, description="How operators and fields of the question were read."
    )
    ways: list[Way] | None = None
    parts: dict[str, Any] | None = None
    stability: dict[str, Any] | None = None
    what_changed: str | None = Field(None, description="What another question did.")


class Explanation(Shown):
    """Why a passage is in its group, as `explain --json` prints it."""

    id: str
    title: str
    text: str


class Comparison(Shown):
    """Several groupings of the same passages, as `compare --json` prints it."""

    query: str
    library: str
    n_passages: int
    columns: dict[str, Any]
    pairs: list[dict[str, Any]]
    passages: list[dict[str, Any]]


class Library(Shown):
    """A library, as `library show --json` prints it."""

    name: str
    n_passages: int
    problem: str | None = Field(description="What is wrong with it, where it is damaged.")


class Page(Shown):
    """A part of a list."""

    next: str | None = Field(description="`cursor` of the next page; null on the last one.")


class Libraries(Page):
    """Libraries, by name."""

    libraries: list[Library]


class Passages(Page):
    """Passages of a library, as `library browse --json` prints them."""

    library: str
    n_passages: int = Field(description="In all pages together.")
    offset: int
    passages: list[dict[str, Any]]


class Methods(Shown):
    """What can group, as `methods --json` prints it."""

    methods: list[dict[str, Any]]


class Models(Page):
    """Trained models, as `models --json` prints them."""

    models: list[dict[str, Any]]


class Sets(Page):
    """Labelled sets, as `sets --json` prints them."""

    sets: list[dict[str, Any]]


class Themes(Page):
    """Themes that were found, as `themes --list --json` prints them."""

    themes: list[dict[str, Any]]


class Session(Shown):
    """A saved answer, as `sessions --json` lists it."""

    id: str
    name: str
    question: str
    saved: str


class Sessions(Page):
    """Saved answers, last saved first."""

    sessions: list[Session]


class Job(Shown):
    """Work in the background, as `jobs show --json` prints it."""

    id: str
    kind: str
    title: str
    state: str = Field(
        description="`queued`, `running`, `cancelling`, `paused`, `finished`, `failed`, "
        "`cancelled` or `lost`."
    )
    progress: dict[str, Any]
    position: int | None = Field(description="Place in the queue, from 1, while it waits.")
    error: str | None


class Jobs(Page):
    """Work in the background, oldest first, as `jobs list --json` prints it."""

    jobs: list[Job]


class Submitted(Shown):
    """Work that was taken on; `GET /jobs/{job}` says how far it is."""

    job: str
    position: int | None
