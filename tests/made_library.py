"""A passage library of some passages, as tests of all stages need it."""

import numpy as np

from subclust.core.records import Passage
from subclust.text.ingest.known import opened_library

SUBJECTS = {
    "Taxes": "taxes on tea angered the colonies before the long war",
    "Ants": "ants and termites dig burrows under the old garden wall",
    "Books": "librarians catalogue maps and books by author and subject",
}


def make_library(folder, encoder, passages, name="demo"):
    library, _ = opened_library(folder, name, encoder)
    if passages:
        library.add(passages, encoder.encode([passage.text for passage in passages]))
    return library


def notes():
    """Write eight passages on each of `SUBJECTS`, in two collections."""
    generator = np.random.default_rng(0)
    return [
        Passage(
            f"{title}-{row}",
            f"Note {row}: {' '.join(generator.permutation(words.split())[:7])}",
            title=title,
            collection="even" if row % 2 == 0 else "odd",
            metadata={"licence": "CC BY-SA"},
        )
        for title, words in SUBJECTS.items()
        for row in range(8)
    ]
