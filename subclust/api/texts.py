"""Texts at hand in named groups, without a library."""

import time
from collections.abc import Iterable, Mapping

from subclust.api.results import Grouping, as_query
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import InputError
from subclust.core.records import Hit, Passage, Query, Ranking
from subclust.core.records.progress import Progress
from subclust.core.seeds import check_seed
from subclust.core.settings import Settings
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.methods import LoadedMethod, load_method
from subclust.pipeline.assemble import group_ranking
from subclust.pipeline.languages import without_languages
from subclust.pipeline.names import choose_namer
from subclust.text.encoders import shared_encoder, with_embedding
from subclust.text.retrieval import check_question
from subclust.text.retrieval.relevance import with_relevance


def group(
    texts: Iterable[str],
    question: str | Query | None = None,
    n_clusters: NumberOfClusters = "auto",
    method: str | LoadedMethod = "default",
    *,
    max_other: float = 0.0,
    random_state: int = 0,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> Grouping:
    """Group texts, and name the groups.

    Parameters
    ----------
    texts : iterable of str
        Paragraphs or abstracts, such as a column of a data frame.
    question : str or Query, optional
        What the texts are read for. A query-specific method, as the default one is, groups them by
        it; without one it takes what the texts have in common.
    n_clusters : int or "auto"
    method : str or LoadedMethod
        Name of a method, ``"default"`` for the one in use, or what `load_method` returned.
    max_other : float
        Largest share of the texts, 0 to 1, that may fit no group (label -1).
    random_state : int
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` while texts are encoded, and by methods that take
        seconds.
    settings : Settings, optional
        By default those of the ``SUBCLUST_*`` environment variables.

    Returns
    -------
    Grouping

    Raises
    ------
    InputError
        If there are no texts, one of them is no text or empty, or a parameter does not fit.
    SubclustError
        If the method or the encoder cannot be loaded.

    Examples
    --------
    >>> abstracts = [
    ...     "The tax on tea and paper angered the colonies.",
    ...     "Cod and herring fed the harbour towns.",
    ...     "Merchants refused to pay the stamp duty on paper.",
    ...     "Laws on sugar and tea were taxes in disguise.",
    ... ]
    >>> grouping = subclust.group(abstracts, "colonial life", n_clusters=2)
    >>> grouping.labels.tolist()
    [0, 1, 0, 0]
    """
    settings = settings or Settings.from_environment()
    passages = _passages(texts)
    query = Query("", context="passages") if question is None else as_query(question)
    check_question(query)
    check_seed(random_state)
    encoder = shared_encoder(settings)
    if not isinstance(method, LoadedMethod):
        method = load_method(method, CheckpointStore.of(settings), encoder)
    words = [passage.text for passage in passages]
    started = time.perf_counter()
    plain = encoder.encode(words, progress=progress)
    embeddings = plain
    if method.encoder.revision != encoder.revision:
        known = {encoder.revision: plain}
        embeddings = method.encoder.encode_beside(words, known, progress=progress)
    embeddings = without_languages(embeddings, passages, method.encoder)
    if method.card.query_specific:
        query = with_embedding(query, method.encoder, embeddings, asked=True)
    if question is not None and max_other:
        query = with_relevance(query, encoder, words, plain)
    encoded = (time.perf_counter() - started) * 1000
    hits = tuple(Hit(passage, rank, 0.0) for rank, passage in enumerate(passages, start=1))
    return Grouping(
        group_ranking(
            method,
            Ranking(query, hits, plain),
            embeddings,
            query,
            namer=choose_namer(settings, encoder),
            n_clusters=n_clusters,
            max_other=max_other,
            random_state=random_state,
            timings={"encode": encoded},
            progress=progress,
        )
    )


def _passages(texts: Iterable[str]) -> list[Passage]:
    # A string is an iterable of strings, too: its letters would be grouped.
    if isinstance(texts, str | bytes):
        raise InputError("A list of texts is needed, but a single text was given.")
    # As are a dictionary and a data frame: of their keys and columns.
    if isinstance(texts, Mapping) or hasattr(texts, "columns"):
        raise InputError("A list of texts is needed, such as one column, but a table was given.")
    passages = []
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(
                "Text {number} is no text but {found!r}; leave it out, or make it a text.",
                number=number,
                found=text,
            )
        if not text.strip():
            raise InputError("Text {number} is empty; leave it out.", number=number)
        passages.append(Passage(str(number), text))
    if not passages:
        raise InputError("There are no texts to group.")
    return passages
