"""What finding the themes of a whole collection costs: time, and memory at its highest."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import torch

from benchmarks.peak_memory import PeakMemory
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.text.encoders import CachedEncoder, Encoder
from subclust.text.library import PassageLibrary
from subclust.themes import ThemesRequest, find_themes, plan_themes
from subclust.themes.offers import find_offer

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
    passages : sequence of Passage
    method : str
    n_themes : int
    settings : Settings
        Of which all but the data folder counts.
    encoder : Encoder
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
        library = PassageLibrary.create(
            place.library_dir,
            "measured",
            embedding_dim=encoder.embedding_dim,
            encoder_name=encoder.name,
            encoder_revision=encoder.revision,
        )
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
