"""The same question, seed and library give the same answer, wherever and however it is asked."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from made_library import make_library

from subclust.core.records import Passage, Query
from subclust.core.settings import PROJECT_ROOT
from subclust.pipeline.load import load_pipeline
from subclust.text.encoders import HashingEncoder

METHODS = ("centred-cosine", "sbert-cosine", "tfidf", "jaccard", "kmeans", "spectral", "qs3m")

_ASKED = """
import json, sys
from subclust.cli import main
for words in json.loads(sys.argv[1]):
    assert main(words) == 0
"""


def passages():
    """Write passages of which many are alike, so that whatever has ties has many."""
    subjects = ["tax on tea and paper", "fleet in the harbour", "snow at the winter camp"]
    found = [
        Passage(f"p{number:03}", f"The war and its {subjects[number % 3]}, part {number // 12}.",
                title=f"War {number % 2}", metadata={"source": "Handmade"})
        for number in range(180)
    ]  # fmt: skip
    return found + [Passage(f"q{number:03}", "The war.") for number in range(60)]


def settings_of(folder, models, encoder="hashing"):
    return {
        "SUBCLUST_DATA_DIR": str(folder),
        "SUBCLUST_MODELS_DIR": str(models),
        "SUBCLUST_ENCODER": encoder,
        "SUBCLUST_DEVICE": "cpu",
    }


@pytest.fixture(scope="module")
def libraries(tmp_path_factory, random_checkpoint):
    """Make the same library twice, the second one's rows in another order and in two parts."""
    from subclust.checkpoints import CheckpointStore

    encoder = HashingEncoder()
    folder = tmp_path_factory.mktemp("determinism")
    store = CheckpointStore(folder / "models")
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    store.save(random_checkpoint("qs3m", "tiny", **config))
    store.promote("qs3m", "tiny", as_default=True)
    make_library(folder / "one" / "library", encoder, passages())
    shuffled = passages()
    random.Random(5).shuffle(shuffled)
    library = make_library(folder / "two" / "library", encoder, shuffled[:100])
    library.add(shuffled[100:], encoder.encode([one.text for one in shuffled[100:]]))
    library.optimize()
    return folder


def ask(folder, models, searches, hash_seed, encoder="hashing"):
    """Search in a process of its own, whose sets and dicts have an order of their own."""
    words = [["search", *one, "--json"] for one in searches]
    done = subprocess.run(
        [sys.executable, "-c", _ASKED, json.dumps(words)],
        env=os.environ | settings_of(folder, models, encoder) | {"PYTHONHASHSEED": str(hash_seed)},
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [without_times(line) for line in done.stdout.splitlines()]


def without_times(line):
    found = json.loads(line)
    del found["timings_ms"]
    return json.dumps(found)


SEARCHES = [
    # The last hits are cut off among many with the same score.
    *(["the war", "--method", method, "--top-k", "150"] for method in ("centred-cosine", "qs3m")),
    *(
        ["tea tax in the harbour", "--method", method, "--top-k", "50", "--n-clusters", "4"]
        for method in METHODS
    ),
]


@pytest.mark.app
def test_two_processes_and_a_shuffled_library_give_identical_json(libraries):
    models = libraries / "models"
    first = ask(libraries / "one", models, SEARCHES, hash_seed=1)
    second = ask(libraries / "two", models, SEARCHES, hash_seed=2)
    for search, line, other in zip(SEARCHES, first, second, strict=True):
        assert line == other, search


def test_the_searches_have_groups_to_get_wrong(libraries, monkeypatch):
    for name, value in settings_of(libraries / "one", libraries / "models").items():
        monkeypatch.setenv(name, value)
    from subclust.core.settings import Settings

    pipeline = load_pipeline(Settings.from_environment(), method="centred-cosine")
    ranking = pipeline.retrieve(Query("the war"), top_k=150)
    scores = [hit.score for hit in ranking.hits]
    assert len(scores) == 150
    assert len(set(scores[-30:])) > 1
    parts = [
        pipeline.retriever.search(Query("the war"), 240, mode).hits for mode in ("text", "vector")
    ]
    for part in parts:
        assert len({hit.score for hit in part}) < len(part) / 2
    groups = pipeline.group(ranking).subtopics
    assert len(groups) >= 2
    assert np.ptp([member.x for group in groups for member in group.passages]) > 0
