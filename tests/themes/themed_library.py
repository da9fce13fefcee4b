"""A library of short texts on three themes, without weights."""

import numpy as np
from made_library import make_library

from subclust.core.records import Passage
from subclust.text.encoders import HashingEncoder

THEMES = {
    "war": "taxes colonies army battle king crown tea port".split(),
    "ants": "ant burrow night termite claw savanna tongue snout".split(),
    "books": "shelf map author catalogue reader page index binding".split(),
}


def texts(n_texts=240, labelled=()):
    """Make texts of four words of one theme each; those of the given places have labels."""
    generator = np.random.default_rng(0)
    made = []
    for number in range(n_texts):
        theme = list(THEMES)[number % 3]
        words = [*generator.permutation(THEMES[theme])[:4], f"n{number % 40}"]
        made.append(
            Passage(
                f"t{number:04}",
                " ".join(words),
                title=f"Title {number}",
                collection="even" if number % 2 == 0 else "odd",
                label=theme if number in labelled else None,
                metadata={"year": str(1900 + number % 50)},
            )
        )
    return made


def build(folder, name="themed", **options):
    """Put them into a library."""
    made = texts(**options)
    make_library(folder / "library", HashingEncoder(), made, name)
    return made
