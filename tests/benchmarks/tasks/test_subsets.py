from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from raising import raises

from benchmarks.tasks.subsets import (
    SubsetShape,
    by_label,
    draw_in_context,
    draw_subsets,
    family_of,
)
from subclust.core.exceptions import BenchmarkError
from subclust.core.records import Passage

SHAPE = SubsetShape(400, smallest=3, largest=12, mean=5.0, breadth=(3, 5), skew=1.5)


def documents(n_each=12):
    """Eighteen labels in three families; the labels of a family share its word."""
    return [
        Passage(
            f"{family}{label}-{i}",
            f"{family} word{family}{label} number{i}x{family}{label}",
            label=f"{family}{label}",
            path=f"{family} / {family}{label}",
        )
        for family in ("bank", "home", "road")
        for label in range(6)
        for i in range(n_each)
    ]


def test_subsets_have_the_shape_that_was_asked_for():
    subsets = draw_subsets(documents(), SHAPE, "Requests", 0)
    sizes = [len(subset.passages) for subset in subsets]
    assert len(subsets) == 400
    assert min(sizes) == 3 and max(sizes) == 12
    assert np.mean(sizes) == pytest.approx(5.0, abs=0.3)
    counts = Counter(sizes)
    assert counts[3] > counts[5] > counts[8]
    for subset in subsets:
        assert subset.query.text == "Requests"
        assert 2 <= len(set(subset.gold())) <= 5
        assert len({passage.id for passage in subset.passages}) == len(subset.passages)


def test_an_entitys_label_follows_zipfs_law():
    even = draw_subsets(documents(), SubsetShape(400, 8, 8, 8, (4, 4), 0.0), "q", 0)
    skewed = draw_subsets(documents(), SubsetShape(400, 8, 8, 8, (4, 4), 2.0), "q", 0)

    def largest(subsets):
        return np.mean([max(Counter(subset.gold()).values()) / 8 for subset in subsets])

    # Of weights 1, 1/4, 1/9, 1/16 the first has 0.70; of four even ones the largest has about 0.45.
    assert largest(even) == pytest.approx(0.45, abs=0.04)
    assert largest(skewed) == pytest.approx(0.70, abs=0.04)


def test_the_labels_of_a_subset_are_related():
    subsets = draw_subsets(documents(), SHAPE, "q", 0)
    mixed = [len({family_of(passage) for passage in subset.passages}) > 1 for subset in subsets]
    # Each label has five relatives, and at most five labels are drawn among.
    assert not any(mixed)
    assert {family_of(subset.passages[0]) for subset in subsets} == {"bank", "home", "road"}


def test_the_query_may_be_the_familys():
    subsets = draw_subsets(documents(), SHAPE, str.title, 0, within_families=True)
    assert all(s.query.text == family_of(s.passages[0]).title() for s in subsets)


def test_the_draw_follows_from_the_seed_and_not_from_the_order():
    drawn = draw_subsets(documents(), SHAPE, "q", 0)
    assert draw_subsets(documents()[::-1], SHAPE, "q", 0) == drawn
    assert draw_subsets(documents(), SHAPE, "q", 1) != drawn
    in_context = draw_in_context(documents(), SHAPE, "q", 0)
    assert draw_in_context(documents()[::-1], SHAPE, "q", 0) == in_context


def test_in_context_pairs_belong_together_here_and_apart_there():
    subsets = draw_in_context(documents(), SHAPE, "q", 0)
    together, apart = set(), set()
    for number, subset in enumerate(subsets):
        families = {family_of(passage) for passage in subset.passages}
        fine = {(passage.path or "").split(" / ")[1] for passage in subset.passages}
        assert (len(families) == 1) == (number % 2 == 0)
        assert set(subset.gold()) == (fine if len(families) == 1 else families)
        assert len(set(subset.gold())) > 1
        for first, second in combinations(subset.passages, 2):
            pair = frozenset((first.id, second.id))
            (together if first.label == second.label else apart).add(pair)
    same_family = {p for p in together & apart if len({id_[:4] for id_ in p}) == 1}
    assert len(same_family) > 50


def test_equal_texts_count_once():
    doubled = [
        *documents(2),
        Passage("zz", documents(2)[0].text, label="bank1", path="bank / bank1"),
    ]
    assert by_label(doubled) == by_label(documents(2))


def test_a_small_label_is_used_up_and_not_repeated():
    few = documents(1)
    subsets = draw_subsets(few, SubsetShape(50, 4, 4, 4, (4, 4), 3.0), "q", 0)
    assert all(len(set(subset.gold())) == 4 for subset in subsets)


def test_one_label_is_too_few():
    lone = [document for document in documents() if document.label == "bank0"]
    with raises(BenchmarkError, count=1):
        draw_subsets(lone, SHAPE, "q", 0)
    with raises(BenchmarkError, count=1):
        draw_in_context([d for d in documents() if family_of(d) == "bank"], SHAPE, "q", 0)
