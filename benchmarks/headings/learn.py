"""``python -m benchmarks headings``: learn the file that the namer ships with, anew."""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.headings.asked import asked_groups
from benchmarks.headings.bank import general_headings, typical_words
from benchmarks.headings.maps import Article, article_of, learn_kinds, learn_maps
from benchmarks.headings.ranking import (
    COLUMNS,
    Judged,
    Named,
    found_groups,
    gold_groups,
    grow_trees,
    pooled_articles,
)
from benchmarks.results import RESULTS_DIR, story, write
from subclust.cli.options import at_least_one
from subclust.cli.printing import progress_bar
from subclust.core.records import ClusteringInstance, FloatArray
from subclust.core.settings import Settings
from subclust.grouping.naming.headings import FILE, Headings
from subclust.judging.tasks import load_task
from subclust.methods import load_method
from subclust.text.encoders import load_encoder, reading, remembering

_TASK = "wiki2014_train"
_IMPURE, _POOLED, _ASKED = 0.25, 0.15, 0.67
"""Beside the sections of ranked articles, how many articles are grouped as they are found, how many
are pooled and how many are asked for, of as many."""


def add_headings(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``headings``."""
    parser.add_argument(
        "--articles", type=at_least_one, default=6006, metavar="N", help="for the maps, at most"
    )
    parser.add_argument(
        "--ranked", type=at_least_one, default=1200, metavar="N", help="for the ranker, at most"
    )
    parser.add_argument(
        "--out", type=Path, default=FILE, metavar="FILE", help="by default the file that ships"
    )
    parser.add_argument("--save", action="store_true", help="keep what was learnt from what")


def run_headings(arguments: argparse.Namespace, settings: Settings) -> None:
    """Learn bank, words, maps and ranker from the training articles, and write the file."""
    started = time.monotonic()
    encoder = load_encoder(settings)
    _, articles = load_task(_TASK, settings)
    bank, words = general_headings(articles), typical_words(articles)
    encode = remembering(encoder, reading(encoder)).encode
    texts = [text for text, _ in bank]
    headings = Headings(
        bank=texts,
        counts=np.array([number for _, number in bank], dtype=np.int64),
        vectors=encode(texts),
        words=words,
        group_map=np.zeros((0, 0), dtype=np.float32),
        heading_map=np.zeros((0, 0), dtype=np.float32),
        rankers={},
        encoder=encoder.name,
        kinds=np.zeros((0, 0), dtype=np.float32),
    )
    rng = np.random.default_rng(0)
    chosen = [articles[row] for row in rng.permutation(len(articles))[: arguments.articles]]
    chosen = [one for one in chosen if len({passage.label for passage in one.passages}) > 1]
    tell = progress_bar("Encoding")
    embeddings = []
    for done, one in enumerate(chosen, start=1):
        embeddings.append(encoder.encode([passage.text for passage in one.passages]))
        tell(done, len(chosen))
    groups = [
        article_of(one, vectors, encode, headings.row_of)
        for one, vectors in zip(chosen, embeddings, strict=True)
    ]
    pairs = list(zip(chosen, embeddings, strict=True))[: arguments.ranked]
    method = load_method("default", encoder=encoder, settings=settings)
    judged: list[Judged] = []
    for half in range(2):  # maps know better what they were learnt from than anything else
        unseen = _with_maps(headings, groups[1 - half :: 2])
        named = _named(pairs[half::2], rng)
        n_asked = int(_ASKED * len(pairs[half::2]))
        library = slice(half, 2 * arguments.ranked, 2)
        named += asked_groups(chosen[library], embeddings[library], n_asked, method, encoder, rng)
        tell = progress_bar("Listing candidates")
        for done, one in enumerate(named, start=1):
            judged.append(Judged(one, unseen, encode))
            tell(done, len(named))
    headings = _with_maps(headings, groups)
    headings = replace(headings, rankers={n: grow_trees(judged, n) for n in COLUMNS})
    headings.save(arguments.out)
    told = {
        "task": _TASK,
        "bank": len(bank),
        "words": len(words),
        "articles": len(chosen),
        "ranked": len(judged),
        "groups": sum(one.n_groups for one in judged),
        "seconds": round(time.monotonic() - started),
    }
    if arguments.save:
        file = RESULTS_DIR / "headings" / f"{_TASK}.json"
        write(file, {**told, "story": story(encoder, settings.resolve_device())})
    print(json.dumps(told))


def _with_maps(headings: Headings, groups: Sequence[Article]) -> Headings:
    """Return headings with the maps and kinds that these articles teach."""
    group_map, heading_map = learn_maps(groups, headings.vectors, headings.counts)
    kinds = learn_kinds(groups, len(headings.bank))
    return replace(headings, group_map=group_map, heading_map=heading_map, kinds=kinds)


def _named(
    pairs: Sequence[tuple[ClusteringInstance, FloatArray]], rng: np.random.Generator
) -> list[Named]:
    """Return sections of articles, those of some as they are found, and pools of articles."""
    named = [gold_groups(*pair) for pair in pairs]
    named += [found_groups(one) for one in named[: int(_IMPURE * len(pairs))]]
    articles, embeddings = zip(*pairs, strict=True)
    named += pooled_articles(articles, embeddings, int(_POOLED * len(pairs)), rng)
    return [one for one in named if len(one.names) > 1]
