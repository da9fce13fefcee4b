import itertools
from collections import Counter

import numpy as np
import pytest
from raising import raises

from subclust.core.exceptions import TrainingError
from subclust.methods.cactus.learner import drop_words, self_supervised_subsets

ENTITIES = [" ".join(f"w{n}x{k}" for k in range(10)) for n in range(40)]


def test_subsets_have_the_sizes_of_appendix_b():
    subsets = list(itertools.islice(self_supervised_subsets(ENTITIES, 0), 1500))
    clusters = [Counter(p.label for p in subset.passages) for subset in subsets]
    counts = Counter(len(sizes) for sizes in clusters)
    assert set(counts) == set(range(2, 11))
    # Subsets of singles are left out, which are a few of those with two clusters.
    assert max(counts.values()) < 1.5 * min(counts.values())
    sizes = Counter(size for sizes in clusters for size in sizes.values())
    assert set(sizes) == {1, 2, 3, 4, 5}
    assert max(sizes.values()) < 1.2 * min(sizes.values())


def test_each_cluster_is_one_entity_with_words_dropped():
    for subset in itertools.islice(self_supervised_subsets(ENTITIES, 1), 50):
        seeds = {}
        for passage in subset.passages:
            words = passage.text.split()
            whole = next(e for e in ENTITIES if e.startswith(words[0].split("x")[0] + "x"))
            assert words == [word for word in whole.split() if word in words]
            assert 3 <= len(words) <= 8  # of ten: 20% to 70% are dropped
            assert seeds.setdefault(passage.label, whole) == whole
        assert len(set(seeds.values())) == len(seeds)


def test_the_share_of_dropped_words_is_uniform():
    generator = np.random.default_rng(0)
    text = " ".join(map(str, range(100)))
    dropped = [100 - len(drop_words(text, generator).split()) for _ in range(2000)]
    assert 20 <= min(dropped) <= 22 and 68 <= max(dropped) <= 70
    counts = np.histogram(dropped, bins=5, range=(20, 70))[0]
    assert counts.min() > 300


@pytest.mark.parametrize("text", ["one", "one two", " spaced   out words "])
def test_at_least_one_word_is_left(text):
    generator = np.random.default_rng(0)
    for _ in range(50):
        words = drop_words(text, generator).split()
        assert words and set(words) <= set(text.split())


def test_the_same_seed_gives_the_same_subsets():
    one, two, other = (list(self_supervised_subsets(ENTITIES, s, 5)) for s in (3, 3, 4))
    assert one == two != other


def test_texts_without_words_and_copies_are_passed_over():
    with raises(TrainingError, cluster=2, count=1):
        next(self_supervised_subsets(["a b", "a b", " ", ""], 0))
    subset = next(self_supervised_subsets(["a b", "c d", ""], 0))
    assert {p.text.split()[0] for p in subset.passages} <= set("abcd")
