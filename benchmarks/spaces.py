"""What the vectors of some queries look like to several methods.

After "Learn the Big Picture" (Kashyapi and Dietz), section 4.5 and figure 4, whose queries were
picked by hand; here a rule picks them.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.checkpoints import CheckpointStore
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, FloatArray, IntArray, Query
from subclust.core.settings import Settings
from subclust.evaluation.metrics import adjusted_rand_index
from subclust.grouping.clustering.space import space_of
from subclust.judging.bench import (
    Granularity,
    Progress,
    embed,
    embed_queries,
    open_method,
    trained_context,
)
from subclust.judging.tasks import load_task
from subclust.methods import LoadedMethod
from subclust.text.encoders import Encoder, load_encoder

MIN_PASSAGES = 10
"""Of a query that the rule may choose; fewer make no picture."""


@dataclass(frozen=True)
class _Seen:
    """Some queries as one method sees them."""

    method: LoadedMethod
    instances: Sequence[ClusteringInstance]
    queries: Sequence[Query]
    embeddings: Sequence[FloatArray]
    granularity: Granularity

    def texts(self, place: int) -> list[str]:
        """Return the passages of a query."""
        return [passage.text for passage in self.instances[place].passages]

    def grouped(self, place: int) -> tuple[IntArray, float]:
        """Group a query's passages at the true number of groups; give groups and their ARI."""
        query, embeddings = self.queries[place], self.embeddings[place]
        clusterer = self.method.clusterer
        gold = self.instances[place].gold(self.granularity)
        clusterer.n_clusters, clusterer.max_other = len(set(gold)), 0.0
        clusterer.fit(self.texts(place), query=query, embeddings=embeddings)
        return clusterer.labels_, adjusted_rand_index(gold, clusterer.labels_)

    def picture(self, name: str, place: int) -> dict[str, Any]:
        """Return what is drawn of a query."""
        groups, ari = self.grouped(place)
        query, embeddings = self.queries[place], self.embeddings[place]
        vectors = space_of(self.method.clusterer, query, self.texts(place), embeddings)
        coordinates, explained = principal_components(vectors)
        return {
            "method": name,
            "label": self.method.card.label,
            "ari": round(ari, 6),
            "groups": groups.tolist(),
            "coordinates": _rounded(coordinates),
            "explained": _rounded(explained),
        }


def picture_spaces(
    task: str,
    instances: Sequence[ClusteringInstance],
    methods: Sequence[str],
    encoder: Encoder,
    store: CheckpointStore,
    *,
    n_queries: int = 4,
    texts: Sequence[str] = (),
    granularity: Granularity = "flat",
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Place the passages of some queries where each method compares them.

    Parameters
    ----------
    methods : sequence of str
        Names, or ``name@checkpoint``; where no queries are given, the first and the last decide
        which are taken.
    encoder : Encoder
        The base encoder.
    n_queries : int
        How many the rule chooses.
    texts : sequence of str
        Queries to take instead of chosen ones; of several with one text, the first.
    granularity : {"flat", "hierarchical"}
    progress : callable, optional
        Called as ``progress(method, n_done, n_total)`` while passages are encoded.

    Returns
    -------
    dict
        The object that ``python -m benchmarks spaces --json`` prints, without its story, and
        ``checkpoints``, the checkpoint of each method or None.

    Raises
    ------
    BenchmarkError
        If there is no such query, or the rule can choose none.
    """
    opened = _open(methods, store, encoder)

    def see(name: str, part: Sequence[ClusteringInstance]) -> _Seen:
        method = opened[name]
        embeddings = embed(part, method.encoder, name, progress)
        queries = embed_queries(part, embeddings, method, trained_context(method))
        return _Seen(method, part, queries, embeddings, granularity)

    if texts:
        chosen = [_named(text, instances, task) for text in texts]
        rule = "The queries were named one by one."
    else:
        if len(opened) < 2:
            raise BenchmarkError(
                "Queries are chosen by how two methods differ on them; give a second --method, or "
                "name the queries with --query."
            )
        large = [instance for instance in instances if len(instance.passages) >= MIN_PASSAGES]
        if not large:
            raise BenchmarkError(
                "No query of {task} has {min_passages} passages or more; name some with --query.",
                task=task,
                min_passages=MIN_PASSAGES,
            )
        first, *_, last = opened
        scores = [
            [part.grouped(i)[1] for i in range(len(large))]
            for part in (see(first, large), see(last, large))
        ]
        gains = [mine - theirs for mine, theirs in zip(*scores, strict=True)]
        chosen = [large[place] for place in evenly_spaced(gains, n_queries)]
        rule = (
            f"Of the {len(large):,} queries of {task} with at least {MIN_PASSAGES} passages, in "
            f"the order of the ARI of {first} less that of {last}, those at {len(chosen)} evenly "
            "spaced ranks from the highest difference to the lowest."
        )
    seen = {name: see(name, chosen) for name in opened}
    return {
        "task": task,
        "rule": rule,
        "queries": [
            {
                "query": instance.query.text,
                "gold": instance.gold(granularity),
                "n_clusters": len(set(instance.gold(granularity))),
                "methods": [part.picture(name, place) for name, part in seen.items()],
            }
            for place, instance in enumerate(chosen)
        ],
        "checkpoints": {
            name: method.checkpoint.name if method.checkpoint else None
            for name, method in opened.items()
        },
    }


def evenly_spaced(differences: Sequence[float], n_chosen: int) -> list[int]:
    """Choose among queries from where one method gains most to where it loses most.

    Parameters
    ----------
    differences : sequence of float
        For each query, how much better the one method is than the other.
    n_chosen : int
        At least 1; all are chosen where there are no more.

    Returns
    -------
    list of int
        Positions, at evenly spaced ranks from the highest difference to the lowest, both of them
        among these; the middle one where one is asked for. Equal ones rank in the order given.
    """
    order = sorted(range(len(differences)), key=lambda place: -differences[place])
    if n_chosen == 1:
        return order[len(order) // 2 : len(order) // 2 + 1]
    ranks = np.linspace(0, len(order) - 1, min(n_chosen, len(order)))
    return [order[round(float(rank))] for rank in ranks]


def _open(
    methods: Sequence[str], store: CheckpointStore, encoder: Encoder
) -> dict[str, LoadedMethod]:
    """Load methods by the names that figures give them, in which "default" is no name."""
    opened = {}
    for given in methods:
        method = open_method(given, store, encoder)
        _, at, checkpoint = given.partition("@")
        opened[f"{method.card.name}{at}{checkpoint}"] = method
    return opened


def _named(text: str, instances: Sequence[ClusteringInstance], task: str) -> ClusteringInstance:
    found = next((instance for instance in instances if instance.query.text == text), None)
    if found is None:
        raise BenchmarkError(
            "{task} has no query {text!r}; give one as it is written there, such as {text_2!r}.",
            task=task,
            text=text,
            text_2=instances[0].query.text,
        )
    return found


def _rounded(values: FloatArray) -> list[Any]:
    rounded: list[Any] = (np.round(values.astype(np.float64), 4) + 0.0).tolist()  # and no -0
    return rounded


def principal_components(
    vectors: FloatArray, n_components: int = 3
) -> tuple[FloatArray, FloatArray]:
    """Place vectors along the directions in which they differ most.

    For figures of how passages lie; the map of the app is `PcaProjector`'s, which is quicker. The
    sign of each direction is chosen so that its largest loading is positive.

    Parameters
    ----------
    vectors : ndarray of shape (n_passages, embedding_dim)
        At least one.

    Returns
    -------
    coordinates : ndarray of shape (n_passages, n_components)
        float32, centred on 0; 0 along directions that do not exist or in which nothing differs.
    explained : ndarray of shape (n_components,)
        float32, 0 to 1, falling; 0 where all vectors are equal.
    """
    coordinates = np.zeros((len(vectors), n_components), dtype=np.float32)
    explained = np.zeros(n_components, dtype=np.float32)
    if np.ptp(vectors, axis=0).max() < 1e-9:
        return coordinates, explained
    found = min(n_components, *vectors.shape)
    pca = PCA(found, svd_solver="full")
    placed = pca.fit_transform(vectors.astype(np.float64))
    largest = np.abs(pca.components_).argmax(axis=1)
    signs = np.sign(pca.components_[np.arange(found), largest])
    coordinates[:, :found] = placed * signs
    explained[:found] = pca.explained_variance_ratio_
    return coordinates, explained


def add_spaces(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``spaces``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument(
        "--method",
        action="append",
        required=True,
        metavar="NAME",
        help="may be given several times; NAME@CHECKPOINT names a checkpoint",
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--queries",
        type=at_least_one,
        default=4,
        metavar="N",
        help="how many are taken, evenly from where the first method gains most over the last to "
        "where it loses most",
    )
    chosen.add_argument(
        "--query",
        action="append",
        default=[],
        metavar="TEXT",
        help="take this one instead; may be given several times",
    )
    parser.add_argument("--granularity", choices=["flat", "hierarchical"], default="flat")
    add_output(parser)


def run_spaces(arguments: argparse.Namespace, settings: Settings) -> None:
    """Place the passages of some queries where each method compares them."""
    encoder = load_encoder(settings)
    task, instances = load_task(arguments.task, settings)
    found = picture_spaces(
        task,
        instances,
        arguments.method,
        encoder,
        CheckpointStore.of(settings),
        n_queries=arguments.queries,
        texts=arguments.query,
        granularity=arguments.granularity,
        progress=lambda method, done, total: progress_bar(f"Encoding for {method}")(done, total),
    )
    told = {
        **story(encoder, settings.resolve_device()),
        "granularity": arguments.granularity,
        "checkpoints": found["checkpoints"],
    }
    result = {
        "task": task,
        "story": told,
        "rule": found["rule"],
        "queries": found["queries"],
    }
    if not output(arguments, RESULTS_DIR / "spaces" / f"{task}.json", result):
        print(_told(result))


def _told(result: Mapping[str, Any]) -> str:
    lines = [result["rule"]]
    for query in result["queries"]:
        lines.append(
            f"\n{query['query']} ({len(query['gold'])} passages, {query['n_clusters']} subtopics)"
        )
        width = max(len(method["method"]) for method in query["methods"])
        for method in query["methods"]:
            shares = ", ".join(f"{share:.0%}" for share in method["explained"])
            lines.append(
                f"  {method['method']:{width}}  ARI {method['ari']:6.3f}, three components tell "
                f"{shares}"
            )
    return "\n".join(lines)
