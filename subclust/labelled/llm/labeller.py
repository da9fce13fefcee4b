"""Gold subtopics of a subset, as a language model sees them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from subclust.core.exceptions import SettingsError
from subclust.core.records import ClusteringInstance, Query
from subclust.core.settings import Settings
from subclust.labelled.llm.answer import parse_answer
from subclust.labelled.llm.endpoint import ChatAnswer, ChatEndpoint
from subclust.labelled.llm.prompt import on_one_line, prompt_for


class Asks(Protocol):
    """What is asked: a `ChatEndpoint`, or something that stands for one."""

    @property
    def model(self) -> str:
        """Its name."""
        ...

    def ask(self, prompt: str) -> ChatAnswer:
        """Answer a question, or raise an `EndpointError`."""
        ...


@dataclass(frozen=True)
class Labelled:
    """What the model said of one subset.

    Parameters
    ----------
    labels : tuple of (str or None)
        One a passage; None for a passage that the answer forgot. Empty where the answer was
        discarded.
    reason : {"", "cut", "empty", "unparsable", "single"}
        Why it was: the model was not allowed to say all of it, nothing was said, no clusters could
        be read, or fewer than two passages were placed.
    tokens_in, tokens_out : int
        As the endpoint counted them.
    """

    labels: tuple[str | None, ...]
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def n_missing(self) -> int:
        """Passages that the answer forgot."""
        return sum(label is None for label in self.labels)


def with_labels(instance: ClusteringInstance, labels: Sequence[str | None]) -> ClusteringInstance:
    """Return the passages with their labels, leaving out those without."""
    placed = [
        replace(passage, label=label, path=label)
        for passage, label in zip(instance.passages, labels, strict=True)
        if label is not None
    ]
    query = Query(instance.query.text, instance.query.description)
    return ClusteringInstance(query, tuple(placed))


class LLMLabeller:
    """Asks a language model to cluster the passages of a subset.

    Source: CACTUS (Context-Aware Clustering using Large Language Models), appendix A: answers that
    are empty or cannot be parsed are discarded, passages that an answer forgets are removed. An
    answer that was cut for its length is discarded too, which the paper leaves open: its last
    clusters are missing, and their passages would pass for forgotten ones. Nor is it asked for
    again, since the same question would be cut at the same place.

    Parameters
    ----------
    endpoint : Asks
    things : str
        What the passages are, in the plural.
    """

    def __init__(self, endpoint: Asks, things: str = "products") -> None:
        self.endpoint = endpoint
        self.things = things

    def label(self, instance: ClusteringInstance) -> Labelled:
        """Label one subset; labels that it has are not looked at.

        Raises
        ------
        EndpointError
            If the model does not answer, or refuses.
        """
        texts = [on_one_line(passage.text) for passage in instance.passages]
        answer = self.endpoint.ask(prompt_for(texts, self.things))
        labels: tuple[str | None, ...] = ()
        reason = ""
        if answer.cut:
            reason = "cut"
        elif not answer.text.strip():
            reason = "empty"
        elif (parsed := parse_answer(answer.text, texts)) is None:
            reason = "unparsable"
        elif len(texts) - parsed.n_missing < 2:
            reason = "single"
        else:
            labels = parsed.labels
        return Labelled(labels, reason, answer.tokens_in, answer.tokens_out)


def from_settings(
    settings: Settings, things: str = "products", *, timeout: float = 60.0, n_retries: int = 3
) -> LLMLabeller:
    """Make the labeller that the settings name.

    Raises
    ------
    SettingsError
        If none is named: texts are sent nowhere unless somebody has said where.
    """
    return LLMLabeller(endpoint_of(settings, timeout=timeout, n_retries=n_retries), things)


def endpoint_of(settings: Settings, *, timeout: float = 60.0, n_retries: int = 3) -> ChatEndpoint:
    """Return the language model that the settings name.

    Raises
    ------
    SettingsError
        If none is named: texts are sent nowhere unless somebody has said where.
    """
    if not settings.llm_url or not settings.llm_model:
        raise SettingsError(
            "No language model is set, and none is asked unless you name it: set SUBCLUST_LLM_URL "
            "to an OpenAI-compatible address such as http://localhost:11434/v1, and "
            "SUBCLUST_LLM_MODEL to the model's name."
        )
    return ChatEndpoint(settings.llm_url, settings.llm_model, settings.llm_key, timeout, n_retries)
