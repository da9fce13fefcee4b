"""What finding the themes of a whole collection costs: time, and memory at its highest."""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import torch

from benchmarks.peak_memory import PeakMemory
from benchmarks.results import RESULTS_DIR, add_output, output, story
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.grouping.projection import PROJECTORS
from subclust.judging.tasks import load_task
from subclust.text.encoders import CachedEncoder, Encoder, load_encoder
from subclust.text.ingest.known import opened_library
from subclust.themes import ThemesRequest, find_themes, plan_themes
from subclust.themes.offers import OFFERS, find_offer

ONE_LABELLED_OF = 100
"""Texts, where a method learns from labels."""


def measure_themes(
    passages: Sequence[Passage],
    method: str,
    n_themes: int,
    settings: Settings,
    encoder: Encoder,
    *,
    projection: str = "umap",
) -> dict[str, Any]:
    """Import texts into a library of its own and find their themes, as the product does.

    A method that learns from labels gets those of every hundredth text, the others none.

    Parameters
    ----------
    settings : Settings
        Of which all but the data folder counts.
    projection : {"umap", "pca"}

    Returns
    -------
    dict
        ``n_texts``, ``encode_seconds`` of the import, with nothing kept from before, ``seconds`` of
        finding, ``cores`` that both could use, ``before_mb`` (resident when it began, with the
        encoder and all texts), ``peak_mb`` (the highest above that) and ``total_mb``, their sum;
        megabytes of 10**6 bytes.

    Raises
    ------
    SubclustError
        If themes cannot be found of these texts.
    """
    texts = [passage.text for passage in passages]
    started = time.monotonic()
    vectors = (encoder.encoder if isinstance(encoder, CachedEncoder) else encoder).encode(texts)
    encode_seconds = time.monotonic() - started
    with tempfile.TemporaryDirectory() as folder:
        place = replace(settings, data_dir=Path(folder))
        library, _ = opened_library(place.library_dir, "measured", encoder)
        library.add(_labelled(passages, method), vectors)
        request = ThemesRequest("measured", method, n_themes, projection=projection)
        before = psutil.Process().memory_info().rss / 1e6
        started = time.monotonic()
        with PeakMemory() as peak:
            plan = plan_themes(request, place, encoder)
            find_themes(plan, place, encoder, place.data_dir / "run")
        seconds = time.monotonic() - started
    return {
        "method": method,
        "n_texts": len(passages),
        "n_themes": n_themes,
        "projection": projection,
        "encode_seconds": round(encode_seconds, 1),
        "seconds": round(seconds, 1),
        "cores": torch.get_num_threads(),
        "before_mb": round(before),
        "peak_mb": round(peak.megabytes),
        "total_mb": round(before + peak.megabytes),
    }


def _labelled(passages: Sequence[Passage], method: str) -> list[Passage]:
    """Take the labels away that nobody reads."""
    every = ONE_LABELLED_OF if find_offer(method).needs_labels else len(passages) + 1
    return [
        replace(passage, label=None if number % every else passage.label, path=None)
        for number, passage in enumerate(passages, start=1)
    ]


def add_themes(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``themes``."""
    parser.add_argument("task", metavar="TASK_OR_FILE", help="see 'python -m subclust tasks'")
    parser.add_argument("--method", default=next(iter(OFFERS)), choices=list(OFFERS))
    parser.add_argument("--n-themes", type=int, default=20, metavar="K")
    parser.add_argument("--projection", choices=list(PROJECTORS), default="umap")
    add_output(parser)


def run_themes(arguments: argparse.Namespace, settings: Settings) -> None:
    """Find the themes of a task's texts, and say what that took."""
    encoder = load_encoder(settings)
    task, instances = load_task(arguments.task, settings)
    passages = [passage for instance in instances for passage in instance.passages]
    found = measure_themes(
        passages,
        arguments.method,
        arguments.n_themes,
        settings,
        encoder,
        projection=arguments.projection,
    )
    result = {"task": task, **found, "story": story(encoder, settings.resolve_device())}
    if output(arguments, RESULTS_DIR / "themes" / f"{arguments.method}-{task}.json", result):
        return
    print(
        f"{task}, {arguments.method}: {found['n_texts']:,} texts in {found['seconds']:.0f} s, "
        f"{found['total_mb']:,} MB at the highest ({found['before_mb']:,} MB before it began)"
    )
