"""From a library to its themes: read, learn, group, name, place, keep."""

import copy
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from subclust import __version__
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, FloatArray, IntArray, Query
from subclust.core.seeds import check_seed
from subclust.core.settings import Settings
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.grouping.clustering.learnt_space import LearntSpaceSubtopics
from subclust.methods import METHODS, LoadedMethod, load_method, load_trained, train_method
from subclust.methods.scl.weak_labels import read_pairs
from subclust.pipeline.names import choose_namer
from subclust.pipeline.placing import place_on_map
from subclust.text.encoders import Encoder
from subclust.text.encoders.wrapping import KnownEncoder
from subclust.text.library import FoundPassages, PassageLibrary
from subclust.text.library.terms import kept_terms
from subclust.themes.kept import KeptThemes, ThemeStore, themes_key
from subclust.themes.offers import check, find_offer, too_many
from subclust.themes.recipes import LABELS, PAIRS, SOURCE, recipe_for, suggested_number
from subclust.themes.request import ThemesRequest
from subclust.themes.texts import choose_texts
from subclust.training.training_run import TrainingRun

Stage = Callable[[str], None]
Told = Callable[[Mapping[str, Any]], None]

AT_ONCE = "pca"
"""The map that takes no time."""


@dataclass(frozen=True)
class Plan:
    """What a request comes to.

    Parameters
    ----------
    request : ThemesRequest
    found : FoundPassages
        The texts, in the order of their ids.
    key : str
        Of the themes, whether they are kept already or not.
    """

    request: ThemesRequest
    found: FoundPassages
    key: str


def plan_themes(request: ThemesRequest, settings: Settings, encoder: Encoder) -> Plan:
    """Read the texts that are asked for.

    Parameters
    ----------
    request : ThemesRequest
    settings : Settings
    encoder : Encoder
        Whose vectors the library holds.

    Raises
    ------
    SubclustError
        If there is no such library, method or field, or the texts are too few, too many, or such
        that the method cannot learn from them.
    """
    find_offer(request.method)
    check_seed(request.seed)
    library = PassageLibrary.open(settings.library_dir, request.library)
    library.check_encoder(encoder.name, encoder.revision)
    chosen = choose_texts(library, request.filters)
    if (kept := chosen.found) is None:
        raise InputError(too_many(chosen.n_texts))
    check(request.method, kept.passages, request.n_themes, pairs=bool(request.pairs))
    return Plan(
        request, kept, themes_key(request, kept.passages, encoder.revision, _read(request.pairs))
    )


def find_themes(
    plan: Plan,
    settings: Settings,
    encoder: Encoder,
    folder: Path,
    *,
    stage: Stage | None = None,
    progress: Told | None = None,
    named: Callable[[KeptThemes], object] | None = None,
) -> KeptThemes:
    """Return the themes of a plan: those that are kept, or new ones, which then are.

    Where the settings have them named by something else than those that are kept, these get new
    names and stay as they are otherwise. New ones are saved as soon as they have names, over a map
    of principal components, and again once the map that was asked for is made.

    Parameters
    ----------
    plan : Plan
    settings : Settings
    encoder : Encoder
    folder : Path
        Of the run: a training that was stopped goes on from there.
    stage : callable, optional
        Told ``"encoding"``, ``"training"`` and ``"saving"`` as they begin.
    progress : callable, optional
        Told each step of the training.
    named : callable, optional
        Given new themes as soon as they have names, before their map is made.

    Raises
    ------
    SubclustError
        If the training cannot begin or go on, or somebody stopped it.
    """
    store = ThemeStore(settings.themes_dir)
    if (known := store.find(plan.key, named_by=settings.names)) is not None:
        return known
    told = stage or (lambda stage: None)
    # Without a map, the run was killed before it made one, and everything is computed anew.
    if (known := store.find(plan.key)) is not None and known.has_map:
        told("saving")
        known = _named_anew(known, plan, settings, encoder)
        store.save(known)
        return known
    started = time.monotonic()
    request, passages = plan.request, plan.found.passages
    texts = [passage.text for passage in passages]
    told("encoding")
    # Other wordings are the library's texts in all but a few words: with the run, they go.
    made = folder / "made"
    knowing = KnownEncoder(encoder, texts, plan.found.embeddings, made)
    number, source = _number(plan)
    method = _learnt(plan, number, settings, knowing, folder, told, progress)
    clusterer, points = _fitted(method, number, plan, texts)
    told("saving")
    themes = KeptThemes(
        key=plan.key,
        request=request,
        n_themes_source=source,
        names=_names(clusterer.labels_, plan, settings, encoder),
        ids=tuple(passage.id for passage in passages),
        labels=clusterer.labels_,
        strengths=clusterer.strengths_,
        coordinates=place_on_map(points, AT_ONCE, request.seed),
        projection=AT_ONCE,
        seconds=round(time.monotonic() - started, 1),
        told={
            "subclust": __version__,
            "encoder": encoder.name,
            "names": settings.names,
            "training": dict(method.checkpoint.card["training"]) if method.checkpoint else None,
        },
    )
    store.save(themes)
    if named is not None:
        named(themes)
    if not themes.has_map:
        places = place_on_map(points, request.projection, request.seed)
        themes = replace(themes, coordinates=places, projection=request.projection)
        store.save(themes)
    if made.is_dir():
        shutil.rmtree(made)
    return themes


def _fitted(
    method: LoadedMethod, number: int, plan: Plan, texts: Sequence[str]
) -> tuple[SubtopicClusterer, FloatArray]:
    """Return a method that has grouped the texts, and where it compared them."""
    # A copy, because loaded methods may be shared.
    clusterer = copy.copy(method.clusterer)
    clusterer.n_clusters, clusterer.max_other = number, 0.0
    clusterer.random_state = plan.request.seed
    points = plan.found.embeddings
    clusterer.fit(texts, query=Query(""), embeddings=points)
    if isinstance(clusterer, LearntSpaceSubtopics):
        points = clusterer.points(texts, points).astype(np.float32)
    return clusterer, points


def _named_anew(known: KeptThemes, plan: Plan, settings: Settings, encoder: Encoder) -> KeptThemes:
    names = _names(known.labels, plan, settings, encoder)
    return replace(known, names=names, told={**known.told, "names": settings.names})


def _names(labels: IntArray, plan: Plan, settings: Settings, encoder: Encoder) -> dict[int, str]:
    """Name each theme by its texts."""
    texts, embeddings = [one.text for one in plan.found.passages], plan.found.embeddings
    terms = kept_terms(settings.library_dir, plan.request.library)
    namer = choose_namer(settings, encoder, terms).knowing(plan.found.passages, embeddings)
    return dict(namer.name(Query(""), texts, labels, embeddings))


def _number(plan: Plan) -> tuple[int, str]:
    """Return how many themes there will be, and who says so.

    That is whoever asks; else the different labels, where the method learns from them; else how
    well the texts fit. Where it learns from pairs, labels count for nothing, and there are at least
    as many themes as groups are kept apart by the pairs.
    """
    request, passages = plan.request, plan.found.passages
    if request.n_themes != "auto":
        return int(request.n_themes), "user"
    learns_from_some = find_offer(request.method).needs_labels
    if learns_from_some and not request.pairs:
        labels = {passage.label for passage in passages if passage.label}
        return len(labels), LABELS
    number = suggested_number(plan.found.embeddings, request.seed)
    if learns_from_some:
        kept_apart = read_pairs(Path(request.pairs), [one.id for one in passages]).most_apart()
        if kept_apart > number:
            return kept_apart, PAIRS
    return number, SOURCE


def _learnt(
    plan: Plan,
    number: int,
    settings: Settings,
    encoder: Encoder,
    folder: Path,
    stage: Stage,
    progress: Told | None,
) -> LoadedMethod:
    request = plan.request
    card = METHODS[request.method]
    if card.trainer is None:
        return load_method(request.method, CheckpointStore.of(settings), encoder)

    def tell(line: Mapping[str, Any]) -> None:
        stage("training")
        if progress is not None:
            progress(line)

    texts: Sequence[str] = [passage.text for passage in plan.found.passages]
    run = TrainingRun(
        request.method,
        plan.key,
        recipe_for(request.method, texts, number, pairs=request.pairs, seed=request.seed),
        [ClusteringInstance(Query(""), plan.found.passages)],
        [],
        encoder,
        folder,
        device=settings.resolve_device(),
        resume=True,
        progress=tell,
    )
    return load_trained(train_method(run), encoder)


def _read(path: str) -> bytes:
    if not path:
        return b""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            "The pairs in {path} cannot be read: {error}.", path=path, error=error
        ) from error
