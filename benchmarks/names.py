"""How often a generated name means its own section, of the headings that a query has."""

import argparse
import inspect
import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, story, write
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.exceptions import InputError
from subclust.core.records import ClusteringInstance
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.grouping.naming import (
    ClassTfidfNamer,
    KeyphraseNamer,
    LanguageModelNamer,
    MedoidNamer,
    PlainTfidfNamer,
    SubtopicNamer,
)
from subclust.judging.tasks import load_task, provenance
from subclust.labelled.llm.labeller import endpoint_of
from subclust.text.encoders import Encoder, load_encoder, uncached

BASELINE = "plain-tfidf"
SHIPPED = "keyphrases"

_N_BOOTSTRAP = 2000


def namers(encoder: Encoder, ask: Callable[[str], str] | None = None) -> dict[str, SubtopicNamer]:
    """Make every namer that can be measured.

    Parameters
    ----------
    encoder : Encoder
    ask : callable, optional
        Asks a language model; without one it is not among them.
    """
    encode = uncached(encoder).encode
    keyphrases = KeyphraseNamer(encode)
    made: dict[str, SubtopicNamer] = {
        BASELINE: PlainTfidfNamer(),
        "plain-tfidf-10": PlainTfidfNamer(10),
        "plain-tfidf-stop-words": PlainTfidfNamer(stop_words="english"),
        "phrase-tfidf": ClassTfidfNamer(),
        "medoid": MedoidNamer(),
        SHIPPED: keyphrases,
        "keyphrases-query": KeyphraseNamer(encode, remove="query"),
    }
    if ask is not None:
        made["language-model"] = LanguageModelNamer(ask, keyphrases)
    return made


def varied(encoder: Encoder, settings: Sequence[str]) -> dict[str, SubtopicNamer]:
    """Make the shipped namer with other settings, to choose among them on a validation task.

    Parameters
    ----------
    encoder : Encoder
    settings : sequence of str
        Of each namer ``parameter=value``, several with commas between; the parameters are those of
        `KeyphraseNamer`. It is called "keyphrases" with these behind it.

    Raises
    ------
    InputError
        If there is no such parameter, or the value is of another kind than its default.
    """
    encode = uncached(encoder).encode
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(KeyphraseNamer).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    made: dict[str, SubtopicNamer] = {}
    for told in settings:
        chosen: dict[str, Any] = {}
        for pair in told.split(","):
            name, _, value = (part.strip() for part in pair.partition("="))
            if name not in defaults:
                raise InputError(
                    "The namer has no setting {name!r}; choose among {names}.",
                    name=name,
                    names=", ".join(defaults),
                )
            kind = type(defaults[name])
            try:
                chosen[name] = kind(value)
            except ValueError as error:
                raise InputError(
                    "{value!r} is no value of {name}; give one like {default}.",
                    value=value,
                    name=name,
                    default=defaults[name],
                ) from error
        made[f"{SHIPPED} {told}"] = KeyphraseNamer(encode, **chosen)
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
    instances : sequence of ClusteringInstance
    chosen : mapping of str to SubtopicNamer
    encoder : Encoder
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in queries.

    Returns
    -------
    dict
        ``n_queries``, ``n_sections``, ``queries``, and ``namers``: of each ``share`` (of all
        sections, 0 to 1, higher is better), ``share_of_larger`` (of those with two passages or
        more), ``per_query`` (sections named right), ``ms_per_query`` (the median), and ``gain``
        over the plain namer with its 95% interval.
    """
    kept = [one for one in instances if len(set(one.gold())) > 1]
    plain = uncached(encoder)
    right: dict[str, list[list[bool]]] = {name: [] for name in chosen}
    spent: dict[str, list[float]] = {name: [] for name in chosen}
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
            names[name] = namer.name(instance.query, texts, labels, embeddings)
            spent[name].append((time.perf_counter() - started) * 1000)
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
            name: _summed(right[name], right.get(BASELINE), large, spent[name]) for name in chosen
        },
    }


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
        "--setting",
        action="append",
        default=[],
        metavar="KEY=VALUE[,...]",
        help="the shipped namer with other settings too, such as max_phrases=4,max_characters=60; "
        "may be given several times; choose on a validation task",
    )
    parser.add_argument(
        "--queries",
        type=at_least_one,
        metavar="N",
        help="only the first N; kept as TASK-N beside the result of all",
    )
    parser.add_argument("--save", action="store_true", help="keep the result with the others")
    parser.add_argument("--json", action="store_true", help="print one object")


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
    chosen |= varied(encoder, arguments.setting)
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
    if arguments.save:
        write(RESULTS_DIR / "names" / f"{task}.json", result)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else in_words(result))


def in_words(result: Mapping[str, Any]) -> str:
    """Write the shares as a table."""
    lines = [
        f"{result['task']}: {result['n_sections']} sections of {result['n_queries']} queries; "
        "share whose own heading is the nearest to the name"
    ]
    width = max(len(name) for name in result["namers"])
    for name, told in result["namers"].items():
        line = f"  {name:{width}}  {told['share']:6.1%}  (two passages or more "
        line += f"{told['share_of_larger']:6.1%})  {told['ms_per_query']:7.1f} ms a query"
        if gain := told.get("gain"):
            low, high = gain["interval"]
            line += f"  {gain['mean']:+.1%} [{low:+.1%}, {high:+.1%}] over plain-tfidf"
        lines.append(line)
    return "\n".join(lines)
