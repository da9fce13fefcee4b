"""Measuring languages: likeness with English, and whether groups follow the language."""

import numpy as np
import pytest

from benchmarks import languages as measuring
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.methods import load_method
from subclust.text.encoders import HashingEncoder

SAID = {"eng": "the of and with that which have their " * 3, "ger": "der die das und mit auf " * 3}


@pytest.fixture
def tasks(monkeypatch):
    """Two subjects; in the mixed task a word of each language is all that passages share."""

    def load(task, settings):
        mixed = task.endswith(("_mixed", "_apart"))
        passages = []
        for row, label in enumerate(["tea", "tea", "tea", "sea", "sea", "sea"] * 2):
            language = ("eng", "ger")[row % 2] if mixed else "eng"
            word = f"{SAID[language]} {label} " if mixed else f"The {label}"
            passages.append(Passage(f"{row}", f"{word} {row}", "", "", label, label,
                                    {"language": language}))  # fmt: skip
        return task, [ClusteringInstance(Query("a question"), tuple(passages))]

    monkeypatch.setattr(measuring, "load_task", load)


def test_groups_by_language_are_told_from_groups_by_subject(tasks, monkeypatch):
    subjects = np.repeat([[1.0, 0.0], [0.0, 1.0]], 3, axis=0).astype(np.float32)
    monkeypatch.setattr(
        measuring,
        "without_languages",
        lambda own, passages, _: own if "The" in passages[0].text else np.tile(subjects, (2, 1)),
    )
    encoder = HashingEncoder()
    method = load_method("centred-cosine", None, encoder)
    found = measuring.measure(["gnome_help"], ["de"], method, None)
    assert found.keys() == {f"gnome_help_{one}" for one in ("en", "de", "de_mixed", "de_apart")}
    assert found["gnome_help_de"]["ari"]["per_query"] == [1.0]
    assert "as encoded" not in found["gnome_help_de"]
    mixed = found["gnome_help_de_mixed"]
    assert mixed["as encoded"]["language"]["mean"] == 1.0
    assert mixed["ari"]["mean"] == 1.0 and mixed["language"]["mean"] < 0.1
    assert mixed["as encoded"]["ari"]["mean"] < 0.1
    assert "gnome_help_de_mixed" in measuring.in_words(found)
