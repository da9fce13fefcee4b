"""Drawing by lot for one text, whatever other texts there are and in whichever order."""

import hashlib

import numpy as np


def generator_of(seed: int, text: str) -> np.random.Generator:
    """Return a generator that depends on the seed and the text alone."""
    digest = hashlib.sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))
