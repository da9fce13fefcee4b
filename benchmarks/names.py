"""How often a generated name means its own section, of the headings that a query has."""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.baseline_namers import MedoidNamer, PlainTfidfNamer
from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance, Query
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.grouping.naming import (
    HeadingNamer,
    LanguageModelNamer,
    SubtopicNamer,
)
from subclust.grouping.naming.base import distinct_names
from subclust.grouping.naming.headings import counted
from subclust.grouping.naming.noun_phrases import is_noun_phrase
from subclust.grouping.naming.phrases import words_of
from subclust.grouping.naming.words import is_function_word, root
from subclust.judging.tasks import load_task, provenance
from subclust.labelled.llm.labeller import endpoint_of
from subclust.text.encoders import Encoder, load_encoder, uncached

BASELINE = "plain-tfidf"
SHIPPED = "headings"

_N_BOOTSTRAP = 2000


def namers(encoder: Encoder, ask: Callable[[str], str] | None = None) -> dict[str, SubtopicNamer]:
    """Make every namer that can be measured.

    Parameters
    ----------
    ask : callable, optional
        Asks a language model; without one it is not among them.
    """
    encode = uncached(encoder).encode
    shipped = HeadingNamer(encode, encoder.name)
    made: dict[str, SubtopicNamer] = {
        BASELINE: PlainTfidfNamer(),
        "plain-tfidf-10": PlainTfidfNamer(10),
        "plain-tfidf-stop-words": PlainTfidfNamer(stop_words="english"),
        "medoid": MedoidNamer(),
        "words": HeadingNamer(),
        SHIPPED: shipped,
    }
    if ask is not None:
        made["language-model"] = LanguageModelNamer(ask, shipped)
    return made


def measure_names(
    instances: Sequence[ClusteringInstance],
    chosen: Mapping[str, SubtopicNamer],
    encoder: Encoder,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Name the gold sections of each query and look for the nearest of the query's headings.

    Near is the cosine of the encoder's vectors. Only queries with two sections or more count. The
    heading is not shown to the namer.

    Parameters
    ----------
    chosen : mapping of str to SubtopicNamer
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in queries.

    Returns
    -------
    dict
        ``n_queries``, ``n_sections``, ``queries``, and ``namers``: of each ``share`` (of all
        sections, 0 to 1, higher is better), ``share_of_larger`` (of those with two passages or
        more), ``exact`` (named by the very heading, case and number apart), ``exact_of_five`` (that
        is among the first five names that come into question), ``noun_phrases`` (names that the
        tagger says are some), ``n_words`` (of a name, the mean), ``query_words`` (names with a word
        of the query), ``per_query`` (sections named right), ``ms_per_query`` (the median), and
        ``gain`` over the plain namer with its 95% interval.
    """
    kept = [one for one in instances if len(set(one.gold())) > 1]
    plain = uncached(encoder)
    right: dict[str, list[list[bool]]] = {name: [] for name in chosen}
    spent: dict[str, list[float]] = {name: [] for name in chosen}
    forms: dict[str, list[_Form]] = {name: [] for name in chosen}
    large: list[list[bool]] = []
    for done, instance in enumerate(kept, start=1):
        gold = instance.gold()
        headings = sorted(set(gold))
        labels = np.array([headings.index(one) for one in gold], dtype=np.int64)
        texts = [passage.text for passage in instance.passages]
        embeddings = encoder.encode(texts)
        large.append((np.bincount(labels) >= 2).tolist())
        names: dict[str, dict[int, str]] = {}
        for name, namer in chosen.items():
            started = time.perf_counter()
            every = namer.proposals(instance.query, texts, labels, embeddings)
            names[name] = distinct_names(every, ())
            spent[name].append((time.perf_counter() - started) * 1000)
            forms[name] += [
                _form(names[name][group], every[group], heading, instance.query)
                for group, heading in enumerate(headings)
            ]
        distinct = sorted({one for found in names.values() for one in found.values()})
        vectors = plain.encode([*headings, *distinct])
        near = vectors[len(headings) :] @ vectors[: len(headings)].T
        nearest = dict(zip(distinct, near.argmax(axis=1).tolist(), strict=True))
        for name, found in names.items():
            right[name].append([nearest[found[g]] == g for g in range(len(headings))])
        if progress is not None:
            progress(done, len(kept))
    return {
        "n_queries": len(kept),
        "n_sections": sum(map(len, large)),
        "n_larger_sections": sum(map(sum, large)),
        "queries": [instance.query.text for instance in kept],
        "sections_per_query": [len(one) for one in large],
        "namers": {
            name: _summed(right[name], right.get(BASELINE), large, spent[name])
            | {column: _mean(values) for column, values in _columns(forms[name]).items()}
            for name in chosen
        },
    }


class _Form(NamedTuple):
    """How a name is made, and whether it is the heading."""

    exact: bool
    exact_of_five: bool
    noun_phrases: bool
    n_words: int
    query_words: bool


def _form(name: str, proposed: Sequence[str], heading: str, query: Query) -> _Form:
    key, words = counted(heading), words_of(name)
    asked = {root(word) for word in words_of(query.text) if not is_function_word(word)}
    within = name[:1].lower() + name[1:] if name[1:].islower() else name
    return _Form(
        exact=counted(name) == key,
        exact_of_five=key in {counted(name), *map(counted, proposed[:5])},
        noun_phrases=is_noun_phrase(within),
        n_words=len(words),
        query_words=any(root(word) in asked for word in words),
    )


def _columns(forms: Sequence[_Form]) -> dict[str, list[float]]:
    return {name: [float(getattr(one, name)) for one in forms] for name in _Form._fields}


def _mean(values: Sequence[float]) -> float:
    return _rounded(statistics.fmean(values)) if values else 0.0


def _summed(
    right: Sequence[Sequence[bool]],
    baseline: Sequence[Sequence[bool]] | None,
    large: Sequence[Sequence[bool]],
    spent: Sequence[float],
) -> dict[str, Any]:
    ours = np.array([sum(one) for one in right], dtype=np.float64)
    sizes = np.array([len(one) for one in right], dtype=np.float64)
    in_large = sum(
        hit
        for hits, sections in zip(right, large, strict=True)
        for hit, is_large in zip(hits, sections, strict=True)
        if is_large
    )
    told: dict[str, Any] = {
        "share": _rounded(ours.sum() / max(sizes.sum(), 1)),
        "share_of_larger": _rounded(in_large / max(sum(map(sum, large)), 1)),
        "per_query": [int(one) for one in ours],
        "ms_per_query": _rounded(statistics.median(spent)) if spent else 0.0,
    }
    if baseline is not None and baseline is not right and len(right):
        theirs = np.array([sum(one) for one in baseline], dtype=np.float64)
        draws = np.random.default_rng(0).integers(0, len(ours), (_N_BOOTSTRAP, len(ours)))
        gains = (ours - theirs)[draws].sum(axis=1) / sizes[draws].sum(axis=1)
        told["gain"] = {
            "mean": _rounded((ours - theirs).sum() / sizes.sum()),
            "interval": [_rounded(one) for one in np.percentile(gains, [2.5, 97.5])],
        }
    return told


def _rounded(value: float) -> float:
    return round(float(value), 4)


def add_names(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``names``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument(
        "--namer",
        action="append",
        default=[],
        metavar="NAME",
        help="only this one and the plain one; may be given several times; language-model asks "
        "the one of SUBCLUST_LLM_URL, and only when it is named here",
    )
    parser.add_argument(
        "--queries",
        type=at_least_one,
        metavar="N",
        help="only the first N; kept as TASK-N beside the result of all",
    )
    add_output(parser)


def run_names(arguments: argparse.Namespace, settings: Settings) -> None:
    """Name the sections of each query and count the names that mean their own heading."""
    encoder = load_encoder(settings)
    ask = None
    if "language-model" in arguments.namer:
        endpoint = endpoint_of(settings)
        ask = lambda prompt: endpoint.ask(prompt).text  # noqa: E731
    made = namers(encoder, ask)
    if unknown := sorted(set(arguments.namer) - set(made)):
        raise InputError(
            "There is no namer {unknown!r}; choose among {names}.",
            unknown=unknown[0],
            names=", ".join(made),
        )
    chosen = {
        name: namer
        for name, namer in made.items()
        if not arguments.namer or name in {*arguments.namer, "plain-tfidf"}
    }
    task, instances = load_task(arguments.task, settings)
    if arguments.queries:
        task, instances = f"{task}-{arguments.queries}", instances[: arguments.queries]
    found = measure_names(instances, chosen, encoder, progress=progress_bar("Naming"))
    told = {
        **story(encoder, settings.resolve_device()),
        "data": provenance(arguments.task, settings),
        "language_model": settings.llm_model if ask else None,
    }
    result = {"task": task, **found, "story": told}
    if not output(arguments, RESULTS_DIR / "names" / f"{task}.json", result):
        print(in_words(result))


def in_words(result: Mapping[str, Any]) -> str:
    """Write the shares as a table."""
    lines = [
        f"{result['task']}: {result['n_sections']} sections of {result['n_queries']} queries; "
        "share whose own heading is the nearest to the name"
    ]
    width = max(len(name) for name in result["namers"])
    for name, told in result["namers"].items():
        line = f"  {name:{width}}  {told['share']:6.1%}  (two passages or more "
        line += f"{told['share_of_larger']:6.1%})"
        line += f"  exact {told['exact']:5.1%}, of five {told['exact_of_five']:5.1%}"
        line += f"  noun phrases {told['noun_phrases']:6.1%}  {told['n_words']:.2f} words"
        line += f"  of the query {told['query_words']:5.1%}  {told['ms_per_query']:7.1f} ms a query"
        if gain := told.get("gain"):
            low, high = gain["interval"]
            line += f"  {gain['mean']:+.1%} [{low:+.1%}, {high:+.1%}] over plain-tfidf"
        lines.append(line)
    return "\n".join(lines)
