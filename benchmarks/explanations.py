"""Whether the words that are marked carry a passage's membership: tried by taking them away."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, add_output, output, story
from benchmarks.speed import QUERIES
from subclust.cli.options import add_method, at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.records import OTHER_PASSAGES, Query
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.explanation.occlusion import Membership, without
from subclust.explanation.units import Span, word_spans
from subclust.pipeline.explainer import Explainer
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline

_N_BOOTSTRAP = 2000


def measure_explanations(
    pipeline: SubtopicPipeline,
    queries: Sequence[str] = QUERIES,
    *,
    n_passages: int = 6,
    top_k: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Take the marked words out of some hits, and as many random telling words.

    The strengths are those that the method gives to each wording in the passage's place among all
    hits, not the quicker ones that the words were found by.

    Parameters
    ----------
    n_passages : int
        Hits of each query, drawn by lot among those in a group.
    top_k : int
        Hits that are grouped.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in passages.

    Returns
    -------
    dict
        ``n_passages``; ``n_unmarked``, those in which no words speak for the group;
        ``lost_without_marked``, ``lost_without_random``, their ``difference`` with its 95%
        ``interval``, all means in strength; ``share_above_random``; ``ms`` and ``ms_stability``,
        the medians of an explanation and of a query's stability; ``passages``.
    """
    rows: list[dict[str, Any]] = []
    spent: list[float] = []
    stability: list[float] = []
    n_unmarked = 0
    random = np.random.default_rng(seed)
    for done, text in enumerate(queries):
        ranking = pipeline.retrieve(Query(text), top_k=top_k)
        explainer = Explainer(pipeline, ranking, pipeline.group(ranking))
        started = time.perf_counter()
        explainer.stability()
        stability.append((time.perf_counter() - started) * 1000)
        ids = sorted(
            hit.passage.id
            for row, hit in enumerate(ranking.hits)
            if explainer.labels[row] != OTHER_PASSAGES
        )
        drawn = random.choice(len(ids), size=min(n_passages, len(ids)), replace=False)
        for number, place in enumerate(drawn, start=1):
            id_ = ids[int(place)]
            started = time.perf_counter()
            marked = explainer.mark(id_)
            spent.append((time.perf_counter() - started) * 1000)
            whole = next(hit.passage.text for hit in ranking.hits if hit.passage.id == id_)
            membership = explainer.membership(id_, exact=True)
            spans = [one.span for one in marked.words]
            compared = compare(whole, spans, membership, seed=seed)
            if compared is None:
                n_unmarked += 1
            else:
                rows.append(
                    {
                        "query": text,
                        "id": id_,
                        "n_words": compared.n_words,
                        "marked": round(compared.marked, 6),
                        "random": round(compared.random, 6),
                    }
                )
            if progress is not None:
                progress(done * n_passages + number, len(queries) * n_passages)
    return {
        "queries": list(queries),
        "n_passages": len(rows),
        "n_unmarked": n_unmarked,
        **_summed(rows),
        "ms": round(float(np.median(spent)), 1) if spent else 0.0,
        "ms_stability": round(float(np.median(stability)), 1) if stability else 0.0,
        "passages": rows,
    }


def _summed(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if not rows:
        return {}
    marked = np.array([row["marked"] for row in rows])
    random = np.array([row["random"] for row in rows])
    differences = marked - random
    draws = np.random.default_rng(0).integers(0, len(rows), (_N_BOOTSTRAP, len(rows)))
    interval = np.percentile(differences[draws].mean(axis=1), [2.5, 97.5])
    return {
        "lost_without_marked": round(float(marked.mean()), 4),
        "lost_without_random": round(float(random.mean()), 4),
        "difference": round(float(differences.mean()), 4),
        "interval": [round(float(one), 4) for one in interval],
        "share_above_random": round(float((differences > 0).mean()), 4),
    }


@dataclass(frozen=True)
class Comparison:
    """What the strength of one passage loses.

    Parameters
    ----------
    n_words : int
        Telling words that are taken out each time.
    marked : float
        Lost without the marked words.
    random : float
        Lost without as many telling words drawn at random, the mean of the draws.
    """

    n_words: int
    marked: float
    random: float


def compare(
    text: str,
    marked: Sequence[Span],
    membership: Membership,
    *,
    n_draws: int = 5,
    seed: int = 0,
) -> Comparison | None:
    """Take out the marked words, and as many random ones.

    Random words are drawn among the telling words only, as the marked ones are: function words
    would be the easier rival.

    Parameters
    ----------
    n_draws : int
        At least 1.

    Returns
    -------
    Comparison or None
        None where nothing is marked, or everything is.
    """
    words = word_spans(text)
    chosen = [word for word in words if any(s.start <= word.start < s.end for s in marked)]
    if not chosen or len(chosen) == len(words):
        return None
    random = np.random.default_rng(seed)
    draws = [
        [words[int(i)] for i in random.choice(len(words), size=len(chosen), replace=False)]
        for _ in range(n_draws)
    ]
    texts = [text, without(text, chosen), *(without(text, draw) for draw in draws)]
    whole, rest, *others = (float(value) for value in membership(texts))
    return Comparison(len(chosen), whole - rest, whole - float(np.mean(others)))


def add_explanations(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``explanations``."""
    parser.add_argument("--library", default="demo", metavar="NAME")
    add_method(parser)
    parser.add_argument(
        "--query",
        action="append",
        default=[],
        metavar="TEXT",
        help="take this one instead of those that the demo library answers; may be given again",
    )
    parser.add_argument("--passages", type=at_least_one, default=6, metavar="N", help="a query")
    add_output(parser)


def run_explanations(arguments: argparse.Namespace, settings: Settings) -> None:
    """Take marked and random words out of some hits and compare what their strength loses."""
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
    )
    found = measure_explanations(
        pipeline,
        arguments.query or QUERIES,
        n_passages=arguments.passages,
        progress=progress_bar("Explaining"),
    )
    checkpoint = pipeline.method.checkpoint
    result = {
        "library": arguments.library,
        "method": pipeline.method.card.name,
        "checkpoint": checkpoint.name if checkpoint else None,
        **found,
        "story": story(pipeline.retriever.encoder, settings.resolve_device()),
    }
    name = f"{arguments.library}-{pipeline.method.card.name}.json"
    if output(arguments, RESULTS_DIR / "explanations" / name, result):
        return
    if not found["n_passages"]:
        print("No words were marked, so there is nothing to compare.")
        return
    low, high = found["interval"]
    print(
        f"{found['n_passages']} passages: without the marked words their strength loses "
        f"{found['lost_without_marked']:.3f}, without as many random ones "
        f"{found['lost_without_random']:.3f}; difference {found['difference']:.3f} "
        f"[{low:.3f}, {high:.3f}], above random in {found['share_above_random']:.0%}. "
        f"An explanation takes {found['ms']:.0f} ms, a query's stability "
        f"{found['ms_stability']:.0f} ms."
    )
