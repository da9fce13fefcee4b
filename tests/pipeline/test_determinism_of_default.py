"""The shipped model, too: the same answer in every process and whatever the order of the rows."""

import random
from itertools import islice

import numpy as np
import pytest
from made_library import make_library
from test_determinism import ask

from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.text.encoders import load_encoder
from subclust.text.encoders.sentence import EMBEDDED_MODEL
from subclust.text.sources.base import Document
from subclust.text.sources.wikidump import demo_dump

pytestmark = pytest.mark.slow

N_ARTICLES = 14
"""Enough for hits on several subjects, few enough to be encoded in a minute or two."""

SEARCHES = [
    ["causes of the American Revolutionary War", "--top-k", "120"],
    ["anarchist thinkers and movements", "--top-k", "60", "--n-clusters", "5", "--seed", "3"],
    ["how autism is diagnosed and treated", "--top-k", "80", "--context", "passages"],
]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """Make a library of real texts twice, the second one's rows in another order and two parts."""
    folder = tmp_path_factory.mktemp("default")
    articles = (one for one in demo_dump() if isinstance(one, Document))
    passages = [one for article in islice(articles, N_ARTICLES) for one in article.passages]
    encoder = load_encoder(Settings(data_dir=folder / "one", device="cpu"))
    vectors = {
        one.id: vector
        for one, vector in zip(
            passages, encoder.encode([one.text for one in passages]), strict=True
        )
    }
    make_library(folder / "one" / "library", encoder, passages)
    shuffled = list(passages)
    random.Random(5).shuffle(shuffled)
    half = len(shuffled) // 2
    library = make_library(folder / "two" / "library", encoder, shuffled[:half])
    library.add(shuffled[half:], np.stack([vectors[one.id] for one in shuffled[half:]]))
    library.optimize()
    return folder


def asked(folder, hash_seed):
    return ask(folder, PROJECT_ROOT / "models", SEARCHES, hash_seed, EMBEDDED_MODEL)


def test_two_processes_and_a_shuffled_library_give_identical_json(libraries):
    first = asked(libraries / "one", 1)
    assert len(first) == len(SEARCHES)
    assert all('"method": "centred-qs3m"' in line for line in first)
    assert asked(libraries / "one", 2) == first
    other = asked(libraries / "two", 3)
    for search, line, shuffled in zip(SEARCHES, first, other, strict=True):
        assert line == shuffled, search
