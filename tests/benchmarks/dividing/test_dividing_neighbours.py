"""Hit sets are mixed with the passages of their task that are most like them."""

import pytest

from benchmarks.dividing.learn_listed import right_question
from benchmarks.dividing.neighbours import with_neighbours
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.text.encoders import HashingEncoder
from subclust.training.mixing import ABOUT_SOMETHING_ELSE

TEXTS = {
    "Cats": ["cats sleep all day", "cats hunt mice", "old cats sleep"],
    "Mice": ["mice flee from cats", "mice eat corn", "cats hunt mice"],
    "Tax": ["a tax on paper", "the tax of the colonies", "the king wants corn"],
    "Corn": ["corn is ground", "mice and cats in the corn", "cats guard corn"],
}


def mixed():
    instances = [
        ClusteringInstance(
            Query(title),
            tuple(
                Passage(f"{title}{row}", text, label=f"Part {row}")
                for row, text in enumerate(texts)
            ),
        )
        for title, texts in TEXTS.items()
    ]
    return instances, with_neighbours(instances, HashingEncoder())


def test_as_many_of_the_nearest_passages_stand_beside_each_hit_set():
    instances, found = mixed()
    for before, after in zip(instances, found, strict=True):
        assert after.query == before.query
        assert after.passages[:3] == before.passages
        assert [one.label for one in after.passages[3:]] == [ABOUT_SOMETHING_ELSE] * 3
    # What the cats' own passage says, too, is not among them, however near.
    assert {one.id for one in found[0].passages[3:]} == {"Mice0", "Corn1", "Corn2"}


def test_a_title_counts_as_better_by_the_difference_of_the_means():
    scores = {"title_aside": [0.5, 0.7] * 10, "wrong_aside": [0.4, 0.5] * 10}
    told = right_question(scores)
    assert told["difference"] == pytest.approx(0.15) and told["p"] < 0.001
