"""``python -m subclust cluster``."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from subclust.checkpoints import CheckpointStore
from subclust.cli.options import add_grouping, add_method
from subclust.cli.search import in_words
from subclust.core.records import ClusteringInstance, Hit, Ranking
from subclust.core.settings import Settings
from subclust.labelled.reading.instances import read_instances
from subclust.labelled.sets import LabelledSetStore
from subclust.methods import load_method
from subclust.pipeline.query import group_ranking
from subclust.text.encoders import load_encoder, with_embedding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cluster``."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="queries and their passages, as in a labelled set; labels may be missing; or set:NAME",
    )
    add_method(parser)
    add_grouping(parser)


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Group and name the passages of each query; with ``--json`` one object a line."""
    kept = LabelledSetStore(settings.sets_dir).find(arguments.file)
    path = Path(arguments.file) if kept is None else kept.path
    instances = read_instances(path, labelled=False)
    encoder = load_encoder(settings)
    method = load_method(
        arguments.method, CheckpointStore.of(settings), encoder, arguments.checkpoint
    )
    for instance in instances:
        ranking = _as_ranking(instance, path.name if kept is None else kept.label, arguments)
        embeddings = method.encoder.encode([passage.text for passage in instance.passages])
        query = ranking.query
        if method.card.query_specific:
            query = with_embedding(query, method.encoder, embeddings)
        result = group_ranking(
            method,
            ranking,
            embeddings,
            query,
            n_clusters=arguments.n_clusters,
            max_other=arguments.max_other,
            random_state=arguments.seed,
        )
        if arguments.json:
            print(json.dumps(result.to_dict(), ensure_ascii=False), flush=True)
        else:
            print(in_words(result), end="\n\n", flush=True)


def _as_ranking(
    instance: ClusteringInstance, library: str, arguments: argparse.Namespace
) -> Ranking:
    query = replace(
        instance.query,
        context=arguments.context,
        description=arguments.description or instance.query.description,
    )
    hits = tuple(Hit(passage, rank, 0.0) for rank, passage in enumerate(instance.passages, start=1))
    return Ranking(query, hits, np.zeros((len(hits), 0), dtype=np.float32), library)
