"""Measuring languages: likeness with English, and whether groups follow the language."""

import numpy as np
import pytest

from benchmarks import languages as measuring
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import load_method
from subclust.text.encoders import HashingEncoder


def test_each_language_has_the_mean_of_all_afterwards():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(7, 5)).astype(np.float32)
    spoken = ["ger", "eng", "ger", "eng", "eng", "ger", "eng"]
    moved = measuring.without_languages(vectors, spoken)
    for row, language in enumerate(spoken):
        own = [vectors[i] for i, other in enumerate(spoken) if other == language]
        want = vectors[row] - sum(own) / len(own) + sum(vectors) / len(vectors)
        np.testing.assert_allclose(moved[row], want / np.linalg.norm(want), atol=1e-5)


@pytest.fixture
def tasks(monkeypatch):
    """Two subjects; in the mixed task a word of each language is all that passages share."""

    def load(task, settings):
        mixed = task.endswith("_mixed")
        passages = []
        for row, label in enumerate(["tea", "tea", "tea", "sea", "sea", "sea"] * 2):
            language = ("eng", "ger")[row % 2] if mixed else "eng"
            word = f"{language} " * 20 if mixed else label
            passages.append(Passage(f"{row}", f"{word} {row}", "", "", label, label,
                                    {"language": language}))  # fmt: skip
        return task, [ClusteringInstance(Query("a question"), tuple(passages))]

    monkeypatch.setattr(measuring, "load_task", load)


def test_groups_by_language_are_told_from_groups_by_subject(tasks):
    encoder = HashingEncoder()
    method = load_method("centred-cosine", None, encoder)
    found = measuring.measure(["gnome_help"], ["de"], method, None)
    assert found.keys() == {"gnome_help_en", "gnome_help_de", "gnome_help_de_mixed"}
    assert found["gnome_help_de"]["ari"]["per_query"] == [1.0]
    mixed = found["gnome_help_de_mixed"]
    assert mixed["language"]["mean"] == 1.0 and mixed["ari"]["mean"] < 0.1
    assert mixed["centred"]["language"]["mean"] < 1.0
    assert "gnome_help_de_mixed" in measuring.in_words(found)
