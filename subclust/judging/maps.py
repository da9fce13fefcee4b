"""One held-out query as a judged model groups it, and as what it is to replace does."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import numpy as np

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.settings import Settings
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.space import space_of
from subclust.grouping.projection import PcaProjector, align
from subclust.judging.bench import Granularity, embed, embed_queries, trained_context
from subclust.judging.record import Judgement, Role
from subclust.judging.rivals import load_named, name_of
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod
from subclust.text.encoders import Encoder


@dataclass(frozen=True)
class JudgedMap:
    """The passages of a query as one method compares and groups them.

    Parameters
    ----------
    role : {"new", "base", "default", "baseline"}
    name : str
        ``METHOD/NAME``, or the method alone.
    ari : float
        Of its groups, at the true number of them; -1 to 1, higher is better.
    coordinates : tuple of (float, float)
        Of each passage: the first two principal components of the vectors that the method
        compares. Without unit; the second map is turned, mirrored and scaled onto the first.
    groups : tuple of int
        Of each passage, from 0.
    """

    role: Role
    name: str
    ari: float
    coordinates: tuple[tuple[float, float], ...]
    groups: tuple[int, ...]


@dataclass(frozen=True)
class JudgementMaps:
    """Two maps of the same passages.

    Parameters
    ----------
    passages : tuple of str
        Texts.
    ids : tuple of str
        Of the passages in the set.
    subtopics : tuple of str
        The gold subtopics, the largest first.
    gold : tuple of int
        Of each passage, its place in `subtopics`.
    before, after : JudgedMap
        The method that is compared with, and the new model.
    """

    query: str
    passages: tuple[str, ...]
    ids: tuple[str, ...]
    subtopics: tuple[str, ...]
    gold: tuple[int, ...]
    before: JudgedMap
    after: JudgedMap

    def to_dict(self) -> dict[str, Any]:
        """Return the ``maps`` of ``python -m subclust judge --map QUERY --json``."""
        return asdict(self)


def judgement_maps(
    judgement: Judgement,
    query: str,
    instances: Sequence[ClusteringInstance],
    *,
    settings: Settings,
    encoder: Encoder,
    against: Role = "base",
    store: CheckpointStore | None = None,
) -> JudgementMaps:
    """Group one held-out query by the new model and by another one, and place both on maps.

    Parameters
    ----------
    query : str
        Text of one of its queries; of several with one text, the first.
    instances : sequence of ClusteringInstance
        Of the set that was judged on, such as `judged_on` gives them; others may be among them.
    encoder : Encoder
        The base encoder.
    against : {"base", "default", "baseline"}
    store : CheckpointStore, optional
        By default that of the settings.

    Raises
    ------
    BenchmarkError
        If the query was not judged or is not among the instances, or nobody had that role.
    CheckpointError
        If a checkpoint is no longer there.
    """
    found = next((one for one in instances if one.query.text == query), None)
    if found is None or all(judged.query != query for judged in judgement.queries):
        raise BenchmarkError(
            "The judgement of {checkpoint} has no held-out question {query!r}, or the set that it "
            "was made with has changed; judge the model again.",
            checkpoint=judgement.checkpoint,
            query=query,
        )
    other = judgement.method(against)
    if other is None:
        raise BenchmarkError(
            "{checkpoint} was not compared with a {against!r}; choose {names}.",
            checkpoint=judgement.checkpoint,
            against=against,
            names=" or ".join(repr(m.role) for m in judgement.methods[1:]),
        )
    store = store or CheckpointStore.of(settings)
    level = cast(Granularity, judgement.granularity)
    before, place = _placed(load_named(other.name, store, encoder), found, level, against)
    new = load_named(judgement.checkpoint, store, encoder)
    after, place_after = _placed(new, found, level, "new")
    ids = [str(row) for row in range(len(found.passages))]
    turned = align(place_after, ids, place, ids)
    gold = found.gold(level)
    subtopics = sorted(set(gold), key=lambda label: (-gold.count(label), label))
    return JudgementMaps(
        query=query,
        passages=tuple(passage.text for passage in found.passages),
        ids=tuple(passage.id for passage in found.passages),
        subtopics=tuple(subtopics),
        gold=tuple(subtopics.index(label) for label in gold),
        before=replace(before, coordinates=_rounded(place)),
        after=replace(after, coordinates=_rounded(turned)),
    )


def judged_on(
    judgement: Judgement, data: Sequence[str], settings: Settings
) -> list[ClusteringInstance]:
    """Read the queries of a judgement again.

    Parameters
    ----------
    data : sequence of str
        Files, tasks and sets as they were given with ``--data`` (and ``--validation``, if any).

    Returns
    -------
    list of ClusteringInstance
        Those whose queries were judged, in the order of the files.

    Raises
    ------
    SubclustError
        If one cannot be read.
    """
    wanted = {judged.query for judged in judgement.queries}
    return [
        instance
        for name in data
        for instance in load_task(name, settings)[1]
        if instance.query.text in wanted
    ]


def _rounded(coordinates: FloatArray) -> tuple[tuple[float, float], ...]:
    # Adding 0.0 turns -0.0, which JSON would show, into 0.0.
    rounded = np.round(coordinates.astype(np.float64), 4) + 0.0
    return tuple((float(x), float(y)) for x, y in rounded)


def _placed(
    method: LoadedMethod, instance: ClusteringInstance, granularity: Granularity, role: Role
) -> tuple[JudgedMap, FloatArray]:
    """Group a query at the true number; give a map without coordinates, and those not turned."""
    vectors = embed([instance], method.encoder)
    (query,) = embed_queries([instance], vectors, method, trained_context(method))
    gold = instance.gold(granularity)
    clusterer = method.clusterer
    clusterer.n_clusters, clusterer.max_other = len(set(gold)), 0.0
    texts = [passage.text for passage in instance.passages]
    clusterer.fit(texts, query=query, embeddings=vectors[0])
    groups = tuple(int(label) for label in clusterer.labels_)
    ari = round(float(adjusted_rand_index(gold, clusterer.labels_)), 6)
    space = space_of(clusterer, query, texts, vectors[0])
    return JudgedMap(role, name_of(method), ari, (), groups), PcaProjector().fit_transform(space)
