"""Gold subtopics of many subsets, as a language model sees them, and what asking it costs."""

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout

from subclust.core.exceptions import InputError, SettingsError
from subclust.core.messages import Message
from subclust.core.records import ClusteringInstance, Query
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.core.storage.damaged import first_line, typed
from subclust.labelled.llm.answer import on_one_line, parse_answer, prompt_for
from subclust.labelled.llm.endpoint import ChatAnswer, ChatEndpoint
from subclust.labelled.sets.files import write_normal, written_whole

_log = logging.getLogger(__name__)

_CHARACTERS_PER_TOKEN = 4.0
"""Of English, about; other languages and scripts take more tokens."""

_WORDS_OF_TITLES = 1.25
"""An answer is the texts again, with titles and bullets, a quarter more."""


@dataclass(frozen=True)
class LabellingCost:
    """An estimate.

    Parameters
    ----------
    tokens_in, tokens_out : int
        Of all questions and answers; about, and without questions that are asked again.
    price : float or None
        In the currency of the prices that were given.
    """

    n_requests: int
    n_entities: int
    tokens_in: int
    tokens_out: int
    price: float | None

    def in_words(self) -> str:
        """Return it in a sentence."""
        return Message(
            "{n_requests:,} requests about {n_entities:,} texts, about {tokens_in:,} tokens "
            "sent and {tokens_out:,} received"
            if self.price is None
            else "{n_requests:,} requests about {n_entities:,} texts, about {tokens_in:,} "
            "tokens sent and {tokens_out:,} received, at a price of about {price:,.2f}",
            **vars(self),
        )


def estimate_cost(
    instances: Sequence[ClusteringInstance],
    things: str = "products",
    *,
    price_in: float | None = None,
    price_out: float | None = None,
) -> LabellingCost:
    """Estimate what it takes to label some subsets.

    Parameters
    ----------
    things : str
        As for `prompt_for`.
    price_in, price_out : float, optional
        Of a million tokens sent and received; without both there is no price.
    """
    texts = [[passage.text for passage in instance.passages] for instance in instances]
    asked = sum(len(prompt_for(subset, things)) for subset in texts)
    answered = sum(len(text) + 1 for subset in texts for text in subset) * _WORDS_OF_TITLES
    tokens_in = round(asked / _CHARACTERS_PER_TOKEN)
    tokens_out = round(answered / _CHARACTERS_PER_TOKEN)
    price = None
    if price_in is not None and price_out is not None:
        price = (tokens_in * price_in + tokens_out * price_out) / 1e6
    return LabellingCost(len(texts), sum(map(len, texts)), tokens_in, tokens_out, price)


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


def _with_labels(instance: ClusteringInstance, labels: Sequence[str | None]) -> ClusteringInstance:
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
    settings: Settings, things: str = "products", *, timeout: float = 60.0
) -> LLMLabeller:
    """Make the labeller that the settings name.

    Raises
    ------
    SettingsError
        If none is named: texts are sent nowhere unless somebody has said where.
    """
    return LLMLabeller(endpoint_of(settings, timeout=timeout), things)


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


@dataclass
class LabelRun:
    """What became of all subsets.

    Parameters
    ----------
    n_asked : int
        Subsets.
    n_labelled, n_labels : int
        Of those that have labels, and these, added up.
    discarded : dict of str to int
        Subsets left out, by the `reason` of `Labelled`.
    n_missing : int
        Passages that answers forgot.
    """

    n_asked: int = 0
    n_labelled: int = 0
    n_labels: int = 0
    discarded: dict[str, int] = field(default_factory=dict)
    n_missing: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``python -m subclust label --json`` prints."""
        return asdict(self)


def label_file(
    instances: Sequence[ClusteringInstance],
    labeller: LLMLabeller,
    path: Path,
    *,
    progress: Progress | None = None,
) -> LabelRun:
    """Label subsets one by one and write those that have labels as a labelled set.

    Each answer is written down at once in a journal beside the file, so that a run that was broken
    off asks nothing twice; the journal goes when the file is there.

    Parameters
    ----------
    path : Path
        Ending in ``.jsonl.gz``; the file must not be there.
    progress : callable, optional
        Called as ``progress(n_done, n_total)``.

    Raises
    ------
    InputError
        If the file is there or cannot be written, another process is labelling into it, or no
        subset got a label.
    EndpointError
        If the model does not answer; what it has answered is kept.
    """
    if path.exists() or not path.name.endswith(".jsonl.gz"):
        raise InputError(
            "{path} exists already; give another name."
            if path.exists()
            else "{path} must end in .jsonl.gz; give another name.",
            path=path,
        )
    journal = path.with_name(f".{path.name}.journal")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=0):
            outcomes = _label(instances, labeller, journal, progress)
            labelled = [
                _with_labels(instance, one.labels)
                for instance, one in zip(instances, outcomes, strict=True)
                if one.labels
            ]
            if not labelled:
                raise InputError(_nothing(labeller.endpoint.model, outcomes))
            with written_whole(path) as partial:
                write_normal(labelled, partial)
            journal.unlink(missing_ok=True)
    except Timeout as error:
        raise InputError(
            "Another process is labelling into {path}; wait until it has ended.", path=path
        ) from error
    except OSError as error:
        raise InputError("{path} cannot be written: {error}.", path=path, error=error) from error
    return _summed(outcomes, labelled)


def _nothing(model: str, outcomes: Sequence[Labelled]) -> str:
    """Return that no subset was labelled, and what to do."""
    if outcomes and all(one.reason == "cut" for one in outcomes):
        return Message(
            "Every answer of {model} was cut before its end; let it answer at greater length "
            "where it is served, or try another model.",
            model=model,
        )
    return Message(
        "No answer of {model} could be read as clusters; try another model.", model=model
    )


def _label(
    instances: Sequence[ClusteringInstance],
    labeller: LLMLabeller,
    journal: Path,
    progress: Progress | None,
) -> list[Labelled]:
    keys = [_key(instance, labeller) for instance in instances]
    n_texts = {key: len(one.passages) for key, one in zip(keys, instances, strict=True)}
    known = _read(journal, n_texts)
    outcomes = []
    with journal.open("a", encoding="utf-8") as stream:
        for done, (key, instance) in enumerate(zip(keys, instances, strict=True), start=1):
            if key not in known:
                known[key] = labeller.label(instance)
                stream.write(json.dumps({"key": key, **asdict(known[key])}) + "\n")
                stream.flush()
            outcomes.append(known[key])
            if progress is not None:
                progress(done, len(instances))
    return outcomes


def _key(instance: ClusteringInstance, labeller: LLMLabeller) -> str:
    """Name a question: the same texts, asked of the same model in the same words."""
    parts = [labeller.endpoint.model, labeller.things, *(p.text for p in instance.passages)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _read(journal: Path, n_texts: Mapping[str, int]) -> dict[str, Labelled]:
    """Read what a run before has been told; a line that was being written does not count.

    Parameters
    ----------
    n_texts : mapping of str to int
        How many texts each question is about. Answers to other questions are left out.
    """
    known: dict[str, Labelled] = {}
    if not journal.is_file():
        return known
    content = journal.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with journal.open("r+b") as stream:
            stream.truncate(len(whole))
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            record = json.loads(line)
            outcome = typed(Labelled, record)
            key = typed(str, record["key"])
            if key not in n_texts:
                continue
            if len(outcome.labels) not in (0, n_texts[key]):
                raise ValueError(f"{len(outcome.labels)} labels for {n_texts[key]} texts")
            known[key] = outcome
        except (KeyError, ValueError, RecursionError) as error:
            told = "Line %d of %s is damaged (%s); what it answered is asked again."
            _log.warning(told, number, journal, first_line(error))
    return known


def _summed(outcomes: Sequence[Labelled], labelled: Sequence[ClusteringInstance]) -> LabelRun:
    return LabelRun(
        n_asked=len(outcomes),
        n_labelled=len(labelled),
        n_labels=sum(len(set(instance.gold())) for instance in labelled),
        discarded=dict(Counter(one.reason for one in outcomes if one.reason)),
        n_missing=sum(one.n_missing for one in outcomes),
        tokens_in=sum(one.tokens_in for one in outcomes),
        tokens_out=sum(one.tokens_out for one in outcomes),
    )
