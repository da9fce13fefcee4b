from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from subclust.core.records import FloatArray, Passage
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library import PassageLibrary

TEXTS = [
    "The causes of the war were taxes and the want of representation.",
    "Passages about aardvarks digging burrows in the savanna at night.",
    "An aardvark eats ants and termites; its tongue is long.",
    "The café served coffee to librarians who catalogued maps.",
    "Taxes rose after the war, and trade with the colonies fell.",
    "A catalogue lists books by author, title and subject.",
]


@pytest.fixture
def passages() -> list[Passage]:
    return [
        Passage(
            id=f"p{number}",
            text=text,
            title="The war" if "war " in text else "Animals & 'books'",
            collection="even" if number % 2 == 0 else "odd",
            label="History" if "war " in text else None,
            path="History / Causes" if "war " in text else None,
            metadata={"url": f"https://example.org/{number}", "licence": "CC0"},
        )
        for number, text in enumerate(TEXTS)
    ]


@pytest.fixture
def embed() -> Callable[[Sequence[Passage]], FloatArray]:
    encoder = HashingEncoder(16)
    return lambda passages: encoder.encode([passage.text for passage in passages])


@pytest.fixture
def empty(tmp_path: Path) -> PassageLibrary:
    return PassageLibrary.create(
        tmp_path / "library",
        "books",
        embedding_dim=16,
        encoder_name="hashing",
        encoder_revision="hashing-16",
    )


@pytest.fixture
def library(
    empty: PassageLibrary,
    passages: list[Passage],
    embed: Callable[[Sequence[Passage]], FloatArray],
) -> PassageLibrary:
    empty.add(passages, embed(passages))
    assert np.isfinite(embed(passages)).all()
    return empty
